"""Bullets that the loaded profile shows are not repeated, and some spaces want nothing but them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import ProfileOwnerMismatch, StoreUnavailable
from context_memory.domain.spaces import Backend, RecallSettings, SpaceSettings
from tests.support.house import LENA, House, body
from tests.support.recalling import Recalls

if TYPE_CHECKING:
    from collections.abc import Iterator

BASEL = "Lives in Basel."
BULLETS_ONLY = SpaceSettings(recall=RecallSettings(backend=Backend.MARKDOWN_FTS))


@pytest.fixture
def house() -> Iterator[House]:
    """Lena's profile holds one bullet."""
    with House() as house:
        learn(house, identity=[BASEL])
        yield house


@pytest.fixture
def recalls(house: House) -> Iterator[Recalls]:
    with Recalls(house.world) as recalls:
        yield recalls


def learn(house: House, **sections: list[str]) -> None:
    said = " ".join(bullet for bullets in sections.values() for bullet in bullets)
    house.learns(body(**sections))
    house.world.clock.advance(60)
    house.post(f"t-{house.world.clock.now().isoformat()}", said)
    house.work()


def test_a_fact_that_the_profile_shows_is_not_repeated(recalls: Recalls) -> None:
    recalls.learn("lives in  Basel", "Works in Basel.")
    assert recalls.texts("Basel") == ["Works in Basel."]


def test_what_the_profile_has_learned_meanwhile_is_not_repeated_either(house: House, recalls: Recalls) -> None:
    recalls.learn("Works in Basel.")
    assert recalls.texts("Basel") == ["Works in Basel."]
    learn(house, identity=[BASEL], work=["Works in Basel."])
    assert recalls.texts("Basel") == []


def test_a_profile_that_has_not_changed_is_not_read_again(house: House, recalls: Recalls) -> None:
    recalls.learn(BASEL)
    assert recalls.texts("Basel") == []
    steps: list[str] = []
    house.world.whenever(steps.append)
    assert recalls.texts("Basel") == []
    assert not [step for step in steps if "profiles" in step]


def test_a_bullet_that_the_space_s_cap_trims_away_is_given(house: House, recalls: Recalls) -> None:
    skills = [f"Has worked for {number} years with the tool called number {number}." for number in range(1, 61)]
    learn(house, identity=[BASEL], skills=skills)
    recalls.learn(*skills)
    assert recalls.texts("tool", max_hits=50) == []
    house.world.switches.spaces["acme", "s1"] = SpaceSettings(max_tokens=500)
    view = house.load().view
    assert view is not None
    given = recalls.texts("tool", max_hits=50)
    assert given
    assert not [text for text in given if text in view.memory]


@pytest.mark.parametrize("fault", ["store", "owner"])
def test_without_the_profile_facts_are_given_all_the_same_and_the_answer_says_so(
    house: House, recalls: Recalls, fault: str
) -> None:
    recalls.learn("Works in Basel.")

    def broken(step: str) -> None:
        if step == "before:profiles.latest":
            raise StoreUnavailable("down") if fault == "store" else ProfileOwnerMismatch("another's")

    house.world.whenever(broken)
    told = recalls.ask("Basel")
    assert ([hit["text"] for hit in told["hits"]], told["notes"]) == (["Works in Basel."], ["profile_unavailable"])


def test_a_space_that_wants_nothing_but_the_profile_is_given_its_bullets_without_markers(
    house: House, recalls: Recalls
) -> None:
    house.world.switches.spaces["acme", "s1"] = BULLETS_ONLY
    recalls.learn("Works in Basel.")
    told = recalls.ask("Basel", prompt_id="p1")
    (hit,) = told["hits"]
    assert (told["backend"], hit["text"], hit["marker"], hit["scope"]) == ("markdown_fts", BASEL, None, "user")
    assert "cite" not in told["block"]
    assert recalls.ask("Basel", prompt_id="p1")["cached"]


def test_where_the_profile_is_all_there_is_a_store_out_of_reach_is_no_empty_answer(
    house: House, recalls: Recalls
) -> None:
    house.world.switches.spaces["acme", "s1"] = BULLETS_ONLY

    def down(step: str) -> None:
        if step == "before:profiles.latest":
            raise StoreUnavailable("down")

    house.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        recalls.ask("Basel")


def test_a_user_without_a_profile_recalls_facts(recalls: Recalls) -> None:
    other = type(LENA)("acme", "max")
    recalls.learn("Works in Basel.", user=other)
    assert recalls.texts("Basel", other) == ["Works in Basel."]


def test_ten_loops_of_recall_and_turn_add_nothing(house: House, recalls: Recalls) -> None:
    """Whoever answers a turn quotes the block, and the user pastes it back: nothing of it is anything they said."""
    recalls.learn("Works in Basel.", "Has a dog called Momo.")
    before = house.memory()
    for number in range(10):
        told = recalls.ask("Where does she work, and what is her dog called?", prompt_id=f"p{number}")
        assert len(told["hits"]) == 2
        house.world.clock.advance(60)
        assert house.post(f"loop-{number}", told["block"]) == "blank"
        house.work()
    assert house.memory() == before
