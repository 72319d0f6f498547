"""What the prompts are told about the turns: clipped, dated, in order."""

from __future__ import annotations

from datetime import UTC, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from context_memory.domain.clipping import clip

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.domain.tokens import Tokenizer

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


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
    turns: Sequence[GatheredTurn],
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
