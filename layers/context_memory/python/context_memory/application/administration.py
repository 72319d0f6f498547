"""What administrators see and set of their company. No user's data is near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.expecting import expected_version
from context_memory.domain.errors import EraseRunning
from context_memory.domain.jobs import AgendaEntry, JobKind
from context_memory.domain.walks import WalkKind

if TYPE_CHECKING:
    from context_memory.application.ladder import Ladder
    from context_memory.application.walks.asking import Asking
    from context_memory.domain.company_settings import CompanySettings, StoredSettings
    from context_memory.domain.enablement import OperatorFlags
    from context_memory.domain.spending import Standing
    from context_memory.ports.companies import Companies, Flags
    from context_memory.ports.queues import Agenda
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

_AFTER_SECONDS = 90
"""How long a walk waits that a change sets off, so that readers have let go of what they knew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Administration:
    """The use cases behind `/v1/companies/{company_id}`."""

    flags: Flags
    companies: Companies
    ladder: Ladder
    jobs: Asking
    agenda: Agenda
    clock: Clock
    telemetry: Telemetry

    def show(self, company_id: str) -> tuple[StoredSettings, OperatorFlags, Standing]:
        """What is set, what is switched, and where the company stands with its budget of the day.

        Raises:
            FlagsUnavailable: what is switched is unknown.
        """
        stored, flags = self.companies.settings(company_id), self.flags.flags(company_id)
        return stored, flags, self.ladder.standing(company_id, flags.daily_tokens)

    def change(
        self,
        company_id: str,
        settings: CompanySettings,
        *,
        expected: frozenset[str] | None = None,
        caller: str | None = None,
        opens: bool = False,
    ) -> StoredSettings:
        """Replace all settings. Readers follow within the time that they keep what they know.

        A lower cap sets off a walk that condenses what is longer; an expiry is looked at from that day on.

        Args:
            company_id: whose settings.
            settings: all of them.
            expected: validators, one of which must be that of what counts now (`*`: anything that was written);
                None replaces whatever there is.
            caller: ARN of who asks, for the report of what is set off.
            opens: whether the company, where it was closed to be erased, has a memory again.

        Raises:
            EraseRunning: nothing was changed: the company is still being erased, and cannot be opened before it is.
            VersionConflict: nothing was changed; names the version that counts now.
            Unavailable: nothing was changed, or it is unknown whether it was.
        """
        before = self.companies.settings(company_id)
        if opens and before.closed_by and self.jobs.runs(company_id, before.closed_by):
            raise EraseRunning("The company is being erased.")
        version = expected_version(expected, lambda: before.version)
        # Before the write: wherever this process dies, what must follow is noted. What follows a write that never was
        # finds nothing to do.
        self._note_expiry(company_id, settings)
        if settings.max_tokens < before.settings.max_tokens:
            self.jobs.ask(company_id, WalkKind.CONDENSE, caller=caller, after_seconds=_AFTER_SECONDS)
        # A walk that is confirmed only now closes the company anew: then it is not opened.
        stored = self.companies.replace(company_id, settings, version=version, opens=before if opens else None)
        # Behind it once more: whoever looked at the first entry meanwhile has found the old settings, and struck it.
        self._note_expiry(company_id, settings)
        self.telemetry.event("changed settings of a company", version=stored.version)
        return stored

    def _note_expiry(self, company_id: str, settings: CompanySettings) -> None:
        if settings.expire_after_months is not None:
            today = self.clock.now().date()
            self.agenda.note(AgendaEntry(company_id=company_id, kind=JobKind.EXPIRE, due=today))
