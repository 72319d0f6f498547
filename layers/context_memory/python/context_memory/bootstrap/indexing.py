"""The indexes that are kept outside of the functions, for those who write shared facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.ports.indexes import PublishedIndex
    from context_memory.ports.recall import Embedder
    from context_memory.settings.indexes import IndexSettings

# ruff: noqa: PLC0415 - late imports are this package's purpose


def published(
    clients: AwsClients, work_bucket: str, settings: IndexSettings, embedder: Embedder | None
) -> Sequence[PublishedIndex]:
    """Snapshots of large scopes, and tables where the environment has them; both written with the function's role."""
    from context_memory.adapters.s3.snapshots import S3SnapshotWriter

    snapshots = S3SnapshotWriter(client=clients.s3, bucket=work_bucket, own_role=clients.own_role)
    if not settings.lance_function:
        return [snapshots]
    from context_memory.adapters.lance_backend import LanceTables
    from context_memory.adapters.lance_function import LanceFunction

    function = LanceFunction(client=clients.functions, function=settings.lance_function, own_role=clients.own_role)
    tables = LanceTables(
        ask=function.ask,
        lender=lambda _scope: clients.own_credentials(),
        model=embedder.model if embedder else None,
    )
    return [snapshots, tables]
