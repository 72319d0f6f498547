"""What administrators see and set of their company. No user's data is near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.expecting import expected_version

if TYPE_CHECKING:
    from context_memory.application.ladder import Ladder
    from context_memory.domain.company_settings import CompanySettings, StoredSettings
    from context_memory.domain.enablement import OperatorFlags
    from context_memory.domain.spending import Standing
    from context_memory.ports.companies import Companies, Flags
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Administration:
    """The use cases behind `/v1/companies/{company_id}`."""

    flags: Flags
    companies: Companies
    ladder: Ladder
    telemetry: Telemetry

    def show(self, company_id: str) -> tuple[StoredSettings, OperatorFlags, Standing]:
        """What is set, what is switched, and where the company stands with its budget of the day.

        Raises:
            FlagsUnavailable: what is switched is unknown.
        """
        stored, flags = self.companies.settings(company_id), self.flags.flags(company_id)
        return stored, flags, self.ladder.standing(company_id, flags.daily_tokens)

    def change(
        self, company_id: str, settings: CompanySettings, *, expected: frozenset[str] | None = None
    ) -> StoredSettings:
        """Replace all settings. Readers follow within the time that they keep what they know.

        Args:
            company_id: whose settings.
            settings: all of them.
            expected: validators, one of which must be that of what counts now (`*`: anything that was written);
                None replaces whatever there is.

        Raises:
            VersionConflict: nothing was changed; names the version that counts now.
        """
        version = expected_version(expected, lambda: self.companies.settings(company_id).version)
        stored = self.companies.replace(company_id, settings, version=version)
        self.telemetry.event("changed settings of a company", version=stored.version)
        return stored
