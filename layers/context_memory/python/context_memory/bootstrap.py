"""The one place that picks adapters. Each function builds what it needs, once, while its environment starts.

Imports stand inside the functions that need them: what load does not import, no user waits for.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.adapters.dynamodb.user_table import DynamoUserTable
    from context_memory.adapters.s3.profile_objects import S3ProfileObjects
    from context_memory.adapters.sqs import SqsDoorbells
    from context_memory.adapters.sts import Role, UserCredentials
    from context_memory.application.consolidate.doorbell import AnswerDoorbell
    from context_memory.application.ingest import Ingest
    from context_memory.application.load import LegacyPointer, Load
    from context_memory.application.maintain.healing import Heal
    from context_memory.application.maintain.redriving import Redrive
    from context_memory.application.turn_status import TurnStatusQuery
    from context_memory.domain.ids import UserKey
    from context_memory.domain.tokens import Tokenizer
    from context_memory.ports import Clock, Telemetry

# ruff: noqa: PLC0415 - late imports are this module's purpose

ENCODINGS = ("o200k_base", "cl100k_base")
"""Encodings that the index counts in."""


@contextmanager
def _without_collections() -> Iterator[None]:
    """Collect no garbage while a function starts: what is imported and built stays, and would only be walked through.

    What is there at the end is left out of later collections, too.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@_without_collections()
def load(environment: Mapping[str, str]) -> tuple[Load, Telemetry]:
    """What the function `load` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from concurrent.futures import ThreadPoolExecutor

    from context_memory.adapters.configured_switches import ConfiguredSwitches
    from context_memory.adapters.dynamodb.state import DynamoUserStates
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.powertools_telemetry import PowertoolsTelemetry
    from context_memory.adapters.sqs import SqsDoorbells
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import SystemClock
    from context_memory.application.load import Load
    from context_memory.settings import LoadSettings

    settings = LoadSettings.read(environment)
    clients = _clients()
    credentials = _credentials(clients, {Role.READ: settings.read_role_arn})
    telemetry = PowertoolsTelemetry(service="load")
    table = Table(client=clients.dynamodb, name=settings.user_table, credentials=credentials)
    use_case = Load(
        table=DynamoUserStates(table),
        objects=_profiles(clients, credentials, settings.profile_bucket, settings.root_folder, Role.READ),
        switches=ConfiguredSwitches(settings.switches),
        doorbells=SqsDoorbells(client=clients.sqs, queue_url=settings.turns_queue_url, own_role=clients.own_role),
        clock=SystemClock(),
        telemetry=telemetry,
        executor=ThreadPoolExecutor(max_workers=1),
        legacy=_legacy,
    )
    return use_case, telemetry


@_without_collections()
def ingest(
    environment: Mapping[str, str], clients: AwsClients | None = None
) -> tuple[Ingest, TurnStatusQuery, Clock, Telemetry]:
    """What the function `ingest` needs; tests pass `clients` of their own, to be on the wire.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from context_memory.adapters.configured_switches import ConfiguredSwitches
    from context_memory.adapters.powertools_telemetry import PowertoolsTelemetry
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.sqs import SqsDoorbells
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import RandomIdentifiers, SystemClock
    from context_memory.application.ingest import Ingest
    from context_memory.application.turn_status import TurnStatusQuery
    from context_memory.settings import IngestSettings

    settings = IngestSettings.read(environment)
    clients = clients or _clients()
    credentials = _credentials(clients, {Role.READ: settings.read_role_arn, Role.WRITE: settings.write_role_arn})
    telemetry, clock = PowertoolsTelemetry(service="ingest"), SystemClock()
    accept = Ingest(
        table=_user_table(clients, credentials, settings.user_table, Role.WRITE),
        payloads=S3TurnPayloads(client=clients.s3, bucket=settings.work_bucket, credentials=credentials),
        switches=ConfiguredSwitches(settings.switches),
        doorbells=SqsDoorbells(client=clients.sqs, queue_url=settings.turns_queue_url, own_role=clients.own_role),
        clock=clock,
        identifiers=RandomIdentifiers(),
        telemetry=telemetry,
    )
    status = TurnStatusQuery(table=_user_table(clients, credentials, settings.user_table, Role.READ))
    return accept, status, clock, telemetry


