"""One document with all that is held about a user, and with nothing of anybody else's."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.application.account.answers import recent_turns_body, settings_body
from context_memory.application.account.settings import OwnSettings
from context_memory.contracts.memory import ImportBody
from context_memory.domain.editing.importing import Mode
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import FlagsUnavailable, StoreUnavailable
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.profile import Bullets
from context_memory.domain.state import UserSettings
from context_memory.ports.facts import FactsHead
from tests.support.facts import COMPANY, a_fact
from tests.support.house import LENA, House, body
from tests.support.records import LOOK_ALIKES
from tests.support.stored_facts import end, full_fact, store, waiting
from tests.support.stores import at

if TYPE_CHECKING:
    from context_memory.adapters.in_memory.world import InMemoryWorld
    from context_memory.domain.facts.fact import Fact

NEW = frozenset({(0, 0)})


@pytest.fixture
def known(house: House) -> House:
    """Lena's memory was learned, edited and partly forgotten; one turn waits; others look like her."""
    house.learns(body(identity=["Lives in Basel.", "Has a dog named Fido."]))
    house.post("t1", "I live in Basel and have a dog named Fido.", chat_id="chat-1")
    house.work()
    house.world.clock.advance(60)
    house.learns(body(identity=["Lives in Basel."]), gate="FORGET")
    house.post("t2", "Please forget my dog Fido.")
    house.work()
    house.edit(LENA, Bullets(identity=("Lives in Basel since 2019.",)), expected=frozenset({(0, 2)}))
    house.deny(LENA, ("salary",), frozenset({"health"}))
    for number, other in enumerate(LOOK_ALIKES):
        house.edit(other, Bullets(identity=(f"Secret of another {number}.",)), expected=NEW)
        house.post("theirs", f"Said by another {number}.", other)
        store(house.world, a_fact(f"Secret of another {number}.", UserScope(other)), user=other)
    write_shared(house.world, a_fact("Secret of the company.", COMPANY))
    store(house.world, a_fact("Writes Rust", last_confirmed_at=at(8)), full_fact(), rules=1)
    house.world.clock.advance(60)
    house.post("t3", "I write Rust.")
    return house


def write_shared(world: InMemoryWorld, fact: Fact) -> None:
    world.shared_facts.change(COMPANY, FactsHead(), [fact], [], count=1)


def test_everything_that_is_held_about_the_user_is_in_it(known: House) -> None:
    export = known.export(LENA)
    assert (export["format"], export["version"], export["user_id"]) == ("context-memory/export", 1, "lena")
    assert export["memory"] == body(identity=["Lives in Basel since 2019."])
    assert [(one["n"], one["writer"], len(one["operations"])) for one in export["revisions"]] == [
        (3, "user", 1),
        (2, "turn", 1),
        (1, "turn", 2),
    ]
    assert export["revisions"][2]["turns"][0]["chat_id"] == "chat-1"
    assert [(one["turn_id"], one["outcome"]) for one in export["turns"]] == [
        ("t3", None),
        ("t2", "forgotten"),
        ("t1", "updated"),
    ]
    assert [one["messages"][0]["content"] for one in export["waiting"]] == ["I write Rust."]
    assert len(export["forgotten"]) == 1
    assert export["settings"]["deny_rules"] == {"phrases": ["salary"], "kinds": ["health"]}
    assert [one["text"] for one in export["facts"]] == ["Leads the Zürich office", "Writes Rust"]
    assert export["left_out"] == {"facts": 0, "revisions": 0, "turns": 0, "waiting": 0, "kept_turns": 0}


def test_a_fact_is_told_with_all_that_belongs_to_it_but_its_vector(known: House) -> None:
    assert known.export(LENA)["facts"][0] == {
        "id": full_fact().id,
        "tier": "core",
        "text": "Leads the Zürich office",
        "keywords": ["lead", "チューリッヒ"],
        "created_at": "2026-06-17T12:00:00+00:00",
        "last_confirmed_at": "2026-03-02T09:09:00+00:00",
        "source": {"turn_id": "turn-1", "chat_id": "chat-1", "provider": None, "space_id": None},
        "uses": 7,
        "supersedes": [
            {"text": "Leads the Basel office", "replaced_at": "2026-03-02T09:09:00+00:00"},
            {"text": "Works in Basel", "replaced_at": "2026-03-02T09:03:00+00:00"},
        ],
        "merged": {
            "at": "2026-03-02T09:09:00+00:00",
            "until": "2026-04-01T09:09:00+00:00",
            "texts": ["Leads an office", "Office in Zürich"],
        },
    }


def test_what_was_said_is_told_until_facts_have_been_learned_from_it(house: House) -> None:
    pending = waiting(house.world, "t1")
    house.world.payloads.put(LENA, "t1", pending.payload_sha256, b'{"messages": []}')
    assert house.export(LENA)["waiting"] == [{"messages": []}]
    store(house.world, ends=(end(pending),))
    assert house.export(LENA)["waiting"] == []


