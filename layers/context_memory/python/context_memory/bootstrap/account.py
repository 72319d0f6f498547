"""What the function `account` needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap import observability, shared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.application.account.memory import ShowMemory
    from context_memory.application.locks import Locks
    from context_memory.domain.claims import Trust
    from context_memory.ports.telemetry import Audit, Telemetry

# ruff: noqa: PLC0415 - late imports are this package's purpose


@shared.without_collections()
def account(environment: Mapping[str, str]) -> tuple[ShowMemory, Trust, Locks, Audit, Telemetry]:
    """What the function `account` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from context_memory.adapters.dynamodb.state import DynamoUserStates
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import SystemClock
    from context_memory.application.account.memory import ShowMemory
    from context_memory.domain.claims import NOBODY
    from context_memory.settings import AccountSettings

    settings = AccountSettings.read(environment)
    clients = shared.clients_where_somebody_waits()
    credentials = shared.credentials(clients, {Role.READ: settings.read_role_arn})
    table = Table(client=clients.dynamodb, name=settings.user_table, credentials=credentials)
    objects = shared.profiles(clients, credentials, settings.profile_bucket, settings.root_folder, Role.READ)
    telemetry, audit = observability.telemetry_and_audit("account", clients, settings, SystemClock())
    show = ShowMemory(
        table=DynamoUserStates(table),
        objects=objects,
        switches=shared.switches(clients, settings, shared.flags(clients, settings, telemetry)),
        telemetry=telemetry,
        legacy=shared.legacy,
    )
    return show, settings.trust or NOBODY, shared.pins(settings.company_locks), audit, telemetry
