"""Turns whose text is kept: where it lies, and what takes it away."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.adapters.dynamodb.kept_turns import DynamoKeptTurns
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.sts import Role, UserCredentials
    from context_memory.application.kept.letting_go import LetGo
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

# ruff: noqa: PLC0415 - late imports are this package's purpose


def kept_turns(
    clients: AwsClients, credentials: UserCredentials, user_table: str, reading_as: Role | None = None
) -> DynamoKeptTurns:
    """Which turns are kept, read in the role `reading_as`, by default the one that writes."""
    from context_memory.adapters.dynamodb.kept_turns import DynamoKeptTurns
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.adapters.sts import Role

    role = reading_as or Role.WRITE
    table = Table(client=clients.dynamodb, name=user_table, credentials=credentials, reading_as=role)
    return DynamoKeptTurns(Writes(table=table))


def kept_texts(clients: AwsClients, credentials: UserCredentials, work_bucket: str) -> S3TurnPayloads:
    """What was said in them."""
    from context_memory.adapters.s3.turn_payloads import KEPT, S3TurnPayloads

    return S3TurnPayloads(client=clients.s3, bucket=work_bucket, credentials=credentials, folder=KEPT)


def let_go(
    clients: AwsClients,
    credentials: UserCredentials,
    *,
    user_table: str,
    work_bucket: str,
    clock: Clock,
    telemetry: Telemetry,
) -> LetGo:
    """Takes kept texts away."""
    from context_memory.application.kept.letting_go import LetGo

    return LetGo(
        turns=kept_turns(clients, credentials, user_table),
        texts=kept_texts(clients, credentials, work_bucket),
        clock=clock,
        telemetry=telemetry,
    )
