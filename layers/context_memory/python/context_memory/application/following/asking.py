"""Models for jobs: paid for by the company as a chain's calls are, and on nobody's turn."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.application.asking.calls import Calls
from context_memory.application.asking.deadline import Deadline
from context_memory.domain.enablement import Asked, disabled_reason
from context_memory.domain.jobs import AgendaEntry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.application.ladder import Ladder
    from context_memory.application.spending import Spending
    from context_memory.domain.ids import UserKey
    from context_memory.domain.jobs import UserJob
    from context_memory.domain.limits import ChainLimits
    from context_memory.ports.companies import Switches
    from context_memory.ports.models import LanguageModel, Prompts
    from context_memory.ports.queues import Agenda
    from context_memory.ports.system import Clock, Identifiers
    from context_memory.ports.telemetry import Telemetry

_ANYWHERE = Asked(web_search=False)
"""A job knows no space: only what holds for the whole company counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Whether a job may ask models today, and with what."""

    model: LanguageModel
    prompts: Prompts
    identifiers: Identifiers
    switches: Switches
    ladder: Ladder
    spending: Spending
    agenda: Agenda
    clock: Clock
    telemetry: Telemetry
    limits: ChainLimits

    def may(self, job: UserJob) -> bool:
        """Whether the company may ask for this job now.

        Of a company that is switched off nothing is done: whatever is stored meanwhile is checked by its next chain.
        One whose budget of the day is used up has the job noted for the next day.

        Raises:
            Unavailable: whether it is switched on is unknown, or the next day's entry cannot be noted.
        """
        company_id = job.user.company_id
        flags = self.switches.flags(company_id)
        if disabled_reason(flags, None, None, _ANYWHERE):
            return False
        if not self.ladder.paused(company_id, flags.daily_tokens):
            return True
        tomorrow = self.clock.now().date() + timedelta(days=1)
        self.agenda.note(AgendaEntry(company_id=company_id, kind=job.kind, due=tomorrow, user=job.user))
        return False

    @contextmanager
    def calls(self, user: UserKey, seconds: float) -> Iterator[Calls]:
        """Calls within `seconds`, as many as a chain may make; what they cost is written down, whatever comes of it."""
        calls = Calls(
            model=self.model,
            prompts=self.prompts,
            identifiers=self.identifiers,
            clock=self.clock,
            telemetry=self.telemetry,
            turn_ids=(),
            left=self.limits.calls_per_chain,
            deadline=Deadline.within(self.clock, seconds),
        )
        try:
            yield calls
        finally:
            self.spending(user.company_id, calls.usage)
