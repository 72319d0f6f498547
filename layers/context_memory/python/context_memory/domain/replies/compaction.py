"""What compaction answered: merges, each read by itself, so that one that is malformed costs no other."""

from __future__ import annotations

from collections.abc import Mapping

from context_memory.domain.errors import MalformedReply
from context_memory.domain.facts.compacting.merging import Merge
from context_memory.domain.facts.fact import LONGEST_TEXT
from context_memory.domain.replies.body import COMPLETE
from context_memory.domain.replies.json_values import json_values
from context_memory.domain.replies.reasoning import without_reasoning

_LIST = "merges"


def read_compaction(text: str | None, *, finish_reason: str) -> tuple[Merge, ...]:
    """Read an answer: `{"merges": […]}`, a bare list, or single objects; in fences, between remarks, behind reasoning.

    Raises:
        MalformedReply: it was cut off, or holds none of that; the message holds nothing of the answer.
    """
    if finish_reason != COMPLETE:
        raise MalformedReply("The answer was cut off before its end.")
    return tuple(merge for entry in _listed(without_reasoning(text or "")) if (merge := _read(entry)))


def _listed(answer: str) -> list[object]:
    singles: list[object] = []
    for value in json_values(answer):
        if isinstance(value, Mapping) and isinstance(value.get(_LIST), list):
            return list(value[_LIST])
        if isinstance(value, list) and all(isinstance(entry, Mapping) for entry in value):
            return list(value)
        if isinstance(value, Mapping) and "of" in value:
            singles.append(value)
    if not singles:
        raise MalformedReply('The answer must be one JSON object such as {"merges": []}.')
    return singles


def _read(entry: object) -> Merge | None:
    if not isinstance(entry, Mapping):
        return None
    text, numbers = entry.get("text"), entry.get("of")
    if not isinstance(text, str) or not isinstance(numbers, list):
        return None
    of, folded = frozenset(filter(None, map(_number, numbers))), " ".join(text.split())
    # One that names something else, too, means we do not know what.
    sound = 0 < len(of) == len(numbers) and 0 < len(folded) <= LONGEST_TEXT
    return Merge(of, folded) if sound else None


def _number(value: object) -> int | None:
    """A number from 1 on, as a number or in figures; 0 and what is none come to nothing."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if value > 0 else None
    figures = value.strip().lstrip("#") if isinstance(value, str) else ""
    return int(figures) if figures.isascii() and figures.isdecimal() and len(figures) <= len("999") else None
