"""Old topics of a profile become fewer, in the walk that merges old facts, with a model that answers over HTTP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from context_memory.application.changing.wanted import Wanted
from context_memory.application.walks.compacting import GROWN_OLD_WITHIN
from context_memory.domain.profile import Section, pin_of
from context_memory.domain.state import UserSettings
from context_memory.domain.writers import Writer
from tests.support.archive import Archive, merging
from tests.support.house import LENA, House
from tests.support.scripted_answers import broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.application.changing.wanted import Standing

SQL = "2025-01-10 09:30 UTC: Works through the SQL tutorial, joins."
WINDOWS = "2025-02-03 18:00 UTC: Works through the SQL tutorial, window functions."
BOAT = "2025-02-05 18:00 UTC: Plans to varnish a boat."
NEW = "2026-01-04 08:00 UTC: Works through the SQL tutorial, indexes."
BOTH = "Works through the SQL tutorial, joins, window functions."
MERGED = "2025-02-03 18:00 UTC: Works through the SQL tutorial, joins, window functions (2025-01-10)."


def noted(archive: Archive, *lines: str) -> None:
    """Let the profile's Recent Topics hold exactly these."""

    def make(standing: Standing) -> Wanted:
        return Wanted(bullets=standing.bullets.with_section(Section.TOPICS, lines))

    assert archive.house.change(LENA, Writer.USER, make).stored
    archive.world.roster.enter(LENA)


def topics(archive: Archive) -> list[str]:
    _, _, rest = archive.house.memory().partition("## Recent Topics\n")
    return [line.removeprefix("- ") for line in rest.splitlines() if line.startswith("- ")]


@pytest.fixture
def archive() -> Iterator[Archive]:
    with House() as house:
        yield Archive(house)


def test_old_topics_of_one_thing_become_a_line_with_all_of_their_days(archive: Archive) -> None:
    noted(archive, SQL, WINDOWS, BOAT, NEW)
    archive.answers(merging(([1, 2], BOTH)))
    walk, lines = archive.walk()
    assert (walk.counts, lines[0].details) == (
        {"compacted": 1},
        {"groups": 0, "facts": 0, "into": 0, "topics": 1},
    )
    assert topics(archive) == [MERGED, BOAT, NEW]
    (asked,) = archive.asked
    assert "indexes" not in asked  # it is not old
    revision = archive.world.table.revision(LENA, 0, 2)
    assert revision is not None
    assert (revision.writer, revision.reason, revision.model) == (Writer.CONDENSATION, "old_topics", "large")
    assert [usage.purpose for usage in revision.usage] == ["compact"]


def test_the_merge_is_undone_by_restoring_what_stood_before(archive: Archive) -> None:
    noted(archive, SQL, WINDOWS)
    archive.answers(merging(([1, 2], BOTH)))
    archive.walk()
    archive.house.restore(LENA, 1, expected=None)
    assert topics(archive) == [SQL, WINDOWS]


@pytest.mark.parametrize(
    "said",
    [
        merging(([1, 2], f"{BOTH[:-1]}, with Benjamin.")),  # invented
        merging(([1, 2], "Works through the SQL tutorial.")),  # a part of each is lost, but not half: see below
        merging(([1, 9], BOTH)),
        merging(([1], BOTH)),
        merging(([1, 2], "No longer works through the SQL tutorial, joins, window functions.")),
        merging(),
        "I cannot help with that.",
    ],
)
def test_whatever_the_model_says_no_topic_gets_lost(archive: Archive, said: str) -> None:
    noted(archive, SQL, WINDOWS, BOAT)
    archive.answers(said)
    archive.walk()
    left = topics(archive)
    assert BOAT in left
    for day in ("2025-01-10", "2025-02-03"):
        assert any(day in line for line in left)
    if "tutorial." not in said:
        assert left == [SQL, WINDOWS, BOAT]


def test_a_pinned_topic_stays_as_it_is(archive: Archive) -> None:
    noted(archive, SQL, WINDOWS)
    archive.world.table.write_settings(LENA, UserSettings(pins=frozenset({pin_of(Section.TOPICS, SQL)})))
    assert archive.walk()[0].counts == {"nothing": 1}
    assert not archive.asked


def test_topics_that_have_nothing_in_common_are_shown_to_nobody(archive: Archive) -> None:
    noted(archive, SQL, BOAT)
    assert archive.walk()[0].counts == {"nothing": 1}
    assert not archive.asked


def test_a_dry_run_says_about_how_many_lines_a_model_would_be_asked(archive: Archive) -> None:
    noted(archive, SQL, WINDOWS)
    walk, lines = archive.walk(dry_run=True)
    assert (walk.counts, lines[0].details) == ({"would_ask": 1}, {"groups": 0, "topics": 2})
    assert not archive.asked


def test_topics_that_were_asked_about_are_left_alone_until_another_grows_old(archive: Archive) -> None:
    noted(archive, SQL, WINDOWS)
    weekly = json.dumps({GROWN_OLD_WITHIN: 14})
    assert archive.walk(parameters=weekly)[0].counts == {"nothing": 1}
    noted(archive, SQL, WINDOWS, "2025-10-01 10:00 UTC: Works through the SQL tutorial, views.")
    archive.answers(merging())
    assert archive.walk(parameters=weekly)[0].counts == {"unchanged": 1}


def test_a_line_that_may_not_stand_takes_no_other_along(archive: Archive) -> None:
    noted(archive, SQL, WINDOWS)

    def denied_meanwhile(_asked: object) -> str:
        archive.world.table.write_settings(LENA, UserSettings(deny_phrases=("joins, window",)))
        return merging(([1, 2], BOTH))

    archive.house.model.script("compact", denied_meanwhile)
    archive.walk()
    assert topics(archive) == [SQL, WINDOWS]


def test_an_edit_while_the_model_thinks_is_not_written_over(archive: Archive) -> None:
    noted(archive, SQL, WINDOWS)

    def edited(_asked: object) -> str:
        noted(archive, SQL)
        return merging(([1, 2], BOTH))

    archive.house.model.script("compact", edited)
    assert archive.walk()[0].counts == {"unchanged": 1}
    assert topics(archive) == [SQL]


def test_what_a_fault_of_the_model_leaves_is_done_when_the_user_is_met_again(archive: Archive) -> None:
    noted(archive, SQL, WINDOWS)
    archive.house.model.script("compact", lambda _: broken())
    assert archive.walk()[0].counts == {"failed": 1}
    assert topics(archive) == [SQL, WINDOWS]
    archive.house.model.script("compact", lambda _: merging(([1, 2], BOTH)))
    assert archive.walk()[0].counts == {"compacted": 1}
    assert topics(archive) == [MERGED]
