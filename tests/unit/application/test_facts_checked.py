"""What people write as facts was read by no model: the policy's reader looks at it behind them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.files.lines import entries
from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.domain.jobs import JobKind, UserJob
from tests.support.asked_by_users import ask
from tests.support.facts import a_fact
from tests.support.house import LENA, PLENTY, House
from tests.support.kept_facts import put, stands

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.scripted_model import Asked

CLIENT, REVIEW, CHESS = "Reviews the portfolio of Mr Gerber.", "Reviews the portfolio.", "Plays chess."
CHECK = UserJob(kind=JobKind.CHECK_FACTS, user=LENA)


def add(house: House, text: str, **more: object) -> str:
    """Lena types a fact; gives its id."""
    told = ask(house, "POST /v1/me/facts", {"text": text, **more})
    assert told.status in {200, 201}, told
    return str(told.body["id"])


def reads(house: House, verdicts: Mapping[str, str]) -> list[str]:
    """The reader says this of lines that it is shown, by their text; gives what it was shown."""
    shown: list[str] = []

    def read(asked: Asked) -> str:
        shown.append(asked.said_by("user"))
        numbered = re.findall(r"^(\d+): (.*)$", asked.said_by("user"), re.MULTILINE)
        said = [f"{number}{_verdict(verdicts[line])}" for number, line in numbered if line in verdicts]
        return "\n".join(said) or "CLEAN"

    house.model.script("scrub", read)
    return shown


def _verdict(text: str) -> str:
    return " DROP" if text == "DROP" else f": {text}"


def test_what_somebody_types_is_read_once_and_stays_where_it_may(house: House) -> None:
    add(house, CHESS)
    assert stands(house)[CHESS].unchecked
    shown = reads(house, {})
    house.tend()
    assert not stands(house)[CHESS].unchecked
    house.world.jobs.send(CHECK)
    house.tend()
    assert len(shown) == 1


def test_what_may_not_stand_goes_and_a_file_does_not_bring_it_back(house: House) -> None:
    add(house, CLIENT)
    add(house, CHESS)
    reads(house, {CLIENT: "DROP"})
    house.tend()
    assert set(stands(house)) == {CHESS}
    brought = ask(house, "POST /v1/me/import", {"memory": "", "facts": [CLIENT]}, if_match='"0-0"')
    assert brought.body["facts"]["lines"] == [{"line": 1, "result": "refused", "reason": "forgotten"}]


def test_what_was_shortened_stands_as_that_without_its_keywords(house: House) -> None:
    add(house, CLIENT, tier="core", keywords=["Gerber"])
    reads(house, {CLIENT: REVIEW})
    house.tend()
    (fact,) = stands(house).values()
    assert (fact.text, fact.tier.value, fact.keywords, fact.unchecked) == (REVIEW, "core", (), False)


def test_keywords_are_read_as_well(house: House) -> None:
    add(house, REVIEW, keywords=["Gerber", "wealth"])
    shown = reads(house, {"Gerber, wealth": "wealth"})
    house.tend()
    assert stands(house)[REVIEW].keywords == ()
    assert "Gerber, wealth" in shown[0]


def test_what_is_shortened_to_what_stands_already_goes_into_it(house: House) -> None:
    put(house, a_fact(REVIEW, uses=3))
    add(house, CLIENT)
    reads(house, {CLIENT: REVIEW})
    house.tend()
    assert {text: fact.uses for text, fact in stands(house).items()} == {REVIEW: 3}


def test_what_may_not_stand_leaves_the_history_of_other_facts(house: House) -> None:
    one = add(house, CLIENT)
    ask(house, "PUT /v1/me/facts/{fact_id}", {"text": REVIEW}, path={"fact_id": one})
    add(house, CLIENT)
    reads(house, {CLIENT: "DROP"})
    house.tend()
    assert [past.text for past in stands(house)[REVIEW].supersedes] == []


def test_what_a_turn_has_taught_is_not_read_again(house: House) -> None:
    put(house, a_fact(CHESS))
    add(house, REVIEW)
    shown = reads(house, {})
    house.tend()
    assert CHESS not in shown[0]


def test_what_is_only_stated_again_needs_no_reader(house: House) -> None:
    put(house, a_fact(CHESS))
    add(house, CHESS)
    assert not stands(house)[CHESS].unchecked
    assert CHECK not in house.world.jobs.waiting()


def test_what_a_company_shares_is_its_own_word(house: House) -> None:
    scope = SharedScope("acme")
    house.world.jobs.sent.clear()
    shelf = house.shared_facts.shelf(scope)
    house.fact_routes.bringing(shelf, entries([CLIENT], "facts"), preview=False)
    (fact,) = shelf.page(after=None, limit=10, tier=None).facts
    assert not fact.unchecked
    assert [job for job in house.world.jobs.waiting() if getattr(job, "kind", None) is JobKind.CHECK_FACTS] == []


def test_without_an_answer_facts_stay_and_are_read_another_day(house: House) -> None:
    add(house, CHESS)
    house.model.script("scrub", lambda _: "Certainly! Here you go.")
    house.tend()
    assert stands(house)[CHESS].unchecked
    reads(house, {CHESS: "DROP"})
    house.world.clock.advance(86_400)
    house.ring_agenda()
    house.tend()
    assert stands(house) == {}


def test_a_company_that_is_off_asks_nobody_and_what_waits_is_looked_at_again(house: House) -> None:
    add(house, CHESS)
    house.world.switches.companies["acme"] = CompanyFlags(context_memory=False)
    house.tend()
    assert stands(house)[CHESS].unchecked
    house.world.switches.companies["acme"] = CompanyFlags(context_memory=True)
    reads(house, {CHESS: "DROP"})
    house.world.clock.advance(86_400)
    house.ring_agenda()
    house.tend()
    assert stands(house) == {}


def test_a_long_file_is_read_by_several_messages(house: House) -> None:
    texts = [f"Knows the chess opening number {number}." for number in range(150)]
    ask(house, "POST /v1/me/facts/import", {"facts": texts})
    shown = reads(house, dict.fromkeys(texts[:3], "DROP"))
    house.tend()
    assert set(stands(house)) == set(texts[3:])
    assert not any(fact.unchecked for fact in stands(house).values())
    assert len(shown) == 8


def test_a_fact_that_is_changed_while_it_is_read_is_read_again(house: House) -> None:
    one = add(house, CLIENT)
    changed: list[Any] = []

    def read(_asked: Asked) -> str:
        if not changed:
            changed.append(ask(house, "PUT /v1/me/facts/{fact_id}", {"text": CHESS}, path={"fact_id": one}))
            return "1 DROP"
        return "CLEAN"

    house.model.script("scrub", read)
    house.tend()
    assert set(stands(house)) == {CHESS}
    house.tend()
    assert (len(changed), stands(house)[CHESS].unchecked) == (1, False)


def test_what_cannot_be_noted_for_reading_is_not_stored(house: House) -> None:
    def refuse(step: str) -> None:
        if step == "before:agenda.note":
            raise StoreUnavailable("down")

    house.world.whenever(refuse)
    assert ask(house, "POST /v1/me/facts", {"text": CHESS}).status == 503
    house.world.whenever(lambda _: None)
    assert stands(house) == {}


@pytest.mark.parametrize("step", ["before:table.change_facts", "after:table.change_facts"])
def test_a_reading_that_dies_is_done_again(house: House, step: str) -> None:
    add(house, CLIENT)
    reads(house, {CLIENT: "DROP"})
    struck: list[str] = []

    def strike(at: str) -> None:
        if at == step and not struck:
            struck.append(at)
            raise StoreUnavailable("down")

    house.world.clock.advance(10)
    house.world.whenever(strike)
    with pytest.raises(StoreUnavailable):
        house.workers[JobKind.CHECK_FACTS](CHECK, PLENTY)
    house.world.whenever(lambda _: None)
    house.workers[JobKind.CHECK_FACTS](CHECK, PLENTY)
    assert house.world.facts.facts(LENA, UserScope(LENA)).facts == ()
