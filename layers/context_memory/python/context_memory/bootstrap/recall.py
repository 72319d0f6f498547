"""What the function `recall` needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap import observability, shared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.application.locks import Locks
    from context_memory.ports.telemetry import Audit, Telemetry

# ruff: noqa: PLC0415 - late imports are this package's purpose


@shared.without_collections()
def recall(environment: Mapping[str, str]) -> tuple[Locks, Audit, Telemetry]:
    """What the function `recall` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from context_memory.adapters.system import SystemClock
    from context_memory.settings.recall import RecallSettings

    settings = RecallSettings.read(environment)
    clients = shared.clients_where_somebody_waits()
    telemetry, audit = observability.telemetry_and_audit("recall", clients, settings, SystemClock())
    return shared.locks(settings.company_locks, settings.trust), audit, telemetry
