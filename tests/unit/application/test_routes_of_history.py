"""The routes of a user's history in words of HTTP, and `docs/api.md` against what they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.api_page import fields_of, fields_shown
from tests.support.asked_by_users import ask
from tests.support.house import LENA, body
from tests.support.past import BASEL, SAILS, identity, write

if TYPE_CHECKING:
    from tests.support.asked_by_users import Told
    from tests.support.house import House

LIST, ONE = "GET /v1/me/memory/revisions", "GET /v1/me/memory/revisions/{n}"
RESTORE, UNLEARN = "POST /v1/me/memory/revisions/{n}/restore", "POST /v1/me/unlearn"
ORIGINS = "GET /v1/me/memory/origins"


def problem(told: Told) -> tuple[int, str]:
    return told.status, told.body["type"].rpartition(":")[2]


@pytest.fixture
def learned(house: House) -> House:
    """Lena lives in Basel, and said in a chat that she sails."""
    write(house, BASEL)
    house.learns(body(identity=[BASEL, SAILS]))
    house.post("t1", "I sail a lot: sails, sailing.", chat_id="c1")
    house.work()
    return house


def test_the_page_shows_every_field_that_is_answered(learned: House) -> None:
    assert fields_of(ask(learned, LIST).body) == fields_shown(LIST)
    assert fields_of(ask(learned, ORIGINS).body) == fields_shown(ORIGINS)
    preview = ask(learned, UNLEARN, {"chat_ids": ["c1"]}, query={"preview": "true"}).body
    assert fields_of(preview) == fields_shown(UNLEARN)


def test_revisions_are_listed_a_page_at_a_time(learned: House) -> None:
    first = ask(learned, LIST, query={"limit": "1"})
    assert ([one["n"] for one in first.body["revisions"]], first.body["next"]) == ([2], 2)
    assert first.headers["cache-control"] == "private, no-store"
    second = ask(learned, LIST, query={"limit": "1", "before": "2"})
    assert ([one["n"] for one in second.body["revisions"]], second.body["next"]) == ([1], None)


@pytest.mark.parametrize("query", [{"limit": "0"}, {"limit": "101"}, {"before": "x"}, {"before": "-1"}])
def test_what_is_no_page_is_refused(house: House, query: dict[str, str]) -> None:
    assert problem(ask(house, LIST, query=query)) == (422, "invalid_input")


def test_one_revision_is_shown_with_its_content(learned: House) -> None:
    told = ask(learned, ONE, path={"n": "1"})
    assert (told.status, told.body["memory"], told.body["writer"]) == (200, body(identity=[BASEL]), "user")


@pytest.mark.parametrize("route", [ONE, RESTORE])
@pytest.mark.parametrize("number", ["0", "-1", "1.0", "x", "٣", "1" * 12, "01"])
def test_what_is_no_number_of_a_revision_is_refused(house: House, route: str, number: str) -> None:
    assert problem(ask(house, route, path={"n": number})) == (422, "invalid_input")


@pytest.mark.parametrize("route", [ONE, RESTORE])
def test_an_unknown_revision_is_not_found(learned: House, route: str) -> None:
    assert problem(ask(learned, route, path={"n": "9"})) == (404, "unknown_revision")


def test_a_restore_answers_with_the_memory_as_it_stands(learned: House) -> None:
    told = ask(learned, RESTORE, path={"n": "1"}, if_match='"0-2"')
    assert (told.status, told.body["memory"]) == (200, body(identity=[BASEL]))
    assert [one["before"] for one in told.body["changes"]["operations"]] == [SAILS]
    assert ask(learned, LIST).body["revisions"][0]["restored"] == 1


def test_a_restore_that_was_overtaken_is_told_what_stands(learned: House) -> None:
    told = ask(learned, RESTORE, path={"n": "1"}, if_match='"0-1"')
    assert problem(told) == (412, "version_conflict")
    assert told.headers["etag"] == '"0-2"'


def test_a_revision_whose_content_is_gone_is_not_restored(learned: House) -> None:
    revision = learned.world.table.revision(LENA, 0, 1)
    assert revision is not None
    learned.world.profiles.delete_version(LENA, revision.version_id)
    assert problem(ask(learned, RESTORE, path={"n": "1"})) == (410, "revision_gone")


def test_what_was_learned_from_a_chat_is_unlearned_once_it_was_seen(learned: House) -> None:
    assert problem(ask(learned, UNLEARN, {"chat_ids": ["c1"]})) == (428, "precondition_required")
    preview = ask(learned, UNLEARN, {"chat_ids": ["c1"]}, query={"preview": "true"})
    assert identity(learned) == (BASEL, SAILS)
    told = ask(learned, UNLEARN, {"chat_ids": ["c1"]}, if_match=preview.body["etag"])
    assert (told.status, identity(learned)) == (200, (BASEL,))
    again = ask(learned, UNLEARN, {"chat_ids": ["c1"]}, if_match=told.headers["etag"])
    assert again.body["changes"]["operations"] == []


def test_an_unlearning_whose_answer_was_lost_may_be_sent_again(learned: House) -> None:
    for _ in range(2):
        told = ask(learned, UNLEARN, {"chat_ids": ["c1"]}, if_match='"0-2"')
        assert (told.status, identity(learned)) == (200, (BASEL,))


@pytest.mark.parametrize("if_match", ['"0-1"', '"0-9"', '"1-2"', "nonsense"])
def test_an_unlearning_or_a_restore_without_effect_must_name_the_version_that_stands(
    learned: House, if_match: str
) -> None:
    for told in (
        ask(learned, UNLEARN, {"chat_ids": ["c9"]}, if_match=if_match),
        ask(learned, RESTORE, path={"n": "2"}, if_match=if_match),
    ):
        assert problem(told) == (412, "version_conflict")
        assert told.headers["etag"] == '"0-2"'


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({}, "body"),
        ({"chat_ids": []}, "chat_ids"),
        ({"chat_ids": [""]}, "chat_ids.0"),
        ({"chat_ids": ["c"] * 101}, "chat_ids"),
        ({"from": "2026-06-01T00:00:00"}, "from"),
        ({"from": "2026-06-02T00:00:00Z", "to": "2026-06-01T00:00:00Z"}, "body"),
        ({"since": "2026-06-02T00:00:00Z"}, "since"),
        ({"turn_ids": "t1"}, "turn_ids"),
    ],
)
def test_what_names_no_source_is_refused_by_its_field(house: House, document: object, field: str) -> None:
    told = ask(house, UNLEARN, document, query={"preview": "true"})
    assert (problem(told), told.body["field"]) == ((422, "invalid_input"), field)