def consolidate(environment: Mapping[str, str], clients: AwsClients | None = None) -> AnswerDoorbell:
    """What the function `consolidate` needs; `clients` as for `ingest`.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from datetime import timedelta

    from context_memory.adapters.configured_switches import ConfiguredSwitches
    from context_memory.adapters.jinja_prompts import JinjaPrompts
    from context_memory.adapters.openai_model import OpenAiModel
    from context_memory.adapters.powertools_telemetry import PowertoolsTelemetry
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.secrets import KeyedHasher, LateSecret
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import RandomIdentifiers, SystemClock
    from context_memory.application.consolidate.calls import Models
    from context_memory.application.consolidate.doorbell import AnswerDoorbell
    from context_memory.application.consolidate.gathering import Gathering
    from context_memory.application.consolidate.run import Run
    from context_memory.application.consolidate.worker import Consolidate
    from context_memory.application.sweeping import Sweep
    from context_memory.domain.waiting import Patience
    from context_memory.settings import ConsolidateSettings, chain_limits

    settings, limits = ConsolidateSettings.read(environment), chain_limits(environment)
    clients = clients or _clients()
    credentials = _credentials(clients, {Role.WRITE: settings.write_role_arn, Role.ERASE: settings.erase_role_arn})
    telemetry, clock = PowertoolsTelemetry(service="consolidate"), SystemClock()
    table = _user_table(clients, credentials, settings.user_table, Role.WRITE)
    objects = _profiles(clients, credentials, settings.profile_bucket, settings.root_folder, Role.WRITE)
    payloads = S3TurnPayloads(client=clients.s3, bucket=settings.work_bucket, credentials=credentials)
    switches = ConfiguredSwitches(settings.switches)
    doorbells = _doorbells(clients, settings.turns_queue_url, settings.dead_letter_queue_url)
    tokenizers = _tokenizers(settings.consolidation_model)
    run = Run(
        table=table,
        objects=objects,
        switches=switches,
        model=OpenAiModel(
            base_url=settings.model_base_url or None,
            api_key=LateSecret(
                client=clients.secrets, secret_id=settings.model_key_secret_arn, own_role=clients.own_role
            ),
            clock=clock,
            try_seconds=settings.model_try_seconds,
        ),
        models=Models(gate=settings.gate_model, consolidation=settings.consolidation_model, scrub=settings.scrub_model),
        prompts=JinjaPrompts(),
        tokenizers=tokenizers,
        identifiers=RandomIdentifiers(),
        hasher=KeyedHasher(
            LateSecret(client=clients.secrets, secret_id=settings.hash_secret_arn, own_role=clients.own_role)
        ),
        clock=clock,
        telemetry=telemetry,
        sweep=Sweep(
            objects=objects,
            table=table,
            clock=clock,
            telemetry=telemetry,
            age=timedelta(seconds=settings.sweep_age_seconds),
        ),
        limits=limits,
    )
    worker = Consolidate(
        table=table,
        payloads=payloads,
        switches=switches,
        doorbells=doorbells,
        gathering=Gathering(
            table=table, payloads=payloads, switches=switches, tokenizer=tokenizers[0], clock=clock, limits=limits
        ),
        run=run,
        clock=clock,
        telemetry=telemetry,
        limits=limits,
    )
    return AnswerDoorbell(
        consolidate=worker,
        doorbells=doorbells,
        patience=Patience(settings.wait_seconds_first, settings.wait_seconds_max),
        clock=clock,
        telemetry=telemetry,
    )


def maintain(environment: Mapping[str, str]) -> tuple[Heal, Redrive]:
    """What the function `maintain` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from datetime import timedelta

    from context_memory.adapters.powertools_telemetry import PowertoolsTelemetry
    from context_memory.adapters.s3.directory import S3Directory
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.sqs import SqsDoorbells
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import SystemClock
    from context_memory.application.maintain.healing import Heal
    from context_memory.application.maintain.redriving import Redrive
    from context_memory.application.sweeping import Sweep
    from context_memory.settings import MaintainSettings

    settings = MaintainSettings.read(environment)
    clients = _clients()
    credentials = _credentials(
        clients,
        {
            Role.WRITE: settings.write_role_arn,
            Role.ERASE: settings.erase_role_arn,
            Role.LISTER: settings.lister_role_arn,
        },
    )
    telemetry, clock = PowertoolsTelemetry(service="maintain"), SystemClock()
    table = _user_table(clients, credentials, settings.user_table, Role.WRITE)
    doorbells = SqsDoorbells(client=clients.sqs, queue_url=settings.turns_queue_url, own_role=clients.own_role)
    heal = Heal(
        directory=S3Directory(
            client=clients.s3, bucket=settings.work_bucket, credentials=credentials, own_role=clients.own_role
        ),
        table=table,
        payloads=S3TurnPayloads(client=clients.s3, bucket=settings.work_bucket, credentials=credentials),
        doorbells=doorbells,
        sweep=Sweep(
            objects=_profiles(clients, credentials, settings.profile_bucket, settings.root_folder, Role.WRITE),
            table=table,
            clock=clock,
            telemetry=telemetry,
            age=timedelta(seconds=settings.sweep_age_seconds),
        ),
        clock=clock,
        telemetry=telemetry,
    )
    return heal, Redrive(table=table, doorbells=doorbells, telemetry=telemetry)


