"""Merged facts that users and administrators part, over the routes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.facts.compacting.ageing import UNDONE_WITHIN
from context_memory.domain.facts.fact import Compaction, Fact, Origin, Source
from context_memory.domain.state import UserSettings
from tests.support.asked_by_users import ask
from tests.support.facts import a_fact
from tests.support.house import LENA, House
from tests.support.kept_facts import put, stands

if TYPE_CHECKING:
    from collections.abc import Iterator

MINE = "POST /v1/me/facts/{fact_id}/expand"
ADMINISTRATORS = "POST /v1/companies/{company_id}/users/{user_id}/facts/{fact_id}/expand"
TEA, COFFEE = a_fact("Drinks tea."), a_fact("Drinks coffee.")


@pytest.fixture
def house() -> Iterator[House]:
    with House() as running:
        yield running


def merged(house: House) -> Fact:
    """A fact that stands for two, merged now."""
    fact = a_fact(
        "Drinks tea, coffee.",
        compaction=Compaction(
            at=house.world.clock.now(),
            origins=tuple(Origin(one.id, one.source, one.created_at) for one in (TEA, COFFEE)),
            originals=(TEA, COFFEE),
        ),
    )
    put(house, fact)
    return fact


@pytest.mark.parametrize("route", [MINE, ADMINISTRATORS])
def test_the_facts_stand_again_and_are_told(house: House, route: str) -> None:
    one = merged(house)
    path = {"company_id": "acme", "user_id": "lena", "fact_id": one.id}
    told = ask(house, route, path=path)
    assert told.status == 200
    assert {fact["text"] for fact in told.body["facts"]} == {TEA.text, COFFEE.text}
    assert told.body["count"] == 2
    assert set(stands(house)) == {TEA.text, COFFEE.text}
    assert ask(house, route, path=path).status == 404


def test_a_merged_fact_tells_what_it_was_made_of_and_until_when_it_can_be_parted(house: House) -> None:
    one, now = merged(house), house.world.clock.now()
    shown = ask(house, "GET /v1/me/facts/{fact_id}", path={"fact_id": one.id}).body
    assert shown["merged"]["texts"] == [TEA.text, COFFEE.text]
    assert shown["merged"]["until"] == (now + UNDONE_WITHIN).isoformat(timespec="seconds")


def test_after_thirty_days_it_stays_merged(house: House) -> None:
    one = merged(house)
    house.world.clock.advance(timedelta(days=30).total_seconds())
    assert ask(house, MINE, path={"fact_id": one.id}).status == 404
    assert set(stands(house)) == {one.text}


def test_what_was_deleted_or_denied_since_does_not_come_back(house: House) -> None:
    one = merged(house)
    put(house, TEA)
    assert ask(house, "DELETE /v1/me/facts/{fact_id}", path={"fact_id": TEA.id}).status == 204
    house.world.table.write_settings(LENA, UserSettings(deny_phrases=("coffee",), rules=1))
    assert ask(house, MINE, path={"fact_id": one.id}).body["facts"] == []
    assert stands(house) == {}


def test_deleting_a_merged_fact_forgets_all_that_it_stood_for(house: House) -> None:
    one = merged(house)
    assert ask(house, "DELETE /v1/me/facts/{fact_id}", path={"fact_id": one.id}).status == 204
    told = ask(house, "POST /v1/me/facts/import", {"facts": [TEA.text, COFFEE.text]})
    assert told.body["refused"] == 2


def test_a_merged_fact_that_the_user_corrects_is_parted_no_more_and_no_file_brings_its_parts_back(house: House) -> None:
    one = merged(house)
    path = {"fact_id": one.id}
    assert ask(house, "PUT /v1/me/facts/{fact_id}", {"text": "Drinks water only."}, path=path).status == 200
    (water,) = stands(house).values()
    assert water.text == "Drinks water only."
    for gone in (one.id, water.id):
        assert ask(house, MINE, path={"fact_id": gone}).status == 404
    told = ask(house, "POST /v1/me/facts/import", {"facts": [TEA.text, COFFEE.text]})
    assert (told.body["refused"], set(stands(house))) == (2, {"Drinks water only."})


def test_a_merged_fact_that_only_gets_another_tier_can_still_be_parted(house: House) -> None:
    one = merged(house)
    path = {"fact_id": one.id}
    assert ask(house, "PUT /v1/me/facts/{fact_id}", {"tier": "core"}, path=path).status == 200
    assert ask(house, MINE, path=path).status == 200
    assert set(stands(house)) == {TEA.text, COFFEE.text}


def test_an_edited_message_takes_its_part_out_of_a_merged_fact(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: "NOOP")
    house.post("t1", "I drink tea.")
    house.work()
    tea = replace(TEA, source=Source("t1"))
    coffee = replace(COFFEE, source=Source("t0"), last_confirmed_at=COFFEE.last_confirmed_at + timedelta(hours=1))
    origins = tuple(Origin(fact.id, fact.source, fact.created_at) for fact in (tea, coffee))
    compaction = Compaction(at=house.world.clock.now(), origins=origins, originals=(tea, coffee))
    put(house, a_fact("Drinks tea, coffee.", last_confirmed_at=coffee.last_confirmed_at, compaction=compaction))
    house.post("t2", "I drink mate.", supersedes_turn_id="t1")
    house.work()
    assert set(stands(house)) == {COFFEE.text}


def test_whoever_has_no_room_for_both_is_told_so(house: House) -> None:
    house.world.companies.replace("acme", CompanySettings(facts_cap=20), version=None)
    one = merged(house)
    put(house, *(a_fact(f"Owns {number} books.") for number in range(19)))
    assert ask(house, MINE, path={"fact_id": one.id}).status == 422
    assert one.text in stands(house)


def test_a_fact_that_is_stated_meanwhile_is_not_lost(house: House) -> None:
    one = merged(house)

    def strike(step: str) -> None:
        if step.startswith("before:") and step.endswith("change_facts"):
            house.world.whenever(lambda _: None)
            put(house, a_fact("Owns a canoe."))

    house.world.whenever(strike)
    assert ask(house, MINE, path={"fact_id": one.id}).status == 200
    assert set(stands(house)) == {TEA.text, COFFEE.text, "Owns a canoe."}


def test_a_wish_to_forget_reaches_what_a_merged_fact_stands_for_and_leaves_the_rest(house: House) -> None:
    merged(house)
    house.model.queue("gate", "FORGET")
    house.model.queue("consolidation", "NOOP")
    house.post("forget", "Please forget that I drink tea.")
    house.work()
    assert set(stands(house)) == {COFFEE.text}
