"""What brings indexes and vectors up to the facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap.indexing import shared_indexes, users_tables

if TYPE_CHECKING:
    from context_memory.adapters.dynamodb.shared_facts import DynamoSharedFacts
    from context_memory.application.indexing.embedding_anew import EmbedAnew
    from context_memory.application.indexing.refreshing import RefreshShared, RefreshUser
    from context_memory.bootstrap.jobs.parts import Parts
    from context_memory.ports.recall import Embedder

# ruff: noqa: PLC0415 - late imports are this package's purpose


def refresh_user(parts: Parts) -> RefreshUser:
    """The worker of the job `embed`."""
    from context_memory.application.indexing.publishing import Publishing
    from context_memory.application.indexing.refreshing import RefreshUser

    embedder = parts.embedder()
    tables = users_tables(parts.clients, parts.credentials, parts.indexes, embedder)
    return RefreshUser(
        table=parts.table,
        facts=parts.facts(),
        embed_anew=_embed_anew(parts, embedder),
        publishing=Publishing(indexes=tables, telemetry=parts.telemetry),
        roster=parts.roster,
        jobs=parts.jobs,
        agenda=parts.agenda,
        telemetry=parts.telemetry,
    )


def refresh_shared(parts: Parts) -> RefreshShared:
    """The worker of the job `publish`."""
    from context_memory.application.indexing.publishing import Publishing
    from context_memory.application.indexing.refreshing import RefreshShared

    embedder = parts.embedder()
    indexes = shared_indexes(parts.clients, parts.settings.work_bucket, parts.indexes, embedder)
    return RefreshShared(
        company=parts.companies.settings,
        facts=_shared_facts(parts),
        embed_anew=_embed_anew(parts, embedder),
        publishing=Publishing(indexes=indexes, telemetry=parts.telemetry),
        jobs=parts.jobs,
        agenda=parts.agenda,
        clock=parts.clock,
        telemetry=parts.telemetry,
    )


def _embed_anew(parts: Parts, embedder: Embedder | None) -> EmbedAnew | None:
    if embedder is None:
        return None
    from context_memory.application.indexing.embedding_anew import EmbedAnew

    return EmbedAnew(
        embedder=embedder,
        facts=parts.facts(),
        shared_facts=_shared_facts(parts),
        clock=parts.clock,
        telemetry=parts.telemetry,
    )


def _shared_facts(parts: Parts) -> DynamoSharedFacts:
    from context_memory.adapters.dynamodb.company_table import CompanyTable
    from context_memory.adapters.dynamodb.shared_facts import DynamoSharedFacts

    clients = parts.clients
    table = CompanyTable(client=clients.dynamodb, name=parts.settings.company_table, own_role=clients.own_role)
    return DynamoSharedFacts(table, parts.clock.now)
