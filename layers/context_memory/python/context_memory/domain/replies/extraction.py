"""What extraction answered: operations on facts, each read by itself, so that a malformed one is dropped alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from context_memory.domain.errors import MalformedReply
from context_memory.domain.facts.fact import LONGEST_TEXT, Tier
from context_memory.domain.facts.proposals import Operation, Proposal
from context_memory.domain.replies.body import COMPLETE, CUT
from context_memory.domain.replies.json_values import json_values
from context_memory.domain.replies.reasoning import without_reasoning
from context_memory.domain.replies.sentinels import first_sentinel

MOST_PROPOSALS = 30
"""Operations that one answer may hold; each may put one fact and drop another."""
_LIST = "facts"
_IN_A_LIST = re.compile(r'"facts"\s*:\s*\[|^\W*\[', re.ASCII)
"""What opens a list of operations: where they had to be picked out of one by one, it could not be read."""
_FIELDS = ("op", "id", "text", "tier", "keywords", "quote")
_STORED_TIERS = {tier.value: tier for tier in Tier if tier is not Tier.EPHEMERAL}


@dataclass(frozen=True, slots=True)
class Malformed:
    """An operation that could not be read: where it stood (from 1), and its shape, without a word of it."""

    position: int
    shape: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """The operations of an answer, and those that could not be read; `whole`: nothing of it was passed over."""

    proposals: tuple[Proposal, ...] = ()
    malformed: tuple[Malformed, ...] = ()
    whole: bool = True


def read_extraction(text: str | None, *, finish_reason: str, partly: bool = False) -> Extracted:
    """Read an answer: `{"facts": […]}`, a bare list, or single objects; in fences, between remarks, behind reasoning.

    Args:
        text: the answer.
        finish_reason: why it ended.
        partly: whether of one that was cut off, or that is no JSON as a whole, the operations count that can be read;
            each stands by itself.

    Raises:
        MalformedReply: it was cut off, or holds none of that; the message holds nothing of the answer.
    """
    if finish_reason != COMPLETE and not (partly and finish_reason == CUT):
        raise MalformedReply("The answer was cut off before its end; name fewer facts, those that matter most.")
    entries, whole = _entries(text or "")
    if not (whole or partly):
        raise MalformedReply("The answer was not valid JSON; quotation marks within a text need a backslash.")
    read = [(position, _read(entry), entry) for position, entry in enumerate(entries, start=1)]
    return Extracted(
        tuple(proposal for _, proposal, _ in read if proposal is not None)[:MOST_PROPOSALS],
        tuple(Malformed(position, _shape(entry)) for position, proposal, entry in read if proposal is None),
        whole,
    )


def _entries(text: str) -> tuple[list[object], bool]:
    """The entries of an answer, and whether they are all that it holds."""
    try:
        return _listed(text)
    except MalformedReply:
        pass
    # Only now: a tag of reasoning within a text of a sound answer is content.
    answer = without_reasoning(text)
    sentinel = first_sentinel(answer, ["NOOP", "NONE"])
    if sentinel and sentinel.stands_alone:
        return [], True
    return _listed(answer, anywhere=True)


def _listed(text: str, *, anywhere: bool = False) -> tuple[list[object], bool]:
    """The entries of a text that is an answer, or that holds one `anywhere`."""
    if not anywhere and not text.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        raise MalformedReply("Something stood before the answer.")
    singles: list[object] = []
    for value in json_values(text):
        if isinstance(value, Mapping) and isinstance(value.get(_LIST), list):
            return list(value[_LIST]), True
        if isinstance(value, Mapping) and isinstance(value.get(_LIST), Mapping):
            return [value[_LIST]], True
        # An empty list beside braces is the keywords of an operation that could not be read.
        if (
            isinstance(value, list)
            and all(isinstance(entry, Mapping) for entry in value)
            and (value or "{" not in text)
        ):
            return list(value), True
        if isinstance(value, Mapping) and "op" in value:
            singles.append(value)
    if not singles:
        raise MalformedReply('The answer must be one JSON object such as {"facts": []}.')
    return singles, _IN_A_LIST.search(text) is None


def _read(entry: object) -> Proposal | None:
    if not isinstance(entry, Mapping):
        return None
    operation, quote, number = _operation(entry), _text(entry.get("quote")), _number(entry.get("id"))
    text = _text(entry.get("text"))
    if operation is None or not quote:
        return None
    if operation.names_a_fact and number is None:
        return None
    if operation.brings_text and not 0 < len(text) <= LONGEST_TEXT:
        return None
    return Proposal(
        operation=operation,
        quote=quote,
        number=number if operation.names_a_fact else None,
        text=text if operation.brings_text else "",
        tier=_STORED_TIERS.get(_text(entry.get("tier")).casefold()),
        keywords=_keywords(entry.get("keywords")),
    )


def _operation(entry: Mapping[object, object]) -> Operation | None:
    try:
        return Operation(_text(entry.get("op")).casefold())
    except ValueError:
        return None


def _number(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    figures = value.strip().lstrip("#") if isinstance(value, str) else ""
    return int(figures) if figures.isascii() and figures.isdecimal() and len(figures) <= len("999999") else None


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _keywords(value: object) -> tuple[str, ...]:
    given = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(dict.fromkeys(word for word in map(_text, given) if word))


def _shape(entry: object) -> str:
    """The kinds of its fields under our own names; names that are not ours are only counted."""
    if not isinstance(entry, Mapping):
        return type(entry).__name__
    kinds = [f"{name}={_kind(entry, name)}" for name in _FIELDS]
    others = len(entry.keys() - set(_FIELDS))
    return " ".join((*kinds, *([f"others={others}"] if others else [])))


def _kind(entry: Mapping[object, object], name: str) -> str:
    if name not in entry:
        return "missing"
    value = entry[name]
    if name == "op" and (operation := _operation(entry)):
        return operation.value
    if isinstance(value, str):
        return "blank" if not value.strip() else "long" if len(_text(value)) > LONGEST_TEXT else "text"
    return "null" if value is None else type(value).__name__
