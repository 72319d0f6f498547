"""What the function `admin` needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap import shared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.application.administration import Administration
    from context_memory.application.locks import Locks
    from context_memory.ports import Telemetry

# ruff: noqa: PLC0415 - late imports are this package's purpose


@shared.without_collections()
def admin(environment: Mapping[str, str]) -> tuple[Administration, Locks, Telemetry]:
    """What the function `admin` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from context_memory.adapters.powertools_telemetry import PowertoolsTelemetry
    from context_memory.application.administration import Administration
    from context_memory.settings import AdminSettings

    settings = AdminSettings.read(environment)
    clients = shared.clients()
    telemetry = PowertoolsTelemetry(service="admin")  # its lines are about no user
    administration = Administration(
        flags=shared.flags(clients, settings, telemetry),
        companies=shared.companies(clients, settings.company_table),
        telemetry=telemetry,
    )
    return administration, shared.locks(settings.company_locks, settings.trust), telemetry
