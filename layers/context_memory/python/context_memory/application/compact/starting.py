"""Once a week: begin a walk through each company that the operator has named."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.walks.compacting import GROWN_OLD_WITHIN
from context_memory.domain.errors import ContextMemoryError, kind_of
from context_memory.domain.walks import WalkKind

if TYPE_CHECKING:
    from context_memory.application.walks.asking import Asking
    from context_memory.ports.companies import Flags
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

SCHEDULE = "schedule"
"""Who asks for these walks."""
_TWO_WEEKS = 14
"""Days: each group has a second chance, should a day's budget be used up or a model not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCompactions:
    """The job `compactions`. Done again on the same day it begins nothing twice."""

    asking: Asking
    flags: Flags
    clock: Clock
    telemetry: Telemetry

    def __call__(self) -> int:
        """Begin the walks; a company's fault costs no other's.

        Returns:
            How many companies are walked through.

        Raises:
            FlagsUnavailable: nobody knows which companies there are.
        """
        begun, day = 0, self.clock.now().date().isoformat()
        for company_id in self.flags.named():
            try:
                if self.flags.flags(company_id).context_memory:
                    self.asking.ask(
                        company_id,
                        WalkKind.COMPACT,
                        asked_by=SCHEDULE,
                        parameters=json.dumps({GROWN_OLD_WITHIN: _TWO_WEEKS}),
                        job_id=f"COMPACT-{day}",
                    )
                    begun += 1
            except ContextMemoryError as error:
                self.telemetry.warning("could not begin a compaction", error_type=kind_of(error))
                self.telemetry.count("errors_total", stage="jobs", error_type=kind_of(error))
        self.telemetry.event("began to look for old facts", companies=begun)
        return begun
