"""What the function `consolidate` needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap import observability, shared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.application.consolidate.worker import Consolidate
    from context_memory.application.doorbell import AnswerDoorbell

# ruff: noqa: PLC0415 - late imports are this package's purpose


def consolidate(environment: Mapping[str, str], clients: AwsClients | None = None) -> AnswerDoorbell[Consolidate]:
    """What the function `consolidate` needs; `clients` as for `ingest`.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from datetime import timedelta

    from context_memory.adapters.eventbridge import EventBridgeNews
    from context_memory.adapters.jinja_prompts import JinjaPrompts
    from context_memory.adapters.openai_model import OpenAiModel
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import RandomIdentifiers, SystemClock
    from context_memory.application.asking.calls import Models
    from context_memory.application.commit.sweeping import Sweep
    from context_memory.application.consolidate.committing import Committing
    from context_memory.application.consolidate.forgetting_facts import ForgetFacts
    from context_memory.application.consolidate.gathering import Gathering
    from context_memory.application.consolidate.run import Run
    from context_memory.application.consolidate.withdrawing import Withdrawing
    from context_memory.application.consolidate.worker import Consolidate
    from context_memory.application.doorbell import AnswerDoorbell
    from context_memory.application.forgetting import Forgetting
    from context_memory.application.spending import Spending
    from context_memory.application.taken_out import TakenOut
    from context_memory.bootstrap.indexing import upkeep
    from context_memory.bootstrap.keeping import let_go
    from context_memory.domain.waiting import Patience
    from context_memory.settings.chain import chain_limits
    from context_memory.settings.consolidate import ConsolidateSettings

    settings, limits = ConsolidateSettings.read(environment), chain_limits(environment)
    clients = clients or shared.clients()
    credentials = shared.credentials(
        clients, {Role.WRITE: settings.write_role_arn, Role.ERASE: settings.erase_role_arn}
    )
    telemetry, clock = observability.telemetry("consolidate", clients, settings), SystemClock()
    table = shared.user_table(clients, credentials, settings.user_table, Role.WRITE)
    objects = shared.profiles(clients, credentials, settings.profile_bucket, settings.root_folder, Role.WRITE)
    payloads = S3TurnPayloads(client=clients.s3, bucket=settings.work_bucket, credentials=credentials)
    switches = shared.switches(clients, settings, shared.flags(clients, settings, telemetry))
    doorbells = shared.doorbells(clients, settings.turns_queue_url, settings.dead_letter_queue_url)
    budgets = shared.budgets(clients, settings.company_table, clock)
    tokenizers = shared.tokenizers(settings.consolidation_model)
    prompts = JinjaPrompts()
    going = let_go(
        clients,
        credentials,
        user_table=settings.user_table,
        work_bucket=settings.work_bucket,
        clock=clock,
        telemetry=telemetry,
    )
    forgetting = Forgetting(
        table=table,
        hasher=shared.hasher(clients, settings.hash_secret_arn),
        let_go=going,
        agenda=shared.agenda(clients, settings.company_table),
        clock=clock,
        telemetry=telemetry,
    )
    facts = shared.facts(clients, credentials, settings.user_table, settings.company_table, Role.WRITE)
    forget_facts = ForgetFacts(
        store=facts,
        forgetting=forgetting,
        withdrawing=Withdrawing(table=table, store=facts, let_go=going, tokens=tokenizers[0].count, clock=clock),
        clock=clock,
        telemetry=telemetry,
    )
    following = shared.following(clients, settings.company_table, settings.jobs_queue_url, clock, telemetry)
    commit = Committing(
        objects=objects,
        table=table,
        prompts=prompts,
        tokenizers=tokenizers,
        forgetting=forgetting,
        following=following,
        sweep=Sweep(
            objects=objects,
            table=table,
            clock=clock,
            telemetry=telemetry,
            age=timedelta(seconds=settings.sweep_age_seconds),
        ),
        clock=clock,
        telemetry=telemetry,
    )
    run = Run(
        table=table,
        objects=objects,
        switches=switches,
        model=OpenAiModel(
            base_url=settings.model_base_url or None,
            api_key=shared.secret(clients, settings.model_key_secret_arn),
            clock=clock,
            try_seconds=settings.model_try_seconds,
        ),
        models=Models(
            gate=settings.gate_model,
            consolidation=settings.consolidation_model,
            scrub=settings.scrub_model,
            small=settings.small_model,
        ),
        prompts=prompts,
        tokenizer=tokenizers[0],
        identifiers=RandomIdentifiers(),
        clock=clock,
        telemetry=telemetry,
        forgetting=forgetting,
        taken_out=TakenOut(table=table, forgetting=forgetting),
        forget_facts=forget_facts,
        commit=commit,
        upkeep=upkeep(clients, settings.company_table, settings.jobs_queue_url, clock, telemetry),
        spending=Spending(budgets=budgets, clock=clock, telemetry=telemetry),
        limits=limits,
    )
    worker = Consolidate.over(
        table=table,
        payloads=payloads,
        switches=switches,
        doorbells=doorbells,
        facts_doorbells=shared.doorbells(clients, settings.facts_queue_url),
        gathering=Gathering(
            table=table,
            payloads=payloads,
            switches=switches,
            model=settings.consolidation_model,
            models=settings.models,
            tokenizer=tokenizers[0],
            clock=clock,
            limits=limits,
        ),
        run=run,
        ladder=shared.ladder(budgets, settings, clock, telemetry),
        news=EventBridgeNews(client=clients.events, bus=settings.event_bus, own_role=clients.own_role),
        following=following,
        clock=clock,
        telemetry=telemetry,
        limits=limits,
    )
    return AnswerDoorbell(
        work=worker,
        stage="consolidation",
        doorbells=doorbells,
        patience=Patience(settings.wait_seconds_first, settings.wait_seconds_max),
        clock=clock,
        telemetry=telemetry,
    )
