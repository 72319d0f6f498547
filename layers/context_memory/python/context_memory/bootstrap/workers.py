"""Who does which job of `maintain`. Each worker is built when its first job comes, with the imports that it takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from context_memory.domain.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from context_memory.adapters.appconfig_flags import AppConfigFlags
    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.adapters.company_switches import CompanySwitches
    from context_memory.adapters.dynamodb.agenda import DynamoAgenda
    from context_memory.adapters.dynamodb.user_table import DynamoUserTable
    from context_memory.adapters.s3.directory import S3Directory
    from context_memory.adapters.s3.profile_objects import S3ProfileObjects
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.sqs import SqsDoorbells
    from context_memory.adapters.sqs_jobs import SqsJobs
    from context_memory.adapters.sts import UserCredentials
    from context_memory.application.maintain.answering import Work
    from context_memory.domain.jobs import JobKind
    from context_memory.ports.companies import Budgets
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.trust import Hasher
    from context_memory.settings import MaintainSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What `maintain` has anyway, for workers to be built from. Stores are read in the write role."""

    settings: MaintainSettings
    clients: AwsClients
    credentials: UserCredentials
    telemetry: Telemetry
    clock: Clock
    table: DynamoUserTable
    objects: S3ProfileObjects
    payloads: S3TurnPayloads
    directory: S3Directory
    flags: AppConfigFlags
    switches: CompanySwitches
    budgets: Budgets
    doorbells: SqsDoorbells
    jobs: SqsJobs
    agenda: DynamoAgenda
    hasher: Hasher


WORKERS: Mapping[JobKind, Callable[[Parts], Work[Any]]] = {}
"""The builder for each kind of job that this release does."""


def workers(
    parts: Parts, table: Mapping[JobKind, Callable[[Parts], Work[Any]]] = WORKERS
) -> Callable[[JobKind], Work[Any]]:
    """Gives the worker for a kind of job, each built once."""

    @cache
    def worker(kind: JobKind) -> Work[Any]:
        if kind not in table:
            raise InvalidInput("job", "is none that this release does")
        return table[kind](parts)

    return worker
