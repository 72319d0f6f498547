"""What functions need that ask what is switched and set for a company."""

from __future__ import annotations

from dataclasses import dataclass

from context_memory.settings.reading import FromEnvironment, variable
from context_memory.settings.values import configuration, positive


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyWideSettings(FromEnvironment):
    """What a function needs that asks what is switched and set for a company."""

    metrics_namespace: str = variable("POWERTOOLS_METRICS_NAMESPACE")
    company_table: str = variable("COMPANY_TABLE")
    flags_configuration: str = variable("FLAGS_CONFIGURATION", configuration)
    flags_seconds: int = variable("FLAGS_SECONDS", positive, default=60)
    flags_stale_seconds: int = variable("FLAGS_STALE_SECONDS", positive, default=300)
