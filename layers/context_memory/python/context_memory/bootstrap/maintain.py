"""What the function `maintain` needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.bootstrap import observability, shared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.application.erase.replaying import Replayed
    from context_memory.application.maintain.agenda import RingAgenda
    from context_memory.application.maintain.answering import AnswerJob, DoJob
    from context_memory.application.maintain.healing import Heal
    from context_memory.application.maintain.inspecting import Inspect
    from context_memory.application.maintain.naming import TellPseudonym
    from context_memory.application.maintain.redriving import Redrive
    from context_memory.bootstrap.jobs.parts import Parts
    from context_memory.domain.ids import UserKey

# ruff: noqa: PLC0415 - late imports are this package's purpose

_REPLAY_SECONDS, _REPLAYED_AFTER_SECONDS = 20, 60
"""How long a replay sweeps before the operator gets an answer, and when the job comes that does the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintain:
    """Everything that `maintain` is asked for."""

    heal: Heal
    ring_agenda: RingAgenda
    redrive: Redrive
    inspect: Inspect
    tell_pseudonym: TellPseudonym
    replay_erasure: Callable[[UserKey], Replayed]
    start_compactions: Callable[[], int]
    start_summaries: Callable[[], int]
    do_job: DoJob
    answer_job: AnswerJob


def maintain(environment: Mapping[str, str]) -> Maintain:
    """What the function `maintain` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from functools import partial

    from context_memory.adapters.pseudonyms import pseudonym
    from context_memory.application.maintain.agenda import RingAgenda
    from context_memory.application.maintain.answering import AnswerJob, DoJob
    from context_memory.application.maintain.inspecting import Inspect
    from context_memory.application.maintain.naming import TellPseudonym
    from context_memory.application.maintain.redriving import Redrive
    from context_memory.bootstrap.jobs.parts import AT_ONCE
    from context_memory.bootstrap.jobs.workers import workers
    from context_memory.domain.waiting import Patience

    parts = _parts(environment)
    telemetry, clock = parts.telemetry, parts.clock
    do_job = DoJob(workers=workers(parts), telemetry=telemetry)
    return Maintain(
        heal=_heal(parts),
        ring_agenda=RingAgenda(
            agenda=parts.agenda,
            jobs=parts.jobs,
            flags=parts.flags,
            directory=parts.directory,
            clock=clock,
            telemetry=telemetry,
            at_once=AT_ONCE,
        ),
        redrive=Redrive(
            table=parts.table,
            facts=parts.facts(),
            doorbells=parts.doorbells,
            facts_doorbells=parts.facts_doorbells,
            telemetry=telemetry,
        ),
        inspect=Inspect(table=parts.table, facts=parts.facts(), telemetry=telemetry),
        tell_pseudonym=TellPseudonym(pseudonym=partial(pseudonym, parts.hasher), telemetry=telemetry),
        replay_erasure=partial(_replay, parts),
        start_compactions=partial(_start_compactions, parts),
        start_summaries=partial(_start_summaries, parts),
        do_job=do_job,
        answer_job=AnswerJob(do=do_job, jobs=parts.jobs, patience=Patience(), telemetry=telemetry),
    )


def _replay(parts: Parts, user: UserKey) -> Replayed:
    """The job `replay_erasure`; what erases is built when somebody asks for it."""
    erasing = parts.erasing
    request = erasing.request(request_seconds=_REPLAYED_AFTER_SECONDS, sweep_seconds=_REPLAY_SECONDS)
    return erasing.replay(request)(user)


def _start_compactions(parts: Parts) -> int:
    """The job `compactions`."""
    from context_memory.application.compact.starting import StartCompactions
    from context_memory.bootstrap.jobs.beginning import beginning

    start = StartCompactions(asking=beginning(parts), flags=parts.flags, clock=parts.clock, telemetry=parts.telemetry)
    return start()


def _start_summaries(parts: Parts) -> int:
    """The job `summaries`."""
    from context_memory.application.kept.starting import StartSummaries
    from context_memory.bootstrap.jobs.beginning import beginning

    start = StartSummaries(
        asking=beginning(parts), directory=parts.directory, clock=parts.clock, telemetry=parts.telemetry
    )
    return start()


def _parts(environment: Mapping[str, str]) -> Parts:
    from context_memory.adapters.dynamodb.agenda import DynamoAgenda
    from context_memory.adapters.dynamodb.walks import DynamoWalks
    from context_memory.adapters.s3.directory import S3Directory
    from context_memory.adapters.s3.roster import S3Roster
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.sqs import SqsDoorbells
    from context_memory.adapters.sqs_jobs import SqsJobs
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import SystemClock
    from context_memory.bootstrap.jobs.parts import Parts
    from context_memory.bootstrap.keeping import kept_texts, kept_turns
    from context_memory.settings.chain import chain_limits
    from context_memory.settings.embedding import EmbeddingSettings
    from context_memory.settings.indexes import IndexSettings
    from context_memory.settings.maintain import MaintainSettings

    settings = MaintainSettings.read(environment)
    clients = shared.clients()
    own = clients.own_role
    credentials = shared.credentials(
        clients,
        {
            Role.WRITE: settings.write_role_arn,
            Role.ERASE: settings.erase_role_arn,
            Role.LISTER: settings.lister_role_arn,
        },
    )
    telemetry, clock = observability.telemetry("maintain", clients, settings), SystemClock()
    flags = shared.flags(clients, settings, telemetry)
    return Parts(
        settings=settings,
        embedding=EmbeddingSettings.read(environment),
        indexes=IndexSettings.read(environment),
        clients=clients,
        credentials=credentials,
        telemetry=telemetry,
        clock=clock,
        table=shared.user_table(clients, credentials, settings.user_table, Role.WRITE),
        objects=shared.profiles(clients, credentials, settings.profile_bucket, settings.root_folder, Role.WRITE),
        payloads=S3TurnPayloads(client=clients.s3, bucket=settings.work_bucket, credentials=credentials),
        texts=kept_texts(clients, credentials, settings.work_bucket),
        kept_turns=kept_turns(clients, credentials, settings.user_table),
        roster=S3Roster(client=clients.s3, bucket=settings.work_bucket, credentials=credentials),
        directory=S3Directory(
            client=clients.s3,
            bucket=settings.work_bucket,
            profile_bucket=settings.profile_bucket,
            root_folder=settings.root_folder,
            credentials=credentials,
            own_role=own,
        ),
        flags=flags,
        companies=shared.companies(clients, settings.company_table),
        switches=shared.switches(clients, settings, flags),
        budgets=shared.budgets(clients, settings.company_table, clock),
        doorbells=SqsDoorbells(client=clients.bells, queue_url=settings.turns_queue_url, own_role=own),
        facts_doorbells=SqsDoorbells(client=clients.bells, queue_url=settings.facts_queue_url, own_role=own),
        jobs=SqsJobs(client=clients.sqs, queue_url=settings.jobs_queue_url, own_role=own),
        agenda=DynamoAgenda(client=clients.dynamodb, table=settings.company_table, own_role=own),
        walks=DynamoWalks(client=clients.dynamodb, table=settings.company_table, own_role=own),
        hasher=shared.hasher(clients, settings.hash_secret_arn),
        limits=chain_limits(environment),
    )


def _heal(parts: Parts) -> Heal:
    from context_memory.application.kept.putting_by import PutBy
    from context_memory.application.maintain.healing import Heal
    from context_memory.bootstrap.jobs.parts import AT_ONCE

    return Heal(
        directory=parts.directory,
        table=parts.table,
        payloads=parts.payloads,
        put_by=PutBy(turns=parts.kept_turns, payloads=parts.payloads, texts=parts.texts),
        doorbells=parts.doorbells,
        facts_doorbells=parts.facts_doorbells,
        sweep=parts.sweep(),
        switches=parts.switches,
        ladder=shared.ladder(parts.budgets, parts.settings, parts.clock, parts.telemetry),
        clock=parts.clock,
        telemetry=parts.telemetry,
        at_once=AT_ONCE,
    )
