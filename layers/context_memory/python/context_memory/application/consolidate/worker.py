"""Working off one user's open turns: the truth is in the table, the doorbell only says that somebody should look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from context_memory.application.changing.outgrown import Outgrown
from context_memory.application.commit.storing import Overtaken
from context_memory.application.consolidate.attempts import Attempts
from context_memory.application.consolidate.ends import Ends
from context_memory.application.consolidate.faults import Crashed, Faults
from context_memory.application.consolidate.gathering import Broken, Early, Ended
from context_memory.application.consolidate.herald import Herald
from context_memory.application.consolidate.putting_back import PuttingBack
from context_memory.application.consolidate.superseding import superseded_and_open
from context_memory.application.doorbell import Wait
from context_memory.application.ladder import Lookout
from context_memory.application.telling import Telling
from context_memory.domain.errors import CallBudgetSpent, Contended, FlagsUnavailable, ModelRejected, Unavailable
from context_memory.domain.outcomes import Outcome
from context_memory.domain.spending import Step
from context_memory.ports.users import Waiting

if TYPE_CHECKING:
    from context_memory.application.asking.deadline import Deadline
    from context_memory.application.changing.following import Following
    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.application.consolidate.gathering import Gathering
    from context_memory.application.consolidate.run import Run
    from context_memory.application.ladder import Ladder
    from context_memory.domain.ids import UserKey
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.state import UserState
    from context_memory.ports.companies import Switches
    from context_memory.ports.news import NewsStand
    from context_memory.ports.objects import TurnPayloads
    from context_memory.ports.queues import Agenda, Doorbells
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidate:
    """The use case behind a doorbell."""

    table: UserTable
    switches: Switches
    gathering: Gathering
    run: Run
    ladder: Ladder
    attempts: Attempts
    put_back: PuttingBack
    ends: Ends
    faults: Faults
    tell: Telling
    outgrown: Outgrown
    agenda: Agenda
    clock: Clock
    telemetry: Telemetry
    limits: ChainLimits

    @classmethod
    def over(  # noqa: PLR0913 - keyword-only ports
        cls,
        *,
        table: UserTable,
        payloads: TurnPayloads,
        switches: Switches,
        doorbells: Doorbells,
        facts_doorbells: Doorbells,
        gathering: Gathering,
        run: Run,
        ladder: Ladder,
        news: NewsStand,
        following: Following,
        clock: Clock,
        telemetry: Telemetry,
        limits: ChainLimits,
    ) -> Self:
        """The use case with its parts put together over these ports."""
        put_back = PuttingBack(table=table, telemetry=telemetry)
        ends = Ends(
            table=table,
            payloads=payloads,
            doorbells=doorbells,
            facts_doorbells=facts_doorbells,
            clock=clock,
            telemetry=telemetry,
        )
        return cls(
            table=table,
            switches=switches,
            gathering=gathering,
            run=run,
            ladder=ladder,
            attempts=Attempts(table=table, clock=clock, put_back=put_back),
            put_back=put_back,
            ends=ends,
            faults=Faults(table=table, ends=ends, put_back=put_back, telemetry=telemetry, limits=limits),
            tell=Telling(table=table, news=news, clock=clock, telemetry=telemetry),
            outgrown=Outgrown(following=following, telemetry=telemetry),
            agenda=following.agenda,
            clock=clock,
            telemetry=telemetry,
            limits=limits,
        )

    def __call__(self, user: UserKey, deadline: Deadline) -> Wait | None:
        """Work off all open turns of the user, oldest first.

        Returns:
            None when none is left to do, or none may be done today; `Wait` when the world, or the time, did not
            allow it.
        """
        lookout = Lookout(ladder=self.ladder, company_id=user.company_id, telemetry=self.telemetry)
        herald = Herald(tell=self.tell, agenda=self.agenda, user=user, clock=self.clock, telemetry=self.telemetry)
        while deadline.seconds_left >= self.limits.chain_seconds:
            began = self.clock.monotonic()
            try:
                if not self._step(user, deadline, lookout, herald):
                    herald.pass_on()
                    return None
            except Unavailable as fault:
                self.telemetry.warning("turns wait", error_type=type(fault).__name__)
                self.telemetry.count("postprocessor_total", outcome="waiting")
                self._took("waiting", began)
                return Wait(fault.retry_after)
            except Crashed:
                return Wait()
        return Wait(now=True)

    def _step(self, user: UserKey, deadline: Deadline, lookout: Lookout, herald: Herald) -> bool:
        """Bring at least one turn forward; False when there is none, or none may be started today."""
        self.put_back.pay(user)
        state = self.table.state(user)
        herald.look(state)
        flags = self.switches.flags(user.company_id)
        if replaced := superseded_and_open(state):
            for turn in replaced:
                self.ends.drop(user, state, self.table.turn(user, turn.turn_id), Outcome.DROPPED_SUPERSEDED)
            state = self.table.state(user)
        group = self.gathering.next_group(user, state, flags)
        if group is None:
            # A turn would have made the profile fit; without one nobody does.
            self.outgrown(user, state, flags.max_tokens)
            return False
        if isinstance(group, Ended):
            self.ends.drop(user, state, group.record, group.outcome)
            return True
        if isinstance(group, Early):
            # To drop it for a change that has not reached us would lose what somebody was promised to have kept.
            raise FlagsUnavailable("Whether the operator wants this turn is not known for good.")
        step = lookout.look(flags.daily_tokens)
        if step is Step.PAUSED:
            # Maintain rings again when there is a budget again; until then nothing about the turns changes.
            return False
        if isinstance(group, Broken):
            self._broken(user, group)
        else:
            self._work(user, state, group, deadline, saving=step is Step.SAVING)
        return True

    def _broken(self, user: UserKey, broken: Broken) -> None:
        """A turn that our code cannot even read costs itself attempts, and nobody else anything."""
        if self.faults.bury_spent(user, broken.record):
            return
        begun = self.attempts.begin_one(user, broken.record)
        if begun is not None:
            self.faults.crashed(user, (begun,), broken.error)

    def _work(
        self,
        user: UserKey,
        state: UserState,
        group: tuple[GatheredTurn, ...],
        deadline: Deadline,
        *,
        saving: bool,
    ) -> None:
        if self.faults.bury_spent(user, group[0].record):
            return
        turns = self.attempts.begin(user, group)
        if not turns:
            return
        records, began = tuple(gathered.record for gathered in turns), self.clock.monotonic()
        try:
            ending = self.run(user, turns, deadline, saving=saving)
        except Overtaken:
            self.put_back(user, records, Waiting(reason="overtaken"))
        except Unavailable as fault:
            counted = isinstance(fault, Contended)
            self.put_back(user, records, Waiting(reason=type(fault).__name__, uncounted=not counted))
            raise
        except (CallBudgetSpent, ModelRejected) as error:
            self.faults.refused(user, state, records, error)
        except Exception as error:  # noqa: BLE001 - whatever our code does wrong must cost this turn an attempt
            self.faults.crashed(user, records, error)
        else:
            if ending is None:
                self.put_back(user, records, Waiting(reason="apart", alone=True))
            else:
                self.ends.tell(user, records, ending)
                self._took(ending.outcome.value, began)

    def _took(self, outcome: str, began: float) -> None:
        self.telemetry.count("postprocessor_duration_seconds", self.clock.monotonic() - began, outcome=outcome)
