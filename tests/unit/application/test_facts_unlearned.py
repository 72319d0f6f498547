"""Facts that go with what else is unlearned or denied, and that come along in an export."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.fact import Past, Source
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.ids import UserKey
from tests.support.asked_by_users import ask
from tests.support.facts import a_fact
from tests.support.house import LENA, House, body
from tests.support.kept_facts import put, stands

if TYPE_CHECKING:
    from context_memory.domain.facts.fact import Fact

UNLEARN, DENY, IMPORT = "POST /v1/me/unlearn", "PUT /v1/me/deny-rules", "POST /v1/me/import"


@pytest.fixture
def known(house: House) -> House:
    """Lena said in one turn where she lives, of which memory and facts hold something."""
    house.learns(body(identity=["Lives in Basel."]))
    house.post("t1", "I live in Basel.", chat_id="c-1")
    house.work()
    put(house, learned(house, "Lives in Basel.", "t1"), a_fact("Writes Rust."))
    return house


def learned(house: House, text: str, turn: str, **more: Any) -> Fact:  # noqa: ANN401 - whatever a fact has
    """A fact of a turn that happened just now."""
    now = house.world.clock.now()
    return a_fact(text, source=Source(turn, "c-1"), created_at=now, last_confirmed_at=now, **more)


def version(house: House) -> int:
    return house.world.facts.head(LENA, UserScope(LENA)).version


def test_facts_of_a_turn_go_with_what_the_memory_learned_from_it(known: House) -> None:
    asked = {"turn_ids": ["t1"]}
    preview = ask(known, UNLEARN, asked, query={"preview": "true"})
    assert preview.body["facts"] == {"removed": 1, "restored": 0}
    assert set(stands(known)) == {"Lives in Basel.", "Writes Rust."}
    told = ask(known, UNLEARN, asked, if_match=preview.headers["etag"])
    assert (told.status, told.body["facts"]) == (200, {"removed": 1, "restored": 0})
    assert (set(stands(known)), known.memory()) == ({"Writes Rust."}, body())
    again = ask(known, UNLEARN, asked, if_match=told.headers["etag"])
    assert again.body["facts"] == {"removed": 0, "restored": 0}


def test_what_such_a_fact_took_the_place_of_comes_back(known: House) -> None:
    before = Past("a" * 20, "Works at Roche.", known.world.clock.now() - timedelta(days=9))
    put(known, learned(known, "Works at Novartis.", "t1", supersedes=(before,)))
    told = ask(known, UNLEARN, {"chat_ids": ["c-1"]}, if_match='"0-1"')
    assert told.body["facts"] == {"removed": 2, "restored": 1}
    assert set(stands(known)) == {"Works at Roche.", "Writes Rust."}


def test_whoever_has_not_seen_the_memory_that_stands_unlearns_no_fact(known: House) -> None:
    before = version(known)
    assert ask(known, UNLEARN, {"turn_ids": ["t1"]}, if_match='"0-7"').status == 412
    assert version(known) == before


def test_an_unlearning_that_was_cut_off_goes_on_when_it_is_asked_for_again(known: House) -> None:
    put(known, *(learned(known, f"Fact number {number}.", "t1") for number in range(85)))
    put(known, *(learned(known, f"Fact number {number}.", "t1") for number in range(85, 170)))
    writes = 0

    def strike(step: str) -> None:
        nonlocal writes
        writes += step == "before:table.change_facts"
        if step == "before:table.change_facts" and writes == 2:
            raise StoreUnavailable("away")

    known.world.whenever(strike)
    assert ask(known, UNLEARN, {"turn_ids": ["t1"]}, if_match='"0-1"').status == 503
    assert 0 < len(stands(known)) < 172
    known.world.whenever(lambda _: None)
    assert ask(known, UNLEARN, {"turn_ids": ["t1"]}, if_match='"0-1"').status == 200
    assert set(stands(known)) == {"Writes Rust."}
    assert known.world.facts.head(LENA, UserScope(LENA)).count == 1


def test_a_write_back_during_an_unlearning_is_not_lost(known: House) -> None:
    def strike(step: str) -> None:
        if step == "before:table.change_facts":
            known.world.whenever(lambda _: None)
            put(known, learned(known, "Sails.", "t2"), learned(known, "Has a boat.", "t1"))

    known.world.whenever(strike)
    ask(known, UNLEARN, {"turn_ids": ["t1"]}, if_match='"0-1"')
    assert set(stands(known)) == {"Writes Rust.", "Sails."}


def test_a_rule_takes_out_facts_that_hold_its_phrase_wherever_it_stands(known: House) -> None:
    now = known.world.clock.now()
    kept = a_fact("Works at Novartis.", supersedes=(Past("a" * 20, "Works at a Basel bank.", now),))
    put(known, kept, a_fact("Likes it there.", keywords=("basel",)))
    told = ask(known, DENY, {"phrases": ["Basel"]})
    assert told.body["removed"] == 3  # a bullet and two facts
    assert {text: fact.supersedes for text, fact in stands(known).items()} == {
        "Writes Rust.": (),
        "Works at Novartis.": (),
    }
    refused = ask(known, "POST /v1/me/facts/import", {"facts": ["Lives in Basel."]}).body["lines"][0]["reason"]
    assert refused == "deny_rule"
    ask(known, DENY, {"phrases": []})
    forgotten = ask(known, "POST /v1/me/facts/import", {"facts": ["Lives in Basel."]}).body["lines"][0]["reason"]
    assert forgotten == "forgotten"


def test_what_a_death_left_of_a_rule_is_taken_out_by_what_follows(known: House) -> None:
    def strike(step: str) -> None:
        if step == "before:table.change_facts":
            raise StoreUnavailable("away")

    known.world.whenever(strike)
    assert ask(known, DENY, {"phrases": ["Basel"]}).status == 503
    known.world.whenever(lambda _: None)
    assert "Lives in Basel." in stands(known)
    known.model.script("scrub", lambda _: "CLEAN")
    known.tend()
    assert set(stands(known)) == {"Writes Rust."}


def test_an_export_brings_memory_and_facts_back(known: House) -> None:
    export = ask(known, "GET /v1/me/export").body
    other = {name: export[name] for name in ("format", "version", "memory", "facts")}
    otto = UserKey("acme", "otto")
    preview = ask(known, IMPORT, other, user=otto, query={"preview": "true"})
    assert preview.body["facts"]["stored"] == 2
    assert stands(known, otto) == {}
    told = ask(known, IMPORT, other, user=otto, if_match=preview.headers["etag"])
    assert told.body["facts"] == preview.body["facts"]
    assert set(stands(known, otto)) == {"Lives in Basel.", "Writes Rust."}
    assert ask(known, IMPORT, {"memory": ""}, user=otto, if_match=told.headers["etag"]).body["facts"] is None
