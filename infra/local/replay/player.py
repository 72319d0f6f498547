"""Plays planned turns against the API, as an orchestrator would hand them over, and keeps what became of each."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from infra.local.client import ServiceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from infra.local.answers import Turn
    from infra.local.replay.plan import PlannedTurn


class Api(Protocol):
    """What playing needs of the client."""

    def post(self, user_id: str, turn: Mapping[str, Any]) -> str | None:
        """Hand over a turn; the reason when it was skipped."""

    def wait(self, user_id: str, turn_id: str, *, seconds: float) -> Turn:
        """Wait until a turn is done or dead."""


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a turn: its state, or why it was skipped, or what went wrong; `seconds` from hand-over to end."""

    turn: PlannedTurn
    seconds: float
    state: Turn | None = None
    skipped: str | None = None
    error: str | None = None

    @property
    def ending(self) -> str:
        """One word for tables: the outcome, or what stands in its place."""
        if self.state:
            return self.state.outcome or self.state.status
        return f"skipped: {self.skipped}" if self.skipped else "error"

    @property
    def well(self) -> bool:
        """Whether nothing went wrong: the turn is final without failure, or was skipped for a reason."""
        return self.state.well if self.state else self.skipped is not None


def play(api: Api, turns: Sequence[PlannedTurn], *, seconds: float, burst: bool = False) -> Iterator[Played]:
    """Play one user's turns in order, and yield each when it is final; an error ends the turn, not the play.

    Args:
        api: where to.
        turns: of one user.
        seconds: how long one turn may take to be final.
        burst: hand all of them over before waiting for the first, so that they are consolidated together.
    """
    if not burst:
        for turn in turns:
            yield _finish(api, _hand_over(api, turn), seconds)
        return
    for handed in [_hand_over(api, turn) for turn in turns]:
        yield _finish(api, handed, seconds)


@dataclass(frozen=True, slots=True)
class _HandedOver:
    """A turn that the API has answered for; `started` is a monotonic time."""

    turn: PlannedTurn
    started: float
    skipped: str | None = None
    error: str | None = None


def _hand_over(api: Api, turn: PlannedTurn) -> _HandedOver:
    started = time.monotonic()
    try:
        return _HandedOver(turn, started, skipped=api.post(turn.user_id, turn.body()))
    except ServiceError as error:
        return _HandedOver(turn, started, error=str(error))


def _finish(api: Api, handed: _HandedOver, seconds: float) -> Played:
    turn, state, error = handed.turn, None, handed.error
    if not (handed.skipped or error):
        try:
            state = api.wait(turn.user_id, turn.turn_id, seconds=seconds)
        except ServiceError as failure:
            error = str(failure)
    return Played(turn, time.monotonic() - handed.started, state, handed.skipped, error)
