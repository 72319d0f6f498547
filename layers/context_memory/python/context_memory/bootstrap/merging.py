"""What works on merges of users' facts: for their job, and for the erase of either user."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.adapters.sts import UserCredentials
    from context_memory.application.forgetting import Forgetting
    from context_memory.application.links.merging import WorkOnMerge
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

# ruff: noqa: PLC0415 - late imports are this package's purpose


def work_on_merge(  # noqa: PLR0913 - keyword-only ports
    clients: AwsClients,
    credentials: UserCredentials,
    *,
    user_table: str,
    company_table: str,
    work_bucket: str,
    cap: Callable[[str], int],
    forgetting: Forgetting,
    jobs: Jobs,
    agenda: Agenda,
    clock: Clock,
    telemetry: Telemetry,
) -> WorkOnMerge:
    """Reads and writes each of both users in the write role, under that user's own tags.

    `cap` says how many facts a user of a company may have.
    """
    from context_memory.adapters.dynamodb.company_table import CompanyTable
    from context_memory.adapters.dynamodb.fact_moves import DynamoFactMoves
    from context_memory.adapters.dynamodb.fact_reads import DynamoFactReads
    from context_memory.adapters.dynamodb.merges import DynamoMerges
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.user_table import DynamoUserTable
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.adapters.s3.roster import S3Roster
    from context_memory.adapters.sts import Role
    from context_memory.application.indexing.upkeep import Upkeep
    from context_memory.application.links.looking_after import LookAfterMerge
    from context_memory.application.links.merging import WorkOnMerge
    from context_memory.application.links.moving import MoveFacts
    from context_memory.application.links.returning import ReturnFacts
    from context_memory.application.links.sides import Sides

    table = Table(client=clients.dynamodb, name=user_table, credentials=credentials, reading_as=Role.WRITE)
    sides = Sides(
        states=DynamoUserTable(table),
        facts=DynamoFactReads(table, company_table),
        moves=DynamoFactMoves(Writes(table=table)),
        forgotten=forgetting.after,
        roster=S3Roster(client=clients.s3, bucket=work_bucket, credentials=credentials),
        written=Upkeep(agenda=agenda, jobs=jobs, clock=clock, telemetry=telemetry).of_user,
        clock=clock,
    )
    merges = DynamoMerges(CompanyTable(client=clients.dynamodb, name=company_table, own_role=clients.own_role))
    return WorkOnMerge(
        merges=merges,
        sides=sides,
        there=MoveFacts(sides=sides, cap=cap),
        back=ReturnFacts(sides=sides),
        after=LookAfterMerge(merges=merges, sides=sides),
        jobs=jobs,
        agenda=agenda,
        clock=clock,
        telemetry=telemetry,
    )
