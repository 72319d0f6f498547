"""Links of companies, for the function `admin`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.application.links.asking import AskMerge
    from context_memory.application.links.declaring import DeclareLinks
    from context_memory.application.links.linking import LinkAdministration
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

# ruff: noqa: PLC0415 - late imports are this package's purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """One link, all of them, and the merges that they set off."""

    one: LinkAdministration
    declared: DeclareLinks
    merges: AskMerge


def links(clients: AwsClients, table: str, *, agenda: Agenda, jobs: Jobs, clock: Clock, telemetry: Telemetry) -> Links:
    """Use cases of links over the company table."""
    from context_memory.adapters.dynamodb.company_table import CompanyTable
    from context_memory.adapters.dynamodb.links import DynamoLinks
    from context_memory.adapters.dynamodb.merges import DynamoMerges
    from context_memory.adapters.system import RandomIdentifiers
    from context_memory.application.links.asking import AskMerge
    from context_memory.application.links.declaring import DeclareLinks
    from context_memory.application.links.linking import LinkAdministration

    company_table = CompanyTable(client=clients.dynamodb, name=table, own_role=clients.own_role)
    stored = DynamoLinks(company_table)
    merges = AskMerge(
        merges=DynamoMerges(company_table),
        jobs=jobs,
        agenda=agenda,
        clock=clock,
        identifiers=RandomIdentifiers(),
        telemetry=telemetry,
    )
    return Links(
        one=LinkAdministration(links=stored, merging=merges, clock=clock, telemetry=telemetry),
        declared=DeclareLinks(links=stored, clock=clock, telemetry=telemetry),
        merges=merges,
    )
