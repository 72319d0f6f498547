"""Turns whose text is kept: where it lies, what takes it away, and what makes facts of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap import shared

if TYPE_CHECKING:
    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.adapters.dynamodb.kept_turns import DynamoKeptTurns
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.sts import Role, UserCredentials
    from context_memory.application.kept.letting_go import LetGo
    from context_memory.application.kept.summarising import Summarise
    from context_memory.application.walks.summarising import SummariseUser
    from context_memory.bootstrap.workers import Parts
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


def summarise_user(parts: Parts) -> SummariseUser:
    """The step of the walk `summarise`."""
    from context_memory.application.kept.reading import ReadKept
    from context_memory.application.walks.summarising import SummariseUser
    from context_memory.bootstrap.following import asking

    return SummariseUser(
        table=parts.table,
        turns=parts.kept_turns,
        texts=parts.texts,
        let_go=parts.let_go(),
        read=ReadKept(
            texts=parts.texts,
            payloads=parts.payloads,
            switches=parts.switches,
            tokenizer=shared.tokenizers(parts.settings.extraction_model)[0],
            telemetry=parts.telemetry,
            limits=parts.limits,
        ),
        summarise=_summarise(parts),
        asking=asking(parts),
    )


def _summarise(parts: Parts) -> Summarise:
    from context_memory.adapters.indexes.warm_indexes import WarmIndexes
    from context_memory.adapters.jinja_prompts import JinjaPrompts
    from context_memory.application.extract.nearest import Nearest
    from context_memory.application.indexing.upkeep import Upkeep
    from context_memory.application.kept.summarising import Summarise
    from context_memory.application.taken_out import TakenOut
    from context_memory.bootstrap.indexing import follow_users
    from context_memory.domain.recall.floors import NONE

    settings, embedder, forgetting = parts.settings, parts.embedder(), parts.forgetting()
    upkeep = Upkeep(agenda=parts.agenda, jobs=parts.jobs, clock=parts.clock, telemetry=parts.telemetry)
    written = follow_users(parts.indexes, lambda: embedder, upkeep)
    return Summarise(
        store=parts.facts(),
        extraction=settings.extraction_model,
        scrub=settings.scrub_model,
        embedder=embedder,
        nearest=Nearest(indexes=WarmIndexes(floors=NONE), embedder=embedder, telemetry=parts.telemetry),
        prompts=JinjaPrompts(),
        tokenizer=shared.tokenizers(settings.extraction_model)[0],
        forgetting=forgetting,
        taken_out=TakenOut(table=parts.table, forgetting=forgetting),
        let_go=parts.let_go(),
        written=lambda work, change: written(work.user, change.puts),
        clock=parts.clock,
        telemetry=parts.telemetry,
        limits=parts.limits,
    )