def test_facts_that_were_stated_long_ago_are_left_out_first_and_counted(known: House) -> None:
    newest, oldest = (len(json.dumps(one, ensure_ascii=False).encode()) for one in known.export(LENA)["facts"])
    small = replace(known.export, most_bytes=newest + oldest - 1)(LENA)
    assert [one["text"] for one in small["facts"]] == ["Leads the Zürich office"]
    assert small["left_out"]["facts"] == 1


def test_it_is_json_and_holds_nothing_of_those_who_look_alike(known: House) -> None:
    written = json.dumps(known.export(LENA))
    assert "another" not in written
    assert "theirs" not in written


def test_its_memory_can_be_imported_again_by_its_owner(known: House) -> None:
    read = ImportBody.parse(json.dumps(known.export(LENA)).encode())
    known.edit(LENA, Bullets(), expected=frozenset({(0, 3)}))
    known.bring(LENA, read.bullets(LENA), Mode.MERGE, expected=frozenset({(0, 4)}))
    assert known.memory() == body(identity=["Lives in Basel since 2019."])


def test_a_file_of_an_earlier_system_is_in_it_even_where_it_is_not_used(house: House) -> None:
    house.world.profiles.legacy_files[LENA] = b"# User Memory\n## Identity\n- Lives in Graz.\n"
    export = house.export(LENA)
    assert export["memory"] == ""
    assert "Graz" in export["legacy_file"]


def test_a_stranger_gets_a_document_with_nothing_in_it(house: House) -> None:
    export = house.export(LENA)
    assert (export["memory"], export["revisions"], export["turns"], export["waiting"]) == ("", [], [], [])
    assert export["settings"] == settings_body(OwnSettings(UserSettings(), None, 0))


def test_what_is_too_much_for_one_answer_is_left_out_from_the_oldest_on_and_counted(known: House) -> None:
    sizes = [len(json.dumps(one).encode()) for one in known.export(LENA)["revisions"]]
    facts = sum(len(json.dumps(one, ensure_ascii=False).encode()) for one in known.export(LENA)["facts"])
    small = replace(known.export, most_bytes=facts + sizes[0] + sizes[1] + 10)(LENA)
    assert [one["n"] for one in small["revisions"]] == [3, 2]
    assert small["left_out"] == {"facts": 0, "revisions": 1, "turns": 3, "waiting": 1, "kept_turns": 0}


def test_half_an_export_is_none(known: House) -> None:
    def down(step: str) -> None:
        if step == "before:payloads.get":
            raise StoreUnavailable("down")

    known.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        known.export(LENA)


def test_turns_are_told_newest_first_with_their_outcome_and_without_a_word_of_them(known: House) -> None:
    turns: Any = recent_turns_body(known.recent_turns(LENA, 2))["turns"]
    assert [(one["turn_id"], one["status"], one["outcome"]) for one in turns] == [
        ("t3", "queued", None),
        ("t2", "done", "forgotten"),
    ]
    assert [one["step"]["status"] for one in turns] == ["running", "completed"]
    assert turns[1]["step"]["entry"] == {"type": "UserMemory", "text": "Review your context memory"}
    assert "Fido" not in json.dumps(turns)
    assert "Rust" not in json.dumps(turns)


def test_turns_from_before_an_erase_are_not_told(known: House) -> None:
    known.world.table.write_settings(LENA, UserSettings(epoch=1))
    assert known.recent_turns(LENA, 20) == []
    assert known.export(LENA)["turns"] == []


def test_settings_tell_what_the_user_has_set_and_why_it_is_not_used(known: House) -> None:
    known.world.switches.companies["acme"] = CompanyFlags()
    told = settings_body(known.show_settings(LENA))
    assert (told["context_memory"], told["enabled"], told["reason"]) == (True, False, "company_off")
    known.world.table.write_settings(
        LENA, UserSettings(epoch=1, erase_running=True, erased_at=known.world.clock.now(), context_memory=False)
    )
    known.world.switches.companies.clear()
    told = settings_body(known.show_settings(LENA))
    assert (told["context_memory"], told["enabled"], told["reason"]) == (False, False, "user_off")
    assert told["erase"] == {"state": "running", "requested_at": known.world.clock.now().isoformat(timespec="seconds")}


def test_settings_are_told_where_nobody_knows_whether_the_memory_is_used(known: House) -> None:
    def out_of_reach(step: str) -> None:
        if step == "before:switches.flags":
            raise FlagsUnavailable("The flags are out of reach.")

    known.world.whenever(out_of_reach)
    told = settings_body(known.show_settings(LENA))
    assert (told["enabled"], told["reason"], told["deny_rules"]["phrases"]) == (None, "flags_unavailable", ["salary"])
    assert told["keep_turns_days"] is None


def test_settings_tell_how_long_the_company_keeps_what_was_said(known: House) -> None:
    assert settings_body(known.show_settings(LENA))["keep_turns_days"] == 0
    known.world.switches.companies["acme"] = CompanyFlags(context_memory=True, keep_turns_days=30)
    assert settings_body(known.show_settings(LENA))["keep_turns_days"] == 30
