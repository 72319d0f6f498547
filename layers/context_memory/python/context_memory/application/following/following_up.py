"""The jobs `follow_up` and `condense`: the policy over what is unchecked, the cap, and news of what is untold.

Neither waits for the other: what may not stand goes while the bus is down, and news go out while no model answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import (
    CallBudgetSpent,
    Contended,
    EraseRunning,
    MemorySwitchedOff,
    ModelRejected,
    ProfileConflict,
    ProfileUnreadable,
    SchemaNewer,
)

if TYPE_CHECKING:
    from context_memory.application.asking.calls import Calls
    from context_memory.application.changing.change import Change
    from context_memory.application.changing.correcting import TakeOutCorrected
    from context_memory.application.changing.denying import TakeOutDenied
    from context_memory.application.changing.wanted import Standing
    from context_memory.application.following.asking import Asking
    from context_memory.application.following.condensing import Condense
    from context_memory.application.following.rescrubbing import Rescrub
    from context_memory.application.telling import Telling
    from context_memory.domain.ids import UserKey
    from context_memory.domain.jobs import UserJob
    from context_memory.ports.queues import Agenda
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable

_TRIES = 3
_NO_MEMORY = (MemorySwitchedOff, EraseRunning)
"""Off or being erased: what there was to look at goes with it."""
_SOMEBODY_MUST_LOOK = (ProfileUnreadable, SchemaNewer)
_WITHOUT_ANSWER = (ModelRejected, CallBudgetSpent)
"""The model has no answer to this profile; its next change asks again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """The use case behind both jobs: they look at the same things, for different reasons."""

    table: UserTable
    tell: Telling
    change: Change
    take_out: TakeOutDenied
    take_out_corrected: TakeOutCorrected
    asking: Asking
    rescrub: Rescrub
    condense: Condense
    agenda: Agenda
    telemetry: Telemetry

    def __call__(self, job: UserJob, seconds: float) -> None:
        """Do for the job's user whatever is left to do; called again, it finds nothing.

        Raises:
            Unavailable: something is left that the world did not allow.
        """
        try:
            self._check(job, seconds)
        except Exception:
            self._tell_all(job.user)
            raise
        self._tell_all(job.user)  # after the check, which may have stored something
        if entry := job.entry:
            self.agenda.strike(entry)

    def _tell_all(self, user: UserKey) -> None:
        self.tell(user, self.table.state(user))

    def _check(self, job: UserJob, seconds: float) -> None:
        try:
            self._take_out(job, seconds)
        except _NO_MEMORY as gone:
            self.telemetry.event("nothing is left to follow up", reason=type(gone).__name__)
        except (*_SOMEBODY_MUST_LOOK, *_WITHOUT_ANSWER) as error:
            self.telemetry.warning("a stored profile could not be checked", error_type=type(error).__name__)

    def _take_out(self, job: UserJob, seconds: float) -> None:
        # Whoever set the rules, or edited, may have died; it needs neither a model nor a budget.
        self.take_out(job.user)
        self.take_out_corrected(job.user, job.turn_count)
        if not _is_due(self.change.look(job.user)) or not self.asking.may(job):
            return
        with self.asking.calls(job.user, seconds) as calls:
            for _ in range(_TRIES):
                try:
                    self._check_once(job.user, calls)
                except ProfileConflict:
                    continue
                return
        raise Contended("Others keep changing this profile.")

    def _check_once(self, user: UserKey, calls: Calls) -> None:
        """Check what stands before it is condensed: nothing forbidden may be merged into what may stay."""
        if self.rescrub(user, self.change.look(user), calls):
            self.condense(user, self.change.look(user), calls)


def _is_due(standing: Standing) -> bool:
    pointer = standing.base.pointer
    if pointer is None:
        return False
    return standing.base.scrub_whole or pointer.tokens > standing.company.max_tokens
