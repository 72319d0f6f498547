"""Files of facts that people bring along: what becomes of each line, and of a file that is sent again."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.application.facts.vectors import Vectors
from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.fact import Past, Source, Tier
from context_memory.domain.facts.scopes import UserScope
from context_memory.ports.facts import FactsChange
from tests.support.asked_by_users import ask
from tests.support.facts import a_fact
from tests.support.house import LENA
from tests.support.kept_facts import put, stands

if TYPE_CHECKING:
    from tests.support.house import House

IMPORT = "POST /v1/me/facts/import"
MANY = [f"Fact number {number}." for number in range(200)]


def bring(house: House, *facts: object, preview: bool = False, **document: Any) -> Any:  # noqa: ANN401 - any JSON
    """What a file is answered."""
    wanted = {"facts": list(facts)} if facts else document
    told = ask(house, IMPORT, wanted, query={"preview": "true"} if preview else None)
    assert told.status == 200, told.body
    return told.body


def results(told: Any) -> list[str]:  # noqa: ANN401 - any JSON
    """What became of each line, in the order of the lines."""
    assert [line["line"] for line in told["lines"]] == sorted(line["line"] for line in told["lines"])
    return [line.get("reason", line["result"]) for line in told["lines"]]


def version(house: House) -> int:
    return house.world.facts.head(LENA, UserScope(LENA)).version


def test_each_line_is_told_by_its_number_and_never_by_what_it_says(house: House) -> None:
    put(house, a_fact("Works at Novartis."))
    told = bring(house, "works at novartis", {"text": "Lives in Basel.", "tier": "core"}, {"tier": "core"}, 7)
    assert told == {
        "stored": 1,
        "merged": 1,
        "refused": 2,
        "lines": [
            {"line": 1, "result": "merged"},
            {"line": 2, "result": "stored"},
            {"line": 3, "result": "refused", "reason": "unreadable"},
            {"line": 4, "result": "refused", "reason": "unreadable"},
        ],
    }
    assert stands(house)["Lives in Basel."].tier is Tier.CORE


def test_a_preview_tells_the_same_and_changes_nothing(house: House) -> None:
    house.world.companies.replace("acme", CompanySettings(facts_cap=120), version=None)
    put(house, a_fact(MANY[0]))
    lines = [*MANY, MANY[1], {"text": "x y", "tier": "ephemeral"}, "x" * 600]
    before = version(house), stands(house), set(house.world.roster.entered)
    planned = bring(house, *lines, preview=True)
    assert (version(house), stands(house), house.world.roster.entered) == before
    assert bring(house, *lines) == planned
    assert results(planned)[:121] == ["merged", *["stored"] * 119, "cap"]
    assert results(planned)[-3:] == ["merged", "ephemeral", "too_long"]
    assert len(stands(house)) == 120


def test_a_long_file_takes_several_transactions_and_loses_nothing(house: House) -> None:
    writes: list[str] = []
    house.world.whenever(lambda step: writes.append(step) if step == "after:table.change_facts" else None)
    assert bring(house, *MANY[:181])["stored"] == 181
    assert len(writes) == 3
    assert set(stands(house)) == set(MANY[:181])


def test_a_file_that_was_cut_off_is_sent_again_and_stored_once(house: House) -> None:
    seen = 0

    def strike(step: str) -> None:
        nonlocal seen
        seen += step == "before:table.change_facts"
        if step == "before:table.change_facts" and seen == 2:
            raise StoreUnavailable("away")

    house.world.whenever(strike)
    assert ask(house, IMPORT, {"facts": MANY[:150]}).status == 503
    assert len(stands(house)) == 90
    house.world.whenever(lambda _: None)
    told = bring(house, *MANY[:150])
    assert (told["merged"], told["stored"], len(stands(house))) == (90, 60, 150)
    assert house.world.facts.head(LENA, UserScope(LENA)).count == 150


def test_an_answer_that_was_lost_changes_nothing_when_the_file_comes_again(house: House) -> None:
    def strike(step: str) -> None:
        if step == "after:table.change_facts":
            raise StoreUnavailable("nobody knows")

    house.world.whenever(strike)
    assert ask(house, IMPORT, {"facts": ["Works at Novartis."]}).status == 503
    house.world.whenever(lambda _: None)
    assert results(bring(house, "Works at Novartis.")) == ["merged"]
    assert len(stands(house)) == 1


def test_whoever_writes_in_between_loses_nothing(house: House) -> None:
    def strike(step: str) -> None:
        if step == "before:table.change_facts":
            house.world.whenever(lambda _: None)
            put(house, a_fact(MANY[3]), a_fact("Writes Rust."))

    house.world.whenever(strike)
    told = bring(house, *MANY[:5])
    assert results(told) == ["stored", "stored", "stored", "merged", "stored"]
    assert len(stands(house)) == 6


def test_an_export_keeps_tiers_keywords_and_dates_and_leaves_where_it_came_from_behind(house: House) -> None:
    now = house.world.clock.now()
    stated, confirmed = now - timedelta(days=90), now - timedelta(days=30)
    fact = a_fact(
        "Works at Novartis.",
        tier=Tier.CORE,
        keywords=("employer",),
        source=Source("t1", "c1"),
        uses=4,
        created_at=stated,
        last_confirmed_at=confirmed,
        supersedes=(Past("a" * 20, "Works at Roche.", confirmed),),
    )
    put(house, fact)
    export = ask(house, "GET /v1/me/export").body
    head = house.world.facts.head(LENA, UserScope(LENA))
    house.world.facts.change(FactsChange(user=LENA, base=head, epoch=0, at=now, drops=frozenset({fact.id}), count=0))
    told = ask(house, IMPORT, {key: export[key] for key in ("facts", "user_id", "format")})
    assert told.body["stored"] == 1
    (back,) = stands(house).values()
    assert (back.text, back.tier, back.keywords) == (fact.text, Tier.CORE, ("employer",))
    assert (back.created_at, back.last_confirmed_at) == (stated, confirmed)
    assert (back.source, back.uses, back.supersedes) == (Source(), 0, ())


def test_a_file_of_another_owner_is_refused(house: House) -> None:
    told = ask(house, IMPORT, {"facts": ["Works at Novartis."], "user_id": "otto"})
    assert (told.status, told.body["field"]) == (422, "user_id")


@pytest.mark.parametrize(
    "document",
    [{}, {"facts": [], "jsonl": ""}, {"markdown": 1}, {"facts": ["x"] * 2001}, {"jsonl": "7\n" * 2001}],
)
def test_what_is_no_file_is_refused_whole(house: House, document: dict[str, object]) -> None:
    assert ask(house, IMPORT, document).status == 422


def test_nothing_is_dated_later_than_now_and_nothing_confirmed_earlier_than_it_was(house: House) -> None:
    now = house.world.clock.now()
    earlier, later = now - timedelta(days=9), now + timedelta(days=9)
    put(house, a_fact("Works at Novartis.", created_at=now, last_confirmed_at=now))
    bring(
        house,
        {"text": "Works at Novartis.", "last_confirmed_at": earlier.isoformat()},
        {"text": "Lives in Basel.", "created_at": later.isoformat(), "last_confirmed_at": later.isoformat()},
    )
    assert {fact.last_confirmed_at for fact in stands(house).values()} == {now}


def test_a_line_that_changes_nothing_writes_nothing(house: House) -> None:
    now = house.world.clock.now()
    put(house, a_fact("Works at Novartis.", created_at=now, last_confirmed_at=now))
    before = version(house)
    told = bring(house, {"text": "Works at Novartis.", "last_confirmed_at": now.isoformat()})
    assert (results(told), version(house)) == (["merged"], before)


def test_links_of_strangers_do_not_come_along_and_those_that_one_types_stay(house: House) -> None:
    bring(house, "Reads [the blog](https://example.net/a).")
    ask(house, "POST /v1/me/facts", {"text": "Writes [a blog](https://example.com/b)."})
    assert set(stands(house)) == {"Reads the blog.", "Writes [a blog](https://example.com/b)."}


def test_facts_get_vectors_where_there_is_an_endpoint_and_stand_without_where_it_is_silent(house: House) -> None:
    world = house.world
    vectors = Vectors(embedder=lambda: world.embedder, telemetry=world.telemetry)
    facts = [a_fact("Works at Novartis."), a_fact("Lives in Basel.")]
    assert all(fact.vector for fact in vectors(facts, seconds=5))
    assert vectors(facts, seconds=0) == facts

    def silent(step: str) -> None:
        if step.startswith("before:embedder"):
            raise StoreUnavailable("away")

    world.whenever(silent)
    assert vectors(facts, seconds=5) == facts
