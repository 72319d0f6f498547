"""The routes under `/v1/me`: what is asked for in words of HTTP, and what is answered."""

from __future__ import annotations

from typing import Any

import pytest

from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.editing.submitted import MOST_BULLETS
from context_memory.domain.errors import FlagsUnavailable
from context_memory.domain.profile import Section, pin_of
from context_memory.domain.state import UserSettings
from tests.support.asked_by_users import ask
from tests.support.house import LENA, House, body

EDIT, IMPORT, PINS, DENY = "PUT /v1/me/memory", "POST /v1/me/import", "PUT /v1/me/pins", "PUT /v1/me/deny-rules"
BASEL = {"memory": "## Identity\n- Lives in Basel.\n"}


@pytest.fixture
def known(house: House) -> House:
    """Lena has written herself where she lives."""
    assert ask(house, EDIT, BASEL, if_match='"0-0"').status == 200
    return house


def bullets(shown: Any, heading: str) -> list[str]:  # noqa: ANN401 - JSON
    (section,) = (one for one in shown["sections"] if one["heading"] == heading)
    return [bullet["text"] for bullet in section["bullets"]]


def test_an_edit_is_answered_with_the_memory_as_it_now_stands_and_what_has_changed(known: House) -> None:
    sections = [
        {"heading": "Identity", "bullets": ["Lives in Bern."]},
        {"heading": "Skills and Expertise", "bullets": []},
    ]
    told = ask(known, EDIT, {"sections": sections}, if_match='"0-1-00000000"')
    assert (told.status, bullets(told.body, "Identity")) == (200, ["Lives in Bern."])
    assert told.body["memory"] == body(identity=["Lives in Bern."])
    assert [one["kind"] for one in told.body["changes"]["operations"]] == ["changed"]
    assert told.headers["etag"].startswith('"0-2-')
    assert told.headers["cache-control"] == "private, no-store"


def test_nothing_new_is_no_new_version(known: House) -> None:
    told = ask(known, EDIT, BASEL, if_match='"0-1"')
    assert (told.status, told.body["version"]["turn_count"]) == (200, 1)
    assert told.body["changes"] == {"operations": [], "dropped": [], "cut": []}


@pytest.mark.parametrize("route", [EDIT, IMPORT])
def test_a_change_must_say_what_it_was_made_of(known: House, route: str) -> None:
    told = ask(known, route, BASEL)
    assert (told.status, told.body["type"].rpartition(":")[2]) == (428, "precondition_required")


@pytest.mark.parametrize("route", [EDIT, IMPORT])
@pytest.mark.parametrize("if_match", ['"0-0"', '"1-1"', "*", 'W/"0-1"', "nonsense", ""])
def test_what_does_not_name_the_version_that_stands_is_told_it(known: House, route: str, if_match: str) -> None:
    told = ask(known, route, {"memory": "## Identity\n- Lives in Bern.\n"}, if_match=if_match)
    assert (told.status, told.headers["etag"]) == (412, '"0-1"')
    assert known.memory() == body(identity=["Lives in Basel."])


@pytest.mark.parametrize(
    ("route", "if_match"),
    [
        (EDIT, '"0-1"'),  # whose next change is a turn's
        (IMPORT, '"0-2"'),  # whose next change is an edit
        *((route, other) for route in (EDIT, IMPORT) for other in ('"0-999"', '"1-2"', "nonsense")),
    ],
)
def test_also_a_change_without_effect_must_name_the_version_that_stands(
    known: House, route: str, if_match: str
) -> None:
    known.learns(body(identity=["Lives in Basel."], skills=["Sails."]))
    known.post("t1", "I sail a lot: sails, sailing.")
    known.work()
    assert ask(known, EDIT, BASEL, if_match='"0-2"').status == 200
    told = ask(known, route, BASEL, if_match=if_match)
    assert (told.status, told.headers["etag"]) == (412, '"0-3"')
    assert ask(known, EDIT, BASEL, if_match='"0-2"').status == 200  # its answer might have been lost


def test_what_is_too_long_is_told_its_tokens_and_the_cap(known: House) -> None:
    known.world.companies.replace("acme", CompanySettings(max_tokens=500), version=None)
    long = "\n".join(f"- Fact number {number} that takes some room in the profile." for number in range(60))
    told = ask(known, EDIT, {"memory": f"## Identity\n{long}\n"}, if_match='"0-1"')
    assert (told.status, told.body["cap"]) == (422, 500)
    assert told.body["tokens"] > 500
    assert known.memory() == body(identity=["Lives in Basel."])


def test_an_unknown_heading_is_named(known: House) -> None:
    told = ask(known, EDIT, {"memory": "## Hobbies\n- Chess.\n"}, if_match='"0-1"')
    assert (told.status, told.body["field"], told.body["heading"]) == (422, "memory", "Hobbies")


def test_a_heading_stands_in_no_line_that_is_logged(known: House) -> None:
    ask(known, EDIT, {"memory": "## Hobbies\n- Chess.\n"}, if_match='"0-1"')
    assert "Hobbies" not in repr(known.world.telemetry.lines)


def test_a_preview_changes_nothing_and_its_validator_lets_the_import_through(known: House) -> None:
    file = {"memory": "# Hobbies\n- Chess\n## Identity\n- Lives in Basel.\n- Pays from CH93 0076 2011 6238 5295 7.\n"}
    preview = ask(known, IMPORT, file, query={"preview": "true"})
    assert (preview.status, preview.body["removed"]) == (200, [{"kind": "iban", "count": 1}])
    assert [one["after"] for one in preview.body["operations"]] == ["Hobbies: Chess"]
    assert preview.headers["etag"] == preview.body["etag"] == '"0-1"'
    assert known.memory() == body(identity=["Lives in Basel."])
    told = ask(known, IMPORT, file, if_match=preview.body["etag"])
    assert (told.status, told.body["changes"]["operations"]) == (200, preview.body["operations"])
    assert known.memory() == body(identity=["Lives in Basel."], work=["Hobbies: Chess"])
    again = ask(known, IMPORT, {"memory": "- Something else."}, if_match=preview.body["etag"])
    assert again.status == 412


