"""What works on merges of users' facts, for the function `maintain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.application.links.merging import WorkOnMerge
    from context_memory.bootstrap.workers import Parts

# ruff: noqa: PLC0415 - late imports are this package's purpose


def work_on_merge(parts: Parts) -> WorkOnMerge:
    """Reads and writes each of both users in the write role, under that user's own tags."""
    from context_memory.adapters.dynamodb.company_table import CompanyTable
    from context_memory.adapters.dynamodb.fact_moves import DynamoFactMoves
    from context_memory.adapters.dynamodb.fact_reads import DynamoFactReads
    from context_memory.adapters.dynamodb.merges import DynamoMerges
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.adapters.sts import Role
    from context_memory.application.links.looking_after import LookAfterMerge
    from context_memory.application.links.merging import WorkOnMerge
    from context_memory.application.links.moving import MoveFacts
    from context_memory.application.links.returning import ReturnFacts
    from context_memory.application.links.sides import Sides

    clients, settings = parts.clients, parts.settings
    table = Table(
        client=clients.dynamodb, name=settings.user_table, credentials=parts.credentials, reading_as=Role.WRITE
    )
    company_table = CompanyTable(client=clients.dynamodb, name=settings.company_table, own_role=clients.own_role)
    sides = Sides(
        states=parts.table,
        facts=DynamoFactReads(table, settings.company_table),
        moves=DynamoFactMoves(Writes(table=table)),
        forgotten=parts.forgetting().after,
        clock=parts.clock,
    )
    merges = DynamoMerges(company_table)
    return WorkOnMerge(
        merges=merges,
        sides=sides,
        there=MoveFacts(sides=sides, cap=lambda company_id: parts.companies.settings(company_id).settings.facts_cap),
        back=ReturnFacts(sides=sides),
        after=LookAfterMerge(merges=merges, sides=sides),
        jobs=parts.jobs,
        agenda=parts.agenda,
        clock=parts.clock,
        telemetry=parts.telemetry,
    )
