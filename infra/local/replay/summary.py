"""What a play came to: outcomes, calls and tokens, added up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from infra.local.replay.player import Played


@dataclass(frozen=True, slots=True)
class Row:
    """One outcome: how many turns ended so, and what they cost together. `seconds` is the slowest turn's."""

    ending: str
    turns: int
    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float


def rows(played: Sequence[Played]) -> list[Row]:
    """One row for each outcome, the most frequent first."""
    frequent = Counter(one.ending for one in played)
    return [_row(ending, [one for one in played if one.ending == ending]) for ending, _ in frequent.most_common()]


def total(played: Sequence[Played]) -> Row:
    """Everything in one row."""
    return _row("all", played)


def calls_by_purpose(played: Sequence[Played]) -> Counter[str]:
    """How many model calls of each purpose were answered."""
    return Counter(purpose for one in played if one.state for purpose in one.state.calls)


def failures(played: Sequence[Played]) -> list[Played]:
    """The turns with which something went wrong."""
    return [one for one in played if not one.well]


def _row(ending: str, played: Sequence[Played]) -> Row:
    states = [one.state for one in played if one.state]
    return Row(
        ending,
        turns=len(played),
        calls=sum(len(state.calls) for state in states),
        input_tokens=sum(state.input_tokens for state in states),
        output_tokens=sum(state.output_tokens for state in states),
        seconds=max((one.seconds for one in played), default=0.0),
    )
