"""What the function `extract` needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap import observability, shared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.application.doorbell import AnswerDoorbell
    from context_memory.application.extract.worker import Extract

# ruff: noqa: PLC0415 - late imports are this package's purpose


def extract(environment: Mapping[str, str], clients: AwsClients | None = None) -> AnswerDoorbell[Extract]:
    """What the function `extract` needs; `clients` as for `ingest`.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from context_memory.adapters.indexes.warm_indexes import WarmIndexes
    from context_memory.adapters.jinja_prompts import JinjaPrompts
    from context_memory.adapters.openai_model import OpenAiModel
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import RandomIdentifiers, SystemClock
    from context_memory.application.doorbell import AnswerDoorbell
    from context_memory.application.extract.attempts import Attempts
    from context_memory.application.extract.ending import Ending
    from context_memory.application.extract.following import Following
    from context_memory.application.extract.gathering import Gathering
    from context_memory.application.extract.nearest import Nearest
    from context_memory.application.extract.report import Reporting
    from context_memory.application.extract.run import Run
    from context_memory.application.extract.worker import Extract
    from context_memory.application.forgetting import Forgetting
    from context_memory.application.indexing.publishing import Publishing
    from context_memory.application.kept.letting_go import LetGo
    from context_memory.application.kept.putting_by import PutBy
    from context_memory.application.spending import Spending
    from context_memory.application.taken_out import TakenOut
    from context_memory.bootstrap.indexing import upkeep, users_tables
    from context_memory.bootstrap.keeping import kept_texts, kept_turns
    from context_memory.domain.recall.floors import NONE
    from context_memory.domain.waiting import Patience
    from context_memory.settings.chain import chain_limits
    from context_memory.settings.embedding import EmbeddingSettings
    from context_memory.settings.extract import ExtractSettings
    from context_memory.settings.indexes import IndexSettings

    settings, limits = ExtractSettings.read(environment), chain_limits(environment)
    clients = clients or shared.clients()
    credentials = shared.credentials(clients, {Role.WRITE: settings.write_role_arn})
    telemetry, clock = observability.telemetry("extract", clients, settings), SystemClock()
    table = shared.user_table(clients, credentials, settings.user_table, Role.WRITE)
    store = shared.facts(clients, credentials, settings.user_table, settings.company_table, Role.WRITE)
    payloads = S3TurnPayloads(client=clients.s3, bucket=settings.work_bucket, credentials=credentials)
    turns = kept_turns(clients, credentials, settings.user_table)
    texts = kept_texts(clients, credentials, settings.work_bucket)
    switches = shared.switches(clients, settings, shared.flags(clients, settings, telemetry))
    doorbells = shared.doorbells(clients, settings.facts_queue_url, settings.facts_dead_letter_queue_url)
    budgets = shared.budgets(clients, settings.company_table, clock)
    tokenizer = shared.tokenizers(settings.extraction_model)[0]
    embedder = shared.embedder(clients, EmbeddingSettings.read(environment), clock)
    hasher = shared.hasher(clients, settings.hash_secret_arn)
    forgetting = Forgetting(
        table=table,
        hasher=hasher,
        let_go=LetGo(turns=turns, texts=texts, clock=clock, telemetry=telemetry),
        agenda=shared.agenda(clients, settings.company_table),
        clock=clock,
        telemetry=telemetry,
    )
    run = Run(
        store=store,
        model=OpenAiModel(
            base_url=settings.model_base_url or None,
            api_key=shared.secret(clients, settings.model_key_secret_arn),
            clock=clock,
            try_seconds=settings.model_try_seconds,
        ),
        extraction=settings.extraction_model,
        scrub=settings.scrub_model,
        embedder=embedder,
        nearest=Nearest(indexes=WarmIndexes(floors=NONE), embedder=embedder, telemetry=telemetry),
        prompts=JinjaPrompts(),
        tokenizer=tokenizer,
        identifiers=RandomIdentifiers(),
        forgetting=forgetting,
        taken_out=TakenOut(table=table, forgetting=forgetting),
        following=Following(
            store=store,
            publishing=Publishing(
                indexes=users_tables(clients, credentials, IndexSettings.read(environment), embedder),
                telemetry=telemetry,
            ),
            upkeep=upkeep(clients, settings.company_table, settings.jobs_queue_url, clock, telemetry),
            model=embedder.model if embedder else None,
        ),
        spending=Spending(budgets=budgets, clock=clock, telemetry=telemetry),
        clock=clock,
        telemetry=telemetry,
        limits=limits,
    )
    worker = Extract(
        table=table,
        store=store,
        switches=switches,
        gathering=Gathering(payloads=payloads, switches=switches, tokenizer=tokenizer, clock=clock, limits=limits),
        run=run,
        ladder=shared.ladder(budgets, settings, clock, telemetry),
        attempts=Attempts(store=store, telemetry=telemetry),
        ending=Ending(
            store=store,
            put_by=PutBy(turns=turns, payloads=payloads, texts=texts),
            doorbells=doorbells,
            clock=clock,
            telemetry=telemetry,
            limits=limits,
        ),
        reporting=Reporting(hasher=hasher, telemetry=telemetry),
        clock=clock,
        telemetry=telemetry,
        limits=limits,
    )
    return AnswerDoorbell(
        work=worker,
        stage="extraction",
        doorbells=doorbells,
        patience=Patience(settings.wait_seconds_first, settings.wait_seconds_max),
        clock=clock,
        telemetry=telemetry,
    )
