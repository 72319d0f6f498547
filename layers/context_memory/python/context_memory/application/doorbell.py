"""One doorbell: answered, or put off until the world is ready."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from context_memory.application.asking.deadline import Deadline
from context_memory.domain.errors import Unavailable, kind_of

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.domain.waiting import Patience
    from context_memory.ports.queues import Doorbells
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

_MARGIN_SECONDS = 10.0
"""Kept back of the function's time, to put back and report what could not be finished."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The doorbell must come again, after `seconds` if somebody asked for that; `now` when only time ran out."""

    seconds: float | None = None
    now: bool = False


class Worker(Protocol):
    """Does what a doorbell asks for."""

    def __call__(self, user: UserKey, deadline: Deadline) -> Wait | None:
        """Work off what waits for the user; None when nothing is left to do, or none may be done today."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDoorbell[W: Worker]:
    """Lets the user's turns be worked off, or makes the doorbell come again later. `stage` names the work."""

    work: W
    stage: str
    doorbells: Doorbells
    patience: Patience
    clock: Clock
    telemetry: Telemetry

    def __call__(self, user: UserKey, *, receipt: str, received: int, seconds: float) -> bool:
        """Whether the doorbell is answered; otherwise it was put off and must be reported as failed.

        Args:
            user: whose turns.
            receipt: names this delivery of the message.
            received: how often it was delivered, this time included.
            seconds: what is left of the function's time.
        """
        with self.telemetry.about(user):
            return self._answered(user, receipt, received, seconds)

    def _answered(self, user: UserKey, receipt: str, received: int, seconds: float) -> bool:
        wait = self._worked(user, seconds)
        if wait is None:
            return True
        try:
            self.doorbells.postpone(receipt, 0 if wait.now else self.patience.seconds(received, wait.seconds))
        except Unavailable as error:  # it comes back all the same, when its visibility runs out
            self.telemetry.warning("could not put a doorbell off", error_type=type(error).__name__)
        return False

    def _worked(self, user: UserKey, seconds: float) -> Wait | None:
        try:
            return self.work(user, Deadline.within(self.clock, seconds - _MARGIN_SECONDS))
        except Exception as error:  # noqa: BLE001 - the last line: its message may quote what was said, so it ends here
            self.telemetry.warning("a doorbell made us fail", error_type=type(error).__name__)
            self.telemetry.count("errors_total", stage=self.stage, error_type=kind_of(error))
            return Wait()
