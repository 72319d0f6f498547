from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import UserKey
from context_memory.domain.merging import MergeStatus
from context_memory.ports.facts import FactsHead
from tests.support.eraser import Eraser, remains
from tests.support.facts import COMPANY, a_fact
from tests.support.house import LENA, House, body
from tests.support.merged import NEW, OLD, Merged
from tests.support.recalling import Recalls

if TYPE_CHECKING:
    from collections.abc import Iterator

MIA = UserKey("acme", "mia")


@pytest.fixture
def house() -> Iterator[House]:
    with House() as house:
        yield house


def everybody(house: House) -> list[str]:
    users = house.world.directory.users("acme", after=None, limit=10, legacy=False)
    return [user.user_id for user in users]


def test_a_user_whose_turns_all_come_to_nothing_is_found_all_the_same(house: House) -> None:
    house.post("t1", "What is a covenant?")
    house.model.queue("gate", "NOOP")
    house.work()
    assert house.world.payloads.owners() == []
    assert house.memory() == ""
    assert everybody(house) == ["lena"]


def test_who_is_known_is_entered_no_more(house: House) -> None:
    house.post("t1", "I moved to Basel.")
    house.learns(body(identity=["Lives in Basel."]))
    house.work()
    entered: list[str] = []
    house.world.whenever(lambda step: entered.append(step) if step == "before:roster.enter" else None)
    house.post("t2", "I like tea.")
    assert entered == []


def test_who_comes_back_after_an_erase_is_entered_again(house: House) -> None:
    house.post("t1", "I moved to Basel.")
    eraser = Eraser(house.world)
    eraser.erase()
    eraser.work()
    assert everybody(house) == []
    house.post("t2", "I moved to Bern.")
    assert LENA in house.world.roster.entered


def test_a_turn_of_somebody_who_cannot_be_entered_is_not_accepted(house: House) -> None:
    def down(step: str) -> None:
        if step == "before:roster.enter":
            raise StoreUnavailable("The store is down.")

    house.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        house.post("t1", "I moved to Basel.")
    assert house.world.payloads.owners() == []
    assert house.world.table.state(LENA).open_turns == ()


def test_who_has_only_recalled_is_found_and_erased_with_the_company(house: House) -> None:
    house.world.shared_facts.change(COMPANY, FactsHead(), [a_fact("The canteen opens at noon.", COMPANY)], (), count=1)
    with Recalls(house.world) as recalls:
        assert recalls.texts("When does the canteen open?", prompt_id="p-1") == ["The canteen opens at noon."]
        assert recalls.texts("When does the canteen open?", prompt_id="p-2") == ["The canteen opens at noon."]
    assert len(house.world.jobs.sent) == 1  # once an hour is enough
    house.tend()
    assert everybody(house) == ["lena"]
    eraser = Eraser(house.world)
    eraser.erase()
    eraser.work()
    assert eraser.receipt()["counts"]["items"] == {"prompts": 2}
    assert remains(house.world) == []


def test_who_is_known_is_not_told_of_by_recalls(house: House) -> None:
    house.post("t1", "I moved to Basel.")
    with Recalls(house.world) as recalls:
        recalls.ask("Where does she live?", prompt_id="p-1")
        recalls.ask("Where does she live?", prompt_id="p-2", disable_recall=True)
    assert house.world.jobs.sent == []


def test_who_only_wants_no_memory_is_found_too(house: House) -> None:
    with Recalls(house.world) as recalls:
        recalls.ask("Where does she live?", prompt_id="p-1", disable_recall=True)
    house.tend()
    assert everybody(house) == ["lena"]
    house.post("t1", "I moved to Basel.", user=MIA, use_memory={"read": False, "write": False})
    assert everybody(house) == ["lena", "mia"]


def test_who_has_nothing_but_merged_facts_is_found_too() -> None:
    merged = Merged()
    merged.know(OLD, "Likes tea.")
    merged.ask()
    assert merged.work() is MergeStatus.MERGED
    assert NEW in merged.world.roster.entered