def test_an_import_may_replace_what_is_there(known: House) -> None:
    told = ask(
        known, IMPORT, {"memory": "## Skills & Expertise\n- Rust.\n"}, if_match='"0-1"', query={"mode": "replace"}
    )
    assert (told.status, known.memory()) == (200, body(skills=["Rust."]))


@pytest.mark.parametrize(
    ("query", "document", "field"),
    [
        ({"mode": "both"}, BASEL, "mode"),
        ({"preview": "yes"}, BASEL, "preview"),
        ({}, {"memory": "a\n" * 10_001}, "memory"),
        ({}, {"memory": "".join(f"- {number}\n" for number in range(MOST_BULLETS + 1))}, "memory"),
        ({}, {"memory": "a", "user_id": "max"}, "user_id"),
        ({}, {"memory": "---\nuser_id: max\n---\n- a\n"}, "memory"),
    ],
)
def test_a_file_that_cannot_be_taken_in_changes_nothing(
    known: House, query: dict[str, str], document: object, field: str
) -> None:
    told = ask(known, IMPORT, document, if_match='"0-1"', query=query)
    assert (told.status, told.body["field"]) == (422, field)
    assert known.memory() == body(identity=["Lives in Basel."])


@pytest.mark.parametrize("route", [EDIT, IMPORT])
def test_two_megabytes_are_too_many(known: House, route: str) -> None:
    assert ask(known, route, {"memory": "a" * 2_000_000}, if_match='"0-1"').status == 413


def test_bytes_that_are_no_text_are_refused(known: House) -> None:
    told = ask(known, IMPORT, raw='{"memory": "\ud800"}', if_match='"0-1"')
    assert (told.status, told.body["field"]) == (422, "body")


def test_pins_are_set_and_shown(known: House) -> None:
    pin = pin_of(Section.IDENTITY, "Lives in Basel.")
    told = ask(known, PINS, {"pins": [pin]})
    assert (told.status, told.body) == (200, {"pins": [pin]})
    assert ask(known, "GET /v1/me/settings").body["pins"] == [pin]
    assert ask(known, PINS, {"pins": ["0" * 32]}).body["field"] == "pins.0"


def test_rules_are_set_shown_and_say_what_they_took_out(known: House) -> None:
    told = ask(known, DENY, {"phrases": ["Basel"], "kinds": ["health"]})
    assert (told.status, told.body) == (200, {"phrases": ["Basel"], "kinds": ["health"], "removed": 1})
    assert ask(known, "GET /v1/me/deny-rules").body == {"phrases": ["Basel"], "kinds": ["health"]}
    assert known.memory() == body()


def test_turns_are_told_as_many_as_are_asked_for(known: House) -> None:
    for number in range(3):
        known.world.clock.advance(1)
        known.post(f"t{number}", "I write Rust.")
    assert [one["turn_id"] for one in ask(known, "GET /v1/me/turns", query={"limit": "2"}).body["turns"]] == [
        "t2",
        "t1",
    ]
    for limit in ("0", "101", "-1", "x", "2.0"):
        assert ask(known, "GET /v1/me/turns", query={"limit": limit}).body["field"] == "limit"


def test_an_export_is_a_file_that_can_be_imported_again(known: House) -> None:
    told = ask(known, "GET /v1/me/export")
    assert (told.status, told.headers["content-disposition"].partition(";")[0]) == (200, "attachment")
    preview = ask(known, IMPORT, told.body, query={"preview": "true"})
    assert (preview.status, preview.body["operations"]) == (200, [])


OFF, ERASING = UserSettings(context_memory=False), UserSettings(epoch=1, erase_running=True)


@pytest.mark.parametrize(("settings", "told"), [(OFF, (409, "memory_off")), (ERASING, (503, "erase_running"))])
@pytest.mark.parametrize(
    ("route", "document"), [(EDIT, BASEL), (IMPORT, BASEL), (PINS, {"pins": []}), (DENY, {"phrases": ["x"]})]
)
def test_where_there_is_no_memory_nothing_can_be_changed(
    house: House, settings: UserSettings, told: tuple[int, str], route: str, document: object
) -> None:
    house.world.table.write_settings(LENA, settings)
    answer = ask(house, route, document, if_match='"0-0"')
    assert (answer.status, answer.body["type"].rpartition(":")[2]) == told


@pytest.mark.parametrize("route", ["GET /v1/me/settings", "GET /v1/me/export"])
def test_what_nobody_knows_is_told_as_the_description_has_it(known: House, route: str) -> None:
    def out_of_reach(step: str) -> None:
        if step == "before:switches.flags":
            raise FlagsUnavailable("The flags are out of reach.")

    known.world.whenever(out_of_reach)
    told = ask(known, route)
    settings = told.body.get("settings", told.body)
    assert (told.status, settings["enabled"], settings["reason"]) == (200, None, "flags_unavailable")


def test_a_user_is_told_in_which_time_zone_they_are_believed_to_be(known: House) -> None:
    assert ask(known, "GET /v1/me/export").body["time_zone"] is None
    known.learns(body(identity=["Lives in Basel."], skills=["Writes Rust."]))
    known.post("t1", "I write Rust.", time_zone="Europe/Zurich")
    known.work()
    assert ask(known, "GET /v1/me/export").body["time_zone"] == "Europe/Zurich"
