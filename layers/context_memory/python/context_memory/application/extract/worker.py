"""Working off one user's pending extractions: the table tells the truth, the doorbell only that it is worth a look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from context_memory.application.doorbell import Wait
from context_memory.application.extract.ending import CALL_BUDGET, CRASHED
from context_memory.application.extract.gathered import Broken, Early, Ended
from context_memory.application.extract.report import Report
from context_memory.application.extract.storing import Overtaken
from context_memory.application.extract.work import Work
from context_memory.application.faults import place_of
from context_memory.application.ladder import Lookout
from context_memory.domain.errors import (
    CallBudgetSpent,
    Contended,
    FlagsUnavailable,
    ModelRejected,
    Unavailable,
    kind_of,
)
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.spending import Step
from context_memory.domain.turn import MAX_ATTEMPTS

if TYPE_CHECKING:
    from context_memory.application.asking.deadline import Deadline
    from context_memory.application.extract.attempts import Attempts
    from context_memory.application.extract.ending import Ending
    from context_memory.application.extract.gathered import Gathered
    from context_memory.application.extract.gathering import Gathering
    from context_memory.application.extract.report import Reporting
    from context_memory.application.extract.run import Run
    from context_memory.application.ladder import Ladder
    from context_memory.domain.ids import UserKey
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.reconcile import Grounds
    from context_memory.ports.companies import Switches
    from context_memory.ports.facts import FactStore, PendingExtraction
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable

_WAITING = "waiting"


class Crashed(Exception):
    """A turn made our code fail; its attempt is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """The use case behind a doorbell of `facts.fifo`."""

    table: UserTable
    store: FactStore
    switches: Switches
    gathering: Gathering
    run: Run
    ladder: Ladder
    attempts: Attempts
    ending: Ending
    reporting: Reporting
    clock: Clock
    telemetry: Telemetry
    limits: ChainLimits

    def __call__(self, user: UserKey, deadline: Deadline) -> Wait | None:
        """Work off all pending extractions of the user, the oldest first.

        Returns:
            None when none is left to do, or none may be done today; `Wait` when the world, or the time, did not
            allow it.
        """
        lookout = Lookout(ladder=self.ladder, company_id=user.company_id, telemetry=self.telemetry)
        while deadline.seconds_left >= self.limits.chain_seconds:
            try:
                if not self._step(user, deadline, lookout):
                    return None
            except Unavailable as fault:
                self.telemetry.warning("facts wait", error_type=type(fault).__name__)
                self.telemetry.count("writeback_total", outcome=_WAITING)
                return Wait(fault.retry_after)
            except Crashed:
                return Wait()
        return Wait(now=True)

    def _step(self, user: UserKey, deadline: Deadline, lookout: Lookout) -> bool:
        """Bring at least one extraction forward; False when there is none, or none may be started today."""
        self.attempts.pay(user)
        pending = self.store.pending(user)
        if not pending:
            return False
        state, flags = self.table.state(user), self.switches.flags(user.company_id)
        group = self.gathering.next_group(user, state, flags, pending)
        if group is None:
            return False
        if isinstance(group, Ended):
            self.ending.drop(user, state.settings.epoch, group.pending, group.outcome)
            return True
        if isinstance(group, Early):
            # To drop it for a change that has not reached us would lose what somebody was promised to have kept.
            raise FlagsUnavailable("Whether the operator wants this turn is not known for good.")
        if lookout.look(flags.daily_tokens) is Step.PAUSED:
            # Maintain rings again when there is a budget again.
            return False
        if isinstance(group, Broken):
            self._broken(user, group)
            return True

        def wishes() -> tuple[Grounds, ...]:
            return self.gathering.wishes(user, state, group, self.store.pending(user))

        self._work(Work(user=user, state=state, flags=flags, turns=group, wishes=wishes, deadline=deadline))
        return True

    def _broken(self, user: UserKey, broken: Broken) -> None:
        """A turn that our own code cannot even read costs itself attempts, and nobody else anything."""
        if self.ending.bury_spent(user, broken.pending):
            return
        if begun := self.attempts.begin_one(user, broken.pending):
            self._crashed(user, [begun], broken.error)

    def _work(self, work: Work) -> None:
        if self.ending.bury_spent(work.user, work.turns[0].pending):
            return
        begun = self.attempts.begin(work.user, work.turns)
        if begun and not self._ran(work.of(begun)):
            self._apart(work, begun)

    def _apart(self, work: Work, begun: tuple[Gathered, ...]) -> None:
        """Run turns one after the other; those that are not come to, for the world's or another's fault, lose nothing.

        Raises:
            Unavailable, Crashed: as `_ran`.
        """
        left = list(begun)
        try:
            while left:
                self._ran(work.of((left.pop(0),)))
        except (Unavailable, Crashed):
            self.attempts.give_back(work.user, [one.pending for one in left])
            raise

    def _ran(self, work: Work) -> bool:
        """Run turns whose attempts are counted; False when each of them has to run alone.

        Raises:
            Unavailable: their attempts are given back.
            Crashed: our own code failed.
        """
        pending, report, began = work.pending, Report(), self.clock.monotonic()
        try:
            ends = self.run(work, report)
        except Overtaken:
            self.attempts.give_back(work.user, pending)
            return True
        except Unavailable as fault:
            if not isinstance(fault, Contended):
                self.attempts.give_back(work.user, pending)
            raise
        except (CallBudgetSpent, ModelRejected) as error:
            if len(work.turns) > 1:
                return False
            self._refused(work, pending[0], error)
            return True
        except Exception as error:  # noqa: BLE001 - whatever our code does wrong must cost this turn an attempt
            self._crashed(work.user, pending, error)
        if ends is None:
            return False
        self.reporting(work.user, work.turns, ends, report, self.clock.monotonic() - began)
        self.ending.let_go(work.user, pending)
        return True

    def _refused(self, work: Work, pending: PendingExtraction, error: CallBudgetSpent | ModelRejected) -> None:
        if isinstance(error, ModelRejected):
            self.ending.drop(work.user, work.settings.epoch, pending, FactsOutcome.MODEL_REJECTED)
        else:
            self.ending.bury(work.user, pending, CALL_BUDGET)

    def _crashed(self, user: UserKey, pending: list[PendingExtraction], error: Exception) -> NoReturn:
        """Our own fault. The class alone is told: the message of an unforeseen error may quote what was said.

        Raises:
            Crashed: always.
        """
        self.telemetry.warning("an extraction made us fail", error_type=type(error).__name__, where=place_of(error))
        self.telemetry.count("errors_total", stage="extraction", error_type=kind_of(error))
        for one in pending:
            if one.attempts >= MAX_ATTEMPTS:
                self.ending.bury(user, one, CRASHED)
        raise Crashed from None
