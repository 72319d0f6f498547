"""News beside the work on turns: what cannot be told must not keep a turn waiting."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from context_memory.domain.errors import kind_of
from context_memory.domain.jobs import AgendaEntry, JobKind

if TYPE_CHECKING:
    from context_memory.application.telling import Telling
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import UserState
    from context_memory.ports.queues import Agenda
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry


@dataclass(slots=True, kw_only=True)
class Herald:
    """Tells of one user while one doorbell is answered; after a failure not again before the next."""

    tell: Telling
    agenda: Agenda
    user: UserKey
    clock: Clock
    telemetry: Telemetry
    failed: bool = field(default=False, init=False)

    def look(self, state: UserState) -> None:
        """Tell what is untold, once the bus has not refused any; never fails."""
        if self.failed:
            return
        try:
            self.tell(self.user, state)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with news must not cost a turn anything
            self.failed = True
            self.telemetry.warning("could not tell what became of turns", error_type=type(error).__name__)
            self.telemetry.count("errors_total", stage="news", error_type=kind_of(error))

    def pass_on(self) -> None:
        """Let the agenda see to what could not be told, so that the doorbell is answered and its group is free.

        Raises:
            Unavailable: nobody has taken it on; the doorbell has to come again.
        """
        if self.failed:
            today = self.clock.now().date()
            entry = AgendaEntry(company_id=self.user.company_id, kind=JobKind.FOLLOW_UP, due=today, user=self.user)
            self.agenda.note(entry)
