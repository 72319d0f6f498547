"""The indexes that are kept outside of the functions, and who asks for what a write left undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from botocore.credentials import ReadOnlyCredentials

    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.adapters.sts import UserCredentials
    from context_memory.application.indexing.upkeep import FollowUsers, Upkeep
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.ports.indexes import PublishedIndex
    from context_memory.ports.recall import Embedder
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.settings.indexes import IndexSettings

# ruff: noqa: PLC0415 - late imports are this package's purpose


def upkeep(clients: AwsClients, company_table: str, jobs_queue_url: str, clock: Clock, telemetry: Telemetry) -> Upkeep:
    """Asks for what a write of facts left undone."""
    from context_memory.adapters.sqs_jobs import SqsJobs
    from context_memory.application.indexing.upkeep import Upkeep
    from context_memory.bootstrap import shared

    return Upkeep(
        agenda=shared.agenda(clients, company_table),
        jobs=SqsJobs(client=clients.bells, queue_url=jobs_queue_url, own_role=clients.own_role),
        clock=clock,
        telemetry=telemetry,
    )


def follow_users(settings: IndexSettings, embedder: Callable[[], Embedder | None], upkeep: Upkeep) -> FollowUsers:
    """What follows a write of a user's own facts; the endpoint is known when the first one was written."""
    from context_memory.application.indexing.upkeep import FollowUsers

    def model() -> str | None:
        known = embedder()
        return known.model if known else None

    return FollowUsers(model=model, tables=bool(settings.lance_function), upkeep=upkeep)


def users_tables(
    clients: AwsClients, credentials: UserCredentials, settings: IndexSettings, embedder: Embedder | None
) -> Sequence[PublishedIndex]:
    """Users' tables, where the environment has them, each written with its user's credentials."""
    from context_memory.adapters.sts import Role
    from context_memory.domain.facts.scopes import UserScope

    def lent(scope: FactScope) -> ReadOnlyCredentials:
        if not isinstance(scope, UserScope):
            raise TypeError("What is shared is written with the function's own role.")
        return credentials.lent(scope.user, Role.WRITE)

    return _tables(clients, settings, lent, embedder)


def shared_indexes(
    clients: AwsClients, work_bucket: str, settings: IndexSettings, embedder: Embedder | None
) -> Sequence[PublishedIndex]:
    """Snapshots of large scopes, and tables where the environment has them; both written with the function's role."""
    from context_memory.adapters.s3.snapshots import S3SnapshotWriter

    snapshots = S3SnapshotWriter(client=clients.s3, bucket=work_bucket, own_role=clients.own_role)
    return [snapshots, *_tables(clients, settings, lambda _scope: clients.own_credentials(), embedder)]


def _tables(
    clients: AwsClients,
    settings: IndexSettings,
    lender: Callable[[FactScope], ReadOnlyCredentials],
    embedder: Embedder | None,
) -> Sequence[PublishedIndex]:
    if not settings.lance_function:
        return []
    from context_memory.adapters.lance_backend import LanceTables
    from context_memory.adapters.lance_function import LanceFunction

    function = LanceFunction(client=clients.functions, function=settings.lance_function, own_role=clients.own_role)
    return [LanceTables(ask=function.ask, lender=lender, model=embedder.model if embedder else None)]
