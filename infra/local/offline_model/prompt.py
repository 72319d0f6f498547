"""Reads the chain's prompts: data between tags with a nonce, a line with the time before each turn."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

_BLOCK = re.compile(
    r"<(?P<name>[a-z]+(?:-[a-z]+)*)-(?P<nonce>[0-9a-f]{8})>\n?(?P<text>.*?)\n?</(?P=name)-(?P=nonce)>", re.DOTALL
)
_TURN = re.compile(
    r"^Turn \d+ of \d+, \w+ (?P<stamp>\d{4}-\d{2}-\d{2} \d{2}:\d{2}) \([^()\n]*?UTC(?P<offset>[+-]\d{4})?[^()\n]*\):$",
    re.MULTILINE,
)
_TARGET = re.compile(r"^Target: at most (\d+) tokens", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class AskedTurn:
    """One turn as a prompt shows it; `moment` is on the user's clock, None when the prompt does not say when."""

    moment: datetime | None = None
    evidence: str = ""
    earlier_answer: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What one call hands over; whatever a call does not show is empty."""

    turns: tuple[AskedTurn, ...] = ()
    profile: str = ""
    identity: str = ""
    lines: str = ""
    body: str = ""
    deny_rules: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    target: int | None = None


def read_prompt(text: str) -> Prompt:
    """Read the last user message of a call.

    The first tag is written before any data, so its nonce is the prompt's own; a tag with another one is data.
    """
    first = _BLOCK.search(text)
    nonce = first["nonce"] if first else ""
    data: dict[str, str] = {}
    turns: list[AskedTurn] = []
    frame, position = "", 0
    for block in _BLOCK.finditer(text):
        if block["nonce"] != nonce:
            continue
        between = text[position : block.start()]
        frame, position = frame + between, block.end()
        name = block["name"].replace("-", "_")
        if head := _last_turn_line(between):
            turns.append(AskedTurn(moment=_moment(head)))
        if name not in {"evidence", "earlier_answer", "answer"}:
            data[name] = block["text"]
            continue
        if not turns or (name == "evidence" and turns[-1].evidence):
            turns.append(AskedTurn())
        turns[-1] = _with(turns[-1], name, block["text"])
    target = _TARGET.search(frame + text[position:])
    return Prompt(
        turns=tuple(turns),
        profile=data.get("profile", ""),
        identity=data.get("identity", ""),
        lines=data.get("lines", ""),
        body=data.get("body", ""),
        deny_rules=_listed(data.get("deny_rules", "")),
        facts=tuple(line.partition(": ")[2] for line in data.get("facts", "").splitlines()),
        target=int(target[1]) if target else None,
    )


def _last_turn_line(between: str) -> re.Match[str] | None:
    found = list(_TURN.finditer(between))
    return found[-1] if found else None


def _moment(head: re.Match[str]) -> datetime:
    """The time on the user's clock; a line without an offset is in UTC."""
    return datetime.strptime(f"{head['stamp']} {head['offset'] or '+0000'}", "%Y-%m-%d %H:%M %z")


def _with(turn: AskedTurn, name: str, text: str) -> AskedTurn:
    if name == "evidence":
        return replace(turn, evidence=text)
    if name == "answer":
        return replace(turn, answer=text)
    return replace(turn, earlier_answer=text)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(line.lstrip("-* ").strip() for line in text.splitlines() if line.strip("-* "))
