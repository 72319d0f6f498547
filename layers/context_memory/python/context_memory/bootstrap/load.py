"""What the function `load` needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap import observability, shared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.adapters.dynamodb.table import Table
    from context_memory.application.load import Load
    from context_memory.application.locks import Locks
    from context_memory.contracts.http import Request
    from context_memory.domain.ids import UserKey
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Audit, Telemetry

# ruff: noqa: PLC0415 - late imports are this package's purpose


@shared.without_collections()
def load(environment: Mapping[str, str]) -> tuple[Load, Locks, Callable[[Request], Request], Audit, Telemetry]:
    """What the function `load` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from concurrent.futures import ThreadPoolExecutor

    from context_memory.adapters.dynamodb.state import DynamoUserStates
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.sqs import SqsDoorbells
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import SystemClock
    from context_memory.application.load import Load
    from context_memory.settings.load import LoadSettings

    settings = LoadSettings.read(environment)
    clients = shared.clients_where_somebody_waits()
    credentials = shared.credentials(clients, {Role.READ: settings.read_role_arn})
    table = Table(client=clients.dynamodb, name=settings.user_table, credentials=credentials)
    objects = shared.profiles(clients, credentials, settings.profile_bucket, settings.root_folder, Role.READ)
    doorbells = SqsDoorbells(client=clients.bells, queue_url=settings.turns_queue_url, own_role=clients.own_role)
    # Last of all: from here on threads fetch the key that users are hashed with, and the operator's switches.
    clock = SystemClock()
    telemetry, audit = observability.telemetry_and_audit("load", clients, settings, clock)
    flags = shared.flags_ahead(clients, settings, telemetry)
    use_case = Load(
        table=DynamoUserStates(table),
        objects=objects,
        switches=shared.switches(clients, settings, flags),
        doorbells=doorbells,
        clock=clock,
        telemetry=telemetry,
        executor=ThreadPoolExecutor(
            max_workers=3
        ),  # the profile, a space of which nothing is known yet, a worker's parent
        passed_on=lambda user, names: _passed_on(table, clock, user, names),
        legacy=shared.legacy,
        aside=_aside,
    )
    locks = shared.locks(settings.company_locks, settings.trust)
    return use_case, locks, shared.linked(clients, settings.company_table, locks), audit, telemetry


def _passed_on(table: Table, clock: Clock, user: UserKey, names: frozenset[str]) -> bool:
    """Whether these turns pass memory on, with the imports that takes: only loads of workers ask."""
    from context_memory.adapters.dynamodb.prompt_memories import DynamoPromptMemories
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.application.inheriting import passed_on

    return passed_on(DynamoPromptMemories(Writes(table=table), clock.now), user, names)


def _aside(work: Callable[[], None]) -> None:
    """A thread of its own: the one that reads objects must not be kept from the next load's."""
    from threading import Thread

    Thread(target=work, daemon=True).start()
