"""Working off one user's open turns: the truth is in the table, the doorbell only says that somebody should look."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NoReturn

from context_memory.application.consolidate.gathering import Broken, Ended
from context_memory.application.consolidate.settling import dropped
from context_memory.application.consolidate.storing import Overtaken
from context_memory.application.consolidate.superseding import superseded_and_open
from context_memory.domain.errors import CallBudgetSpent, CommitRefused, Contended, ModelRejected, Unavailable
from context_memory.domain.outcomes import Outcome
from context_memory.domain.turn import MAX_ATTEMPTS
from context_memory.ports import Waiting

if TYPE_CHECKING:
    from context_memory.application.consolidate.deadline import Deadline
    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.application.consolidate.gathering import Gathering
    from context_memory.application.consolidate.run import Run
    from context_memory.application.consolidate.task import Ending
    from context_memory.domain.ids import UserKey
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.state import UserState
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports import Clock, Doorbells, Switches, Telemetry, TurnPayloads, UserTable

CALL_BUDGET = "call_budget"
CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Wait:
    """The doorbell must come again, after `seconds` if somebody asked for that; `now` when only time ran out."""

    seconds: float | None = None
    now: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidate:
    """The use case behind a doorbell."""

    table: UserTable
    payloads: TurnPayloads
    switches: Switches
    doorbells: Doorbells
    gathering: Gathering
    run: Run
    clock: Clock
    telemetry: Telemetry
    limits: ChainLimits
    owed: dict[UserKey, dict[str, tuple[TurnRecord, Waiting]]] = field(default_factory=dict)
    """Turns of this process that could not be put back yet."""

    def __call__(self, user: UserKey, deadline: Deadline) -> Wait | None:
        """Work off all open turns of the user, oldest first.

        Returns:
            None when none is left to do; `Wait` when the world, or the time, did not allow it.
        """
        while deadline.seconds_left >= self.limits.chain_seconds:
            try:
                if not self._step(user, deadline):
                    return None
            except Unavailable as fault:
                self.telemetry.warning("turns wait", error_type=type(fault).__name__)
                self.telemetry.count("postprocessor_total", outcome="waiting")
                return Wait(fault.retry_after)
            except _Crashed:
                return Wait()
        return Wait(now=True)

    def _step(self, user: UserKey, deadline: Deadline) -> bool:
        """Bring at least one turn forward; False when there is none."""
        self._pay(user)
        flags = self.switches.flags(user.company_id)
        state = self.table.state(user)
        if replaced := superseded_and_open(state):
            for turn in replaced:
                self._drop(user, state, self.table.turn(user, turn.turn_id), Outcome.DROPPED_SUPERSEDED)
            state = self.table.state(user)
        group = self.gathering.next_group(user, state, flags)
        if group is None:
            return False
        if isinstance(group, Ended):
            self._drop(user, state, group.record, group.outcome)
        elif isinstance(group, Broken):
            self._broken(user, group)
        else:
            self._work(user, state, group, deadline)
        return True

    def _drop(self, user: UserKey, state: UserState, record: TurnRecord | None, outcome: Outcome) -> None:
        if record is None:
            return
        try:
            self.table.settle(dropped(user, state, record, outcome, self.clock.now()))
        except CommitRefused:  # it has ended, or was erased, meanwhile
            return
        self._tell(user, (record,), outcome)

    def _broken(self, user: UserKey, broken: Broken) -> None:
        """A turn that our code cannot even read costs itself attempts, and nobody else anything."""
        if broken.record.attempts >= MAX_ATTEMPTS:
            self._bury(user, broken.record, CRASHED)
            return
        started = self._start(user, broken.record)
        if started is not None:
            self._crashed(user, (started,), broken.error)

    def _work(self, user: UserKey, state: UserState, group: tuple[GatheredTurn, ...], deadline: Deadline) -> None:
        first = group[0].record
        if first.attempts >= MAX_ATTEMPTS or first.calls >= self.limits.calls_per_turn:
            self._bury(user, first, CRASHED if first.attempts >= MAX_ATTEMPTS else CALL_BUDGET)
            return
        started = self._started(user, group)
        if not started:
            return
        try:
            ending = self.run(user, started, deadline)
        except Overtaken:
            self._put_back(user, started, Waiting(reason="overtaken"))
        except Unavailable as fault:
            counted = isinstance(fault, Contended)
            self._put_back(user, started, Waiting(reason=type(fault).__name__, uncounted=not counted))
            raise
        except (CallBudgetSpent, ModelRejected) as error:
            self._refused(user, state, started, error)
        except Exception as error:  # noqa: BLE001 - whatever our code does wrong must cost this turn an attempt
            self._crashed(user, tuple(gathered.record for gathered in started), error)
        else:
            self._ended(user, started, ending)

    def _started(self, user: UserKey, group: tuple[GatheredTurn, ...]) -> tuple[GatheredTurn, ...]:
        """The turns of a group whose attempt is counted now: those that still wait."""
        started: list[GatheredTurn] = []
        for gathered in group:
            try:
                record = self._start(user, gathered.record)
            except Unavailable as fault:
                self._put_back(user, tuple(started), Waiting(reason=type(fault).__name__, uncounted=True))
                raise
            if record is not None:
                started.append(replace(gathered, record=record))
        return tuple(started)

    def _start(self, user: UserKey, record: TurnRecord) -> TurnRecord | None:
        try:
            return self.table.start(user, record, self.clock.now())
        except Unavailable as fault:
            # The attempt may have been counted, and the world's fault must not cost one.
            counted = self.table.turn(user, record.turn_id)
            if counted is not None and counted.attempts > record.attempts:
                self.table.wait(user, counted, Waiting(reason=type(fault).__name__, uncounted=True))
            raise

    def _ended(self, user: UserKey, turns: tuple[GatheredTurn, ...], ending: Ending | None) -> None:
        if ending is None:
            self._put_back(user, turns, Waiting(reason="apart", alone=True))
            return
        self._tell(user, tuple(gathered.record for gathered in turns), ending.outcome)

    def _refused(
        self,
        user: UserKey,
        state: UserState,
        turns: tuple[GatheredTurn, ...],
        error: CallBudgetSpent | ModelRejected,
    ) -> None:
        record = turns[0].record
        if len(turns) > 1 or (isinstance(error, ModelRejected) and not record.alone):
            self._put_back(user, turns, Waiting(reason=type(error).__name__, alone=True))
        elif isinstance(error, ModelRejected):
            self._drop(user, state, record, Outcome.MODEL_REJECTED)
        elif record.calls + self.limits.calls_per_chain < self.limits.calls_per_turn:
            self._put_back(user, turns, Waiting(reason=CALL_BUDGET, gives_back=False, alone=True))
        else:
            self._bury(user, record, CALL_BUDGET)

    def _crashed(self, user: UserKey, records: tuple[TurnRecord, ...], error: Exception) -> NoReturn:
        """Our own fault. The class alone is told: the message of an unforeseen error may quote what was said."""
        self.telemetry.warning("a turn made us fail", error_type=type(error).__name__, where=_where(error))
        self.telemetry.count("errors_total", stage="consolidation", error_type=type(error).__name__)
        for record in records:
            if record.attempts >= MAX_ATTEMPTS:
                self._bury(user, record, CRASHED)
            else:
                self.table.wait(user, record, Waiting(reason=CRASHED, gives_back=False, alone=True))
        raise _Crashed from None

    def _put_back(self, user: UserKey, turns: tuple[GatheredTurn, ...], waiting: Waiting) -> None:
        """Let turns wait. What cannot be written now is owed, and written before anything else is done for the user."""
        owed = self.owed.setdefault(user, {})
        owed |= {gathered.record.turn_id: (gathered.record, waiting) for gathered in turns}
        try:
            self._pay(user)
        except Unavailable as error:
            self.telemetry.warning("could not put turns back", error_type=type(error).__name__)

    def _pay(self, user: UserKey) -> None:
        """Write what is owed to the user's turns: a fault of the world must not cost attempts by lasting.

        Raises:
            Unavailable: something is still owed; the rest is written all the same.
        """
        owed, fault = self.owed.get(user, {}), None
        for turn_id, (record, waiting) in list(owed.items()):
            try:
                self.table.wait(user, record, waiting)
                del owed[turn_id]
            except Unavailable as error:
                fault = fault or error
        if fault:
            raise fault
        self.owed.pop(user, None)

    def _bury(self, user: UserKey, record: TurnRecord, reason: str) -> None:
        # Reported first: a report that is repeated does no harm, one that is never sent hides a dead turn.
        self.doorbells.report_dead(user, record.turn_id, reason)
        self.table.bury(user, record, reason=reason)
        self.telemetry.warning("a turn was given up", reason=reason)
        self.telemetry.count("postprocessor_total", outcome="dead")

    def _tell(self, user: UserKey, records: tuple[TurnRecord, ...], outcome: Outcome) -> None:
        """Take note that turns are final, and let go of what was said in them."""
        now = self.clock.now()
        if not outcome.success:
            self.telemetry.warning("turns ended without success", outcome=outcome.value, turns=len(records))
        for record in records:
            self.telemetry.count("postprocessor_total", outcome=outcome.value)
            self.telemetry.count("consolidation_lag_seconds", (now - record.accepted_at).total_seconds())
            try:
                self.payloads.delete(user, record.turn_id, record.payload_sha256)
            except Unavailable as error:  # maintain looks for payloads of final turns
                self.telemetry.warning("could not delete a payload", error_type=type(error).__name__)


class _Crashed(Exception):
    """A turn made our code fail; its attempt is counted."""


def _where(error: Exception) -> str:
    """The innermost place in our code, by file and line: enough to find it, without a word of the message."""
    trace, place = error.__traceback__, "?"
    while trace is not None:
        code = trace.tb_frame.f_code
        if "context_memory" in code.co_filename:
            place = f"{code.co_filename.rsplit('context_memory/', 1)[-1]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
