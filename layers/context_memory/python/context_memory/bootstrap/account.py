"""What the function `account` needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.bootstrap import observability, shared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.application.account.memory import ShowMemory
    from context_memory.application.account.web import Routes
    from context_memory.application.locks import Locks
    from context_memory.contracts.http import Request
    from context_memory.domain.claims import Trust
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import UserState
    from context_memory.ports.recall import Embedder
    from context_memory.ports.telemetry import Audit, Telemetry

# ruff: noqa: PLC0415 - late imports are this package's purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What is there before the first request; `routes` gives a group of those that are built when they are asked for.

    The groups stand in `account_routes.py`.
    """

    show_memory: ShowMemory
    routes: Callable[[str], Routes]
    trust: Trust
    locks: Locks
    linked: Callable[[Request], Request]
    audit: Audit
    telemetry: Telemetry


@shared.without_collections()
def account(environment: Mapping[str, str]) -> Account:
    """What the function `account` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from functools import cache

    from context_memory.adapters.dynamodb.state import DynamoUserStates
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import SystemClock
    from context_memory.application.account.memory import ShowMemory
    from context_memory.domain.claims import NOBODY
    from context_memory.settings.account import AccountSettings

    settings, clock = AccountSettings.read(environment), SystemClock()
    clients = shared.clients_where_somebody_waits()
    credentials = shared.credentials(
        clients,
        {
            Role.READ: settings.read_role_arn,
            Role.WRITE: settings.write_role_arn,
            Role.ERASE: settings.erase_role_arn,
        },
    )
    table = Table(client=clients.dynamodb, name=settings.user_table, credentials=credentials)
    telemetry, audit = observability.telemetry_and_audit("account", clients, settings, clock)

    def outgrown(user: UserKey, state: UserState, cap: int) -> None:
        from context_memory.application.changing.outgrown import Outgrown

        following = shared.following(clients, settings.company_table, settings.jobs_queue_url, clock, telemetry)
        Outgrown(following=following, telemetry=telemetry)(user, state, cap)

    show_memory = ShowMemory(
        table=DynamoUserStates(table),
        objects=shared.profiles(clients, credentials, settings.profile_bucket, settings.root_folder, Role.READ),
        switches=shared.switches(clients, settings, shared.flags(clients, settings, telemetry)),
        telemetry=telemetry,
        legacy=shared.legacy,
        outgrown=outgrown,
    )

    @cache
    def embedder() -> Embedder | None:
        from context_memory.settings.embedding import EmbeddingSettings

        return shared.embedder(clients, EmbeddingSettings.read(environment), clock)

    @cache
    def routes(group: str) -> Routes:
        from context_memory.bootstrap.account_routes import GROUPS, Parts
        from context_memory.settings.indexes import IndexSettings

        parts = Parts(
            settings=settings,
            clients=clients,
            credentials=credentials,
            clock=clock,
            telemetry=telemetry,
            show_memory=show_memory,
            embedder=embedder,
            indexes=IndexSettings.read(environment),
        )
        return GROUPS[group](parts)

    locks = shared.pins(settings.company_locks)
    return Account(
        show_memory=show_memory,
        routes=routes,
        trust=settings.trust or NOBODY,
        locks=locks,
        linked=shared.linked(clients, settings.company_table, locks),
        audit=audit,
        telemetry=telemetry,
    )
