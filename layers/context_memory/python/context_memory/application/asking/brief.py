"""What the prompts are told about the turns: clipped, dated, in order."""

from __future__ import annotations

from datetime import UTC, tzinfo
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from context_memory.domain.clipping import clip

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from context_memory.domain.evidence import Evidence
    from context_memory.domain.tokens import Tokenizer
    from context_memory.domain.turn import Turn

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Spoken(Protocol):
    """A turn, and what of it is evidence."""

    @property
    def turn(self) -> Turn:
        """The turn."""

    @property
    def evidence(self) -> Evidence:
        """What the user said in it."""


def zone_of(name: str | None) -> tzinfo | None:
    """The zone of that name, or None when there is none."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: a folder of zones
        return None


def when(moment: datetime, zone_name: str | None) -> str:
    """A moment as the model is told: weekday, date and time in the user's zone, or in UTC and said so."""
    zone = zone_of(zone_name)
    local = moment.astimezone(zone or UTC)
    place = f"{zone_name}, UTC{local:%z}" if zone else "UTC, the user's zone is not known"
    return f"{_WEEKDAYS[local.weekday()]} {local:%Y-%m-%d %H:%M} ({place})"


def turn_values(
    turns: Sequence[Spoken],
    tokenizer: Tokenizer,
    *,
    last_zone: str | None,
    evidence: int,
    earlier_answer: int,
    answer: int,
) -> list[dict[str, object]]:
    """One dictionary a turn for the prompt files; limits in tokens."""
    return [
        {
            "position": position,
            "when": when(gathered.turn.occurred_at, gathered.turn.time_zone or last_zone),
            "evidence": clip(gathered.evidence.words, evidence, tokenizer),
            "earlier_answer": clip(gathered.evidence.earlier_answer or "", earlier_answer, tokenizer),
            "answer": clip(gathered.evidence.answer or "", answer, tokenizer),
        }
        for position, gathered in enumerate(turns, start=1)
    ]
