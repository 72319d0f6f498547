"""Old facts of a company become fewer, user by user, with a model that answers over HTTP."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.application.compact.starting import StartCompactions
from context_memory.application.walks.compacting import CALLS, GROWN_OLD_WITHIN
from context_memory.domain.enablement import CompanyFlags, OperatorFlags
from context_memory.domain.facts.fact import Source
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.spaces import RecallSettings, SpaceSettings
from context_memory.domain.state import UserSettings
from context_memory.domain.walks import WalkKind, WalkStatus
from tests.support.archive import Archive, merging
from tests.support.house import LENA, House
from tests.support.kept_facts import stands
from tests.support.scripted_answers import broken

if TYPE_CHECKING:
    from collections.abc import Iterator


PRAGUE, VIENNA, BONN = "Visited Prague on 3 May 2024", "Visited Vienna on 9 June 2024", "Visited Bonn on 2 July 2024"
BOTH = "Visited Prague on 3 May 2024, Vienna on 9 June 2024"


@pytest.fixture
def archive() -> Iterator[Archive]:
    with House() as house:
        yield Archive(house)


def test_old_facts_become_one_and_the_report_says_how_many(archive: Archive) -> None:
    archive.old(PRAGUE, VIENNA)
    archive.old("Visited Rome", days=3)
    archive.answers(merging(([1, 2], BOTH)))
    walk, lines = archive.walk()
    assert (walk.status, walk.counts) == (WalkStatus.DONE, {"compacted": 1})
    assert lines[0].details == {"groups": 1, "facts": 2, "into": 1}
    assert set(stands(archive.house)) == {BOTH, "Visited Rome"}
    assert archive.world.facts.head(LENA, UserScope(LENA)).count == 2
    (asked,) = archive.asked
    assert "Rome" not in asked
    assert archive.world.budgets.used("acme", archive.world.clock.now().date()) > 0


def test_a_merge_that_invents_is_refused_and_the_facts_stay(archive: Archive) -> None:
    facts = archive.old(PRAGUE, VIENNA)
    archive.answers(merging(([1, 2], f"{BOTH}, in spring")))
    walk, _ = archive.walk()
    assert walk.counts == {"unchanged": 1}
    assert sorted(stands(archive.house).values(), key=lambda fact: fact.id) == sorted(facts, key=lambda fact: fact.id)


@pytest.mark.parametrize("said", ["I cannot help with that.", merging()])
def test_an_answer_without_a_merge_leaves_the_facts(archive: Archive, said: str) -> None:
    archive.old(PRAGUE, VIENNA)
    archive.answers(said)
    assert archive.walk()[0].counts == {"unchanged": 1}
    assert set(stands(archive.house)) == {PRAGUE, VIENNA}


def test_a_dry_run_asks_no_model(archive: Archive) -> None:
    archive.old(PRAGUE, VIENNA)
    walk, lines = archive.walk(dry_run=True)
    assert (walk.counts, lines[0].details) == ({"would_ask": 1}, {"groups": 1})
    assert not archive.asked


def test_a_space_may_keep_its_facts_as_they_are(archive: Archive) -> None:
    settings = SpaceSettings(recall=RecallSettings(compaction=False))
    archive.world.switches.spaces["acme", "s1"] = settings
    archive.old(PRAGUE, VIENNA, source=Source("t1", "c1", space_id="s1"))
    assert archive.walk()[0].counts == {"nothing": 1}
    assert not archive.asked


def test_a_fact_that_is_stated_again_while_the_model_thinks_stays_out_of_it(archive: Archive) -> None:
    archive.old(PRAGUE, VIENNA)

    def stated(_asked: object) -> str:
        archive.old(PRAGUE, days=0)
        return merging(([1, 2], BOTH))

    archive.house.model.script("compact", stated)
    archive.walk()
    assert set(stands(archive.house)) == {PRAGUE, VIENNA}


def test_a_group_that_was_asked_about_is_left_alone_until_another_fact_grows_old(archive: Archive) -> None:
    archive.old(PRAGUE, VIENNA, days=105)
    weekly = json.dumps({GROWN_OLD_WITHIN: 14})
    assert archive.walk(parameters=weekly)[0].counts == {"nothing": 1}
    archive.old(BONN, days=91)
    archive.answers(merging())
    assert archive.walk(parameters=weekly)[0].counts == {"unchanged": 1}


def test_a_user_costs_no_more_than_a_few_calls_and_the_next_walk_begins_with_another_group(archive: Archive) -> None:
    topics = ["Plays chess", "Drives trucks", "Bakes bread", "Paints houses", "Keeps bees"]
    archive.old(*(f"{topic}, {how} {number}" for number, topic in enumerate(topics, 10) for how in ("since", "as of")))
    archive.house.model.script("compact", lambda _: merging())
    archive.walk()
    first = archive.asked
    assert len(first) == CALLS
    archive.world.clock.advance(timedelta(days=1).total_seconds())
    archive.walk()
    assert archive.asked[CALLS].split("\n", 1)[1][:12] != first[0].split("\n", 1)[1][:12]


def test_what_a_fault_of_the_model_leaves_is_done_when_the_user_is_met_again(archive: Archive) -> None:
    archive.old(PRAGUE, VIENNA)
    archive.house.model.script("compact", lambda _: broken())
    job_id = archive.asking.ask("acme", WalkKind.COMPACT, asked_by="x").walk.job_id
    walk, lines = archive.work(job_id)
    assert (walk.status, lines[0].result) == (WalkStatus.FAILED, "failed")
    assert set(stands(archive.house)) == {PRAGUE, VIENNA}
    archive.house.model.script("compact", lambda _: merging(([1, 2], BOTH)))
    assert archive.walk()[0].counts == {"compacted": 1}


def test_a_company_whose_budget_is_used_up_waits_for_another_walk(archive: Archive) -> None:
    archive.old(PRAGUE, VIENNA)
    archive.world.budgets.spend("acme", archive.house.budget.daily_tokens + 1, archive.world.clock.now().date())
    assert archive.walk()[0].counts == {"paused": 1}
    assert not archive.asked


def test_the_memory_of_a_company_or_of_a_user_that_is_off_is_left_alone(archive: Archive) -> None:
    archive.old(PRAGUE, VIENNA)
    archive.world.switches.companies["acme"] = CompanyFlags(context_memory=False)
    assert archive.walk()[0].counts == {"off": 1}
    del archive.world.switches.companies["acme"]
    archive.world.table.write_settings(LENA, UserSettings(context_memory=False))
    assert archive.walk()[0].counts == {"off": 1}
    assert not archive.asked


def test_originals_go_for_good_after_thirty_days(archive: Archive) -> None:
    archive.old(PRAGUE, VIENNA)
    archive.answers(merging(([1, 2], BOTH)))
    archive.walk()
    merged = stands(archive.house)[BOTH]
    assert merged.compaction is not None
    assert {one.text for one in merged.compaction.originals} == {PRAGUE, VIENNA}
    archive.world.clock.advance(timedelta(days=30).total_seconds())
    assert archive.walk()[0].counts == {"nothing": 1}
    left = stands(archive.house)[BOTH].compaction
    assert left is not None
    assert (left.originals, len(left.origins)) == ((), 2)


def test_no_line_and_no_metric_holds_what_a_fact_says(archive: Archive) -> None:
    archive.old(PRAGUE, VIENNA)
    archive.answers(merging(([1, 2], BOTH)))
    walk, lines = archive.walk()
    told = repr((archive.world.telemetry.lines, walk, lines))
    assert "Prague" not in told


def test_every_company_that_is_on_is_walked_through_once_a_week(archive: Archive) -> None:
    world = archive.world
    world.flags.companies |= {"acme": OperatorFlags(context_memory=True), "umbrella": OperatorFlags()}
    start = StartCompactions(asking=archive.asking, flags=world.flags, clock=world.clock, telemetry=world.telemetry)
    day = world.clock.now().date().isoformat()
    assert start() == start() == 1
    walk = world.walks.walk("acme", f"COMPACT-{day}")
    assert walk is not None
    assert (walk.kind, json.loads(walk.parameters)) == (WalkKind.COMPACT, {GROWN_OLD_WITHIN: 14})