def _clients() -> AwsClients:
    from context_memory.adapters.aws_clients import AwsClients

    return AwsClients()


def _credentials(clients: AwsClients, roles: Mapping[Role, str]) -> UserCredentials:
    from context_memory.adapters.sts import UserCredentials

    return UserCredentials(sts=clients.sts, role_arns=roles, own_role=clients.own_role)


def _user_table(clients: AwsClients, credentials: UserCredentials, name: str, reading_as: Role) -> DynamoUserTable:
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.user_table import DynamoUserTable

    table = Table(client=clients.dynamodb, name=name, credentials=credentials, reading_as=reading_as)
    return DynamoUserTable(table)


def _profiles(
    clients: AwsClients, credentials: UserCredentials, bucket: str, root_folder: str, reading_as: Role
) -> S3ProfileObjects:
    from context_memory.adapters.s3.profile_objects import S3ProfileObjects

    return S3ProfileObjects(
        client=clients.s3, bucket=bucket, root_folder=root_folder, credentials=credentials, reading_as=reading_as
    )


def _doorbells(clients: AwsClients, queue_url: str, dead_letter_queue_url: str) -> SqsDoorbells:
    from context_memory.adapters.sqs import SqsDoorbells

    return SqsDoorbells(
        client=clients.sqs,
        queue_url=queue_url,
        dead_letter_queue_url=dead_letter_queue_url,
        own_role=clients.own_role,
    )


def _tokenizers(model: str) -> Sequence[Tokenizer]:
    """One for each encoding of the index; first the one that the cap of `model` is counted with."""
    from context_memory.adapters.tiktoken_tokenizer import TiktokenTokenizer
    from context_memory.domain.encodings import encoding_for

    own = encoding_for(model)
    return [TiktokenTokenizer(name) for name in sorted(ENCODINGS, key=lambda name: name != own)]


def _legacy(body: bytes, user: UserKey) -> LegacyPointer | None:
    """Read a legacy file, with the imports that takes."""
    from context_memory.application.legacy import as_committed

    return as_committed(body, user, _tokenizers(""))
