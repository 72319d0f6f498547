"""What the function `ingest` needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap import observability, shared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.application.ingest import Ingest
    from context_memory.application.locks import Locks
    from context_memory.application.turn_status import TurnStatusQuery
    from context_memory.contracts.http import Request
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Audit, Telemetry

# ruff: noqa: PLC0415 - late imports are this package's purpose


@shared.without_collections()
def ingest(
    environment: Mapping[str, str], clients: AwsClients | None = None
) -> tuple[Ingest, TurnStatusQuery, Locks, Callable[[Request], Request], Audit, Clock, Telemetry]:
    """What the function `ingest` needs; tests pass `clients` of their own, to be on the wire.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from context_memory.adapters.dynamodb.prompt_memories import DynamoPromptMemories
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.adapters.s3.roster import S3Roster
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.sqs import SqsDoorbells
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import RandomIdentifiers, SystemClock
    from context_memory.application.ingest import Ingest
    from context_memory.application.turn_status import TurnStatusQuery
    from context_memory.settings.ingest import IngestSettings

    settings = IngestSettings.read(environment)
    clients = clients or shared.clients_where_somebody_waits()
    credentials = shared.credentials(clients, {Role.READ: settings.read_role_arn, Role.WRITE: settings.write_role_arn})
    clock = SystemClock()
    telemetry, audit = observability.telemetry_and_audit("ingest", clients, settings, clock)
    switches = shared.switches(clients, settings, shared.flags(clients, settings, telemetry))
    table = Table(client=clients.dynamodb, name=settings.user_table, credentials=credentials, reading_as=Role.WRITE)
    accept = Ingest(
        table=shared.user_table(clients, credentials, settings.user_table, Role.WRITE),
        payloads=S3TurnPayloads(client=clients.s3, bucket=settings.work_bucket, credentials=credentials),
        roster=S3Roster(client=clients.s3, bucket=settings.work_bucket, credentials=credentials),
        switches=switches,
        doorbells=SqsDoorbells(client=clients.bells, queue_url=settings.turns_queue_url, own_role=clients.own_role),
        clock=clock,
        identifiers=RandomIdentifiers(),
        telemetry=telemetry,
        models=settings.models,
        prompts=DynamoPromptMemories(Writes(table=table), clock.now),
    )
    budgets = shared.budgets(clients, settings.company_table, clock)
    status = TurnStatusQuery(
        table=shared.user_table(clients, credentials, settings.user_table, Role.READ),
        switches=switches,
        ladder=shared.ladder(budgets, settings, clock, telemetry),
    )
    locks = shared.locks(settings.company_locks, settings.trust)
    linked = shared.linked(clients, settings.company_table, locks)
    return accept, status, locks, linked, audit, clock, telemetry
