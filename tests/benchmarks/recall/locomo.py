"""LoCoMo's ten conversations as facts: each observation a fact, or each turn.

A fact gets what write-back would give it: when it was said, and its chat, which is a session. The questions come with
the turns that answer them; a turn that no fact rests on cannot be found by any engine and is left out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from context_memory.domain.facts.fact import Fact, Source, Tier, fact_id
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.ids import UserKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

CATEGORIES = {1: "several facts", 2: "time", 3: "inference", 4: "one fact", 5: "adversarial"}
_TURN = re.compile(r"D:?(\d+):(\d+)")

type Said = tuple[str, frozenset[str], datetime, str]
"""A text, the turns that it rests on, when it was said, and the session."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its category, and the turns that answer it."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """What two people said over months: facts, the turns that each of them rests on, and questions."""

    facts: tuple[Fact, ...]
    turns: tuple[frozenset[str], ...]
    questions: tuple[Question, ...]


def conversations(path: Path, kind: str) -> list[Conversation]:
    """All conversations of a file, with facts of a kind: `observations` or `turns`."""
    said = {"observations": _observations, "turns": _turns}[kind]
    return [_conversation(sample, said(sample)) for sample in json.loads(path.read_text())]


def _conversation(sample: dict[str, Any], said: Iterable[Said]) -> Conversation:
    """What is said twice is one fact, as in the store, and rests on the turns of both."""
    scope = UserScope(UserKey("locomo", str(sample["sample_id"])))
    facts: dict[str, Fact] = {}
    turns: dict[str, frozenset[str]] = {}
    for text, named, at, session in said:
        fact = Fact(
            id=fact_id(scope, text),
            tier=Tier.CONTEXTUAL,
            text=text,
            tokens=0,
            created_at=at,
            last_confirmed_at=at,
            source=Source(min(named, default=None), session),
        )
        facts.setdefault(fact.id, fact)
        turns[fact.id] = turns.get(fact.id, frozenset()) | named
    covered = frozenset[str]().union(*turns.values())
    asked = (Question(one["question"], one["category"], _named(one.get("evidence")) & covered) for one in sample["qa"])
    return Conversation((*facts.values(),), (*turns.values(),), tuple(one for one in asked if one.evidence))


def _observations(sample: dict[str, Any]) -> Iterator[Said]:
    for name, by_speaker in sample["observation"].items():
        session = name.removesuffix("_observation")
        for text, evidence in (each for said in by_speaker.values() for each in said):
            turns = _named(evidence)
            yield text, turns, _at(sample, session, min(map(_number, turns), default=0)), session


def _turns(sample: dict[str, Any]) -> Iterator[Said]:
    talk = sample["conversation"]
    for session in (name for name in talk if re.fullmatch(r"session_\d+", name)):
        for turn in talk[session]:
            caption = turn.get("blip_caption")
            text = f"{turn['speaker']}: {turn['text']}" + (f" [shares {caption}]" if caption else "")
            yield text, frozenset({turn["dia_id"]}), _at(sample, session, _number(turn["dia_id"])), session


def _at(sample: dict[str, Any], session: str, seconds: int) -> datetime:
    """When the session began, and a second for each turn of it."""
    began = datetime.strptime(f"{sample['conversation'][f'{session}_date_time']} +0000", "%I:%M %p on %d %B, %Y %z")
    return began.astimezone(UTC) + timedelta(seconds=seconds)


def _named(evidence: object) -> frozenset[str]:
    """The turns that a value names, however it is written ("D8:6; D9:17", a list of them, "D:11:26")."""
    return frozenset(f"D{session}:{turn}" for session, turn in _TURN.findall(str(evidence)))


def _number(turn: str) -> int:
    return int(turn.partition(":")[2])
