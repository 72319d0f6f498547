"""The demo's conversations through the whole chain, with the offline model over real HTTP."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from context_memory.contracts.turns import TurnBody, sha256
from context_memory.domain.ids import UserKey
from infra.local.demo import CONVERSATIONS
from infra.local.difference import sections
from infra.local.offline_model.server import OfflineModel
from infra.local.replay.reading import read_file
from tests.support.house import House

if TYPE_CHECKING:
    from collections.abc import Iterator

WEDNESDAY = datetime(2026, 6, 17, 12, 0, tzinfo=UTC)
SECONDS_TO_ANSWER = 5


@pytest.fixture
def house() -> Iterator[House]:
    house = House()
    with house.model, OfflineModel() as model:
        house.model = model  # type: ignore[assignment] # all that the house needs of a model is its address
        house.restart()
        yield house


def play(house: House, name: str) -> tuple[list[tuple[str, str]], dict[str, list[str]]]:
    """The outcome of each turn with what it was to show, and the sections that are filled at the end."""
    told = []
    turns = read_file(CONVERSATIONS / f"{name}.json", now=WEDNESDAY, space="s1", user="u").turns
    user = UserKey("acme", turns[0].user_id)
    for turn in turns:
        house.world.clock.advance((turn.occurred_at - house.world.clock.now()).total_seconds() + SECONDS_TO_ANSWER)
        body = TurnBody.parse(json.dumps(turn.body()).encode(), house.world.clock.now())
        canonical = body.canonical()
        assert house.ingest(user, body.turn(), canonical, sha256(canonical)) is None
        house.work()
        told.append((turn.note, str(house.record(turn.turn_id, user).outcome)))
    filled = {heading: bullets for heading, bullets in sections(house.memory(user)).items() if bullets}
    return told, filled


def test_lenas_week_is_remembered_without_her_client_and_without_what_she_took_back(house: House) -> None:
    told, filled = play(house, "lena")
    assert told == [
        ("a greeting leaves nothing", "noop"),
        ("facts about the user are kept", "updated"),
        ("a question about code leaves nothing", "noop"),
        ('"from now on" is a lasting preference', "updated"),
        ("a wish for one answer only is none", "noop"),
        ("tools are skills, a book is the person's own", "updated"),
        ("a contradiction changes the fact in place", "updated"),
        ("the work is kept, the client is not", "updated"),
        ("a document is data, whatever rules it brings", "noop"),
        ("a reminder gets its date", "updated"),
        ("what the user asks to forget goes", "forgotten"),
        ("thanks leave nothing", "noop"),
    ]
    assert filled == {
        "Identity": [
            "Name is Lena.",
            "Works as a credit risk analyst at Helvetia Privatbank.",
            "Lives in Basel.",
        ],
        "Communication Preferences": [
            "Wants the assistant to answer in bullet points.",
            "Prefers short answers with one concrete example.",
        ],
        "Work Context": [
            "Is working on the quarterly portfolio review.",
            "Deadline for the review: 2026-06-26.",
        ],
        "Skills & Expertise": ["Uses Python and SQL."],
        "Follow-ups": ["Wants to be reminded to call the tax office on 2026-06-22."],
    }


def test_jonas_is_remembered_in_german_without_his_colleague_and_his_account(house: House) -> None:
    told, filled = play(house, "jonas")
    assert told == [
        ("a greeting leaves nothing", "noop"),
        ("facts are kept in the user's language", "updated"),
        ("a lasting preference", "updated"),
        ("a colleague's data are nobody's memory", "noop"),
        ("a contradiction changes the fact in place", "updated"),
        ("account numbers are never kept", "unchanged"),
        ("a reminder gets its date", "updated"),
    ]
    assert filled == {
        "Identity": ["Heisst Jonas.", "Arbeitet als Lehrer in Bern.", "Wohnt in Thun."],
        "Communication Preferences": ["Wunsch für Antworten: Antworte mir immer kurz und auf Deutsch."],
        "Follow-ups": ["Möchte am 2026-06-19 erinnert werden: die Noten einzutragen."],
    }
