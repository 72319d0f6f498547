"""What the function `admin` needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.bootstrap import shared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.application.administration import Administration
    from context_memory.application.locks import Locks
    from context_memory.application.spaces import SpaceAdministration
    from context_memory.ports.telemetry import Audit, Telemetry

# ruff: noqa: PLC0415 - late imports are this package's purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Admin:
    """Use cases of administrators, and what stands around them."""

    company: Administration
    spaces: SpaceAdministration
    locks: Locks
    audit: Audit
    telemetry: Telemetry


@shared.without_collections()
def admin(environment: Mapping[str, str]) -> Admin:
    """What the function `admin` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from context_memory.adapters.audit_log import AuditLog
    from context_memory.adapters.powertools_telemetry import PowertoolsTelemetry
    from context_memory.adapters.system import SystemClock
    from context_memory.application.administration import Administration
    from context_memory.application.spaces import SpaceAdministration
    from context_memory.settings import AdminSettings

    settings = AdminSettings.read(environment)
    clients = shared.clients_where_somebody_waits()
    # Neither lines nor records of this function are about a user: it needs no key to hash users with.
    telemetry = PowertoolsTelemetry(service="admin", namespace=settings.metrics_namespace)
    clock = SystemClock()
    return Admin(
        company=Administration(
            flags=shared.flags(clients, settings, telemetry),
            companies=shared.companies(clients, settings.company_table),
            ladder=shared.ladder(shared.budgets(clients, settings.company_table, clock), settings, clock, telemetry),
            telemetry=telemetry,
        ),
        spaces=SpaceAdministration(
            spaces=shared.spaces(clients, settings.company_table), models=settings.models, telemetry=telemetry
        ),
        locks=shared.locks(settings.company_locks, settings.trust),
        audit=AuditLog(hasher=None, clock=clock, telemetry=telemetry),
        telemetry=telemetry,
    )
