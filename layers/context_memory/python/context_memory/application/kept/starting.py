"""Once a day: begin a walk through each company that keeps texts of turns, whatever it has set by then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import ContextMemoryError, kind_of
from context_memory.domain.walks import WalkKind

if TYPE_CHECKING:
    from context_memory.application.walks.asking import Asking
    from context_memory.ports.objects import Directory
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

SCHEDULE = "schedule"
"""Who asks for these walks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartSummaries:
    """The job `summaries`. Done again on the same day it begins nothing twice."""

    asking: Asking
    directory: Directory
    clock: Clock
    telemetry: Telemetry

    def __call__(self) -> int:
        """Begin the walks; a company's fault costs no other's.

        Returns:
            How many companies are walked through.

        Raises:
            Unavailable: nobody knows which companies keep anything.
        """
        begun, day = 0, self.clock.now().date().isoformat()
        for company_id in self.directory.companies_with_kept_turns():
            try:
                self.asking.ask(company_id, WalkKind.SUMMARISE, asked_by=SCHEDULE, job_id=f"SUMMARISE-{day}")
                begun += 1
            except ContextMemoryError as error:
                self.telemetry.warning("could not begin to summarise", error_type=kind_of(error))
                self.telemetry.count("errors_total", stage="jobs", error_type=kind_of(error))
        self.telemetry.event("began to look for kept turns", companies=begun)
        return begun
