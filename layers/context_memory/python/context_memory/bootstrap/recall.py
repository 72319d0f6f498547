"""What the function `recall` needs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from context_memory.bootstrap import observability, shared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.adapters.indexes.standing import Named
    from context_memory.adapters.sts import UserCredentials
    from context_memory.application.locks import Locks
    from context_memory.application.recall.citing import Cite
    from context_memory.application.recall.recalling import Recall
    from context_memory.contracts.http import Request
    from context_memory.domain.recall.floors import Floors
    from context_memory.domain.spaces import Backend
    from context_memory.ports.indexes import Backend as FindsFacts
    from context_memory.ports.telemetry import Audit, Telemetry
    from context_memory.settings.indexes import IndexSettings

# ruff: noqa: PLC0415 - late imports are this package's purpose

_SNAPSHOTS = Path("/tmp/snapshots")  # noqa: S108 - the only folder of a function that can be written to
_AT_ONCE = 8
"""Threads: three scopes, the prompt, a worker's parent, the profile, the vector, and a space not known yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallFunction:
    """What its handler uses."""

    recall: Recall
    cite: Cite
    locks: Locks
    linked: Callable[[Request], Request]
    audit: Audit
    telemetry: Telemetry


@shared.without_collections()
def recall(environment: Mapping[str, str]) -> RecallFunction:
    """What the function `recall` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from concurrent.futures import ThreadPoolExecutor

    from context_memory.adapters.dynamodb.facts import DynamoFacts
    from context_memory.adapters.dynamodb.prompt_memories import DynamoPromptMemories
    from context_memory.adapters.dynamodb.state import DynamoUserStates
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.adapters.sqs_jobs import SqsJobs
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import SystemClock
    from context_memory.application.recall.ahead import Asking
    from context_memory.application.recall.answering import Answering
    from context_memory.application.recall.bullets import ProfileBullets
    from context_memory.application.recall.citing import Cite
    from context_memory.application.recall.mending import Mending
    from context_memory.application.recall.recalling import Recall
    from context_memory.application.recall.scopes import WarmScopes
    from context_memory.application.recall.vectors import QueryVectors
    from context_memory.settings.embedding import EmbeddingSettings
    from context_memory.settings.facts import FactsSettings
    from context_memory.settings.indexes import IndexSettings
    from context_memory.settings.recall import RecallSettings

    settings, facts_settings = RecallSettings.read(environment), FactsSettings.read(environment)
    clients = shared.clients_where_somebody_waits()
    credentials = shared.credentials(clients, {Role.RECALL: settings.recall_role_arn})
    table = Table(client=clients.dynamodb, name=settings.user_table, credentials=credentials, reading_as=Role.RECALL)
    writes = Writes(table=table, role=Role.RECALL)
    objects = shared.profiles(clients, credentials, settings.profile_bucket, settings.root_folder, Role.RECALL)
    clock = SystemClock()
    states, facts = DynamoUserStates(table), DynamoFacts(writes, settings.company_table)
    prompts = DynamoPromptMemories(writes, clock.now)
    warm, bullets = WarmScopes(facts), ProfileBullets(states, objects)
    executor = ThreadPoolExecutor(max_workers=_AT_ONCE)
    embedder = shared.embedder(clients, EmbeddingSettings.read(environment), clock)
    # Last of all: from here on threads fetch the key that users are hashed with, and the operator's switches.
    telemetry, audit = observability.telemetry_and_audit("recall", clients, settings, clock)
    switches = shared.switches(clients, settings, shared.flags_ahead(clients, settings, telemetry))
    vectors = QueryVectors(embedder=embedder, executor=executor, clock=clock, telemetry=telemetry)
    queue = SqsJobs(client=clients.bells, queue_url=settings.jobs_queue_url, own_role=clients.own_role)
    mending = Mending(jobs=queue, executor=executor, clock=clock, telemetry=telemetry)
    locks = shared.locks(settings.company_locks, settings.trust)
    return RecallFunction(
        recall=Recall(
            table=states,
            prompts=prompts,
            switches=switches,
            asking=Asking(warm=warm, prompts=prompts, bullets=bullets, vectors=vectors, executor=executor),
            answering=Answering(
                backends={
                    **_backends(clients, settings.work_bucket, credentials, facts.named, facts_settings.floors),
                    **_tables(clients, credentials, IndexSettings.read(environment), facts.named),
                },
                warm=warm,
                bullets=bullets,
                prompts=prompts,
                mending=mending,
                shares=facts_settings.shares,
                clock=clock,
                telemetry=telemetry,
            ),
            clock=clock,
            telemetry=telemetry,
            executor=executor,
        ),
        cite=Cite(
            table=states,
            prompts=prompts,
            facts=facts,
            warm=warm,
            switches=switches,
            telemetry=telemetry,
            executor=executor,
        ),
        locks=locks,
        linked=shared.linked(clients, settings.company_table, locks),
        audit=audit,
        telemetry=telemetry,
    )


def _backends(
    clients: AwsClients, work_bucket: str, credentials: UserCredentials, named: Named, floors: Floors
) -> Mapping[Backend, FindsFacts]:
    """The backends that every environment has."""
    from functools import partial

    from context_memory.adapters.indexes.in_memory import InMemoryIndex
    from context_memory.adapters.indexes.kept_snapshots import KeptSnapshots
    from context_memory.adapters.indexes.warm_indexes import WarmIndexes
    from context_memory.adapters.s3.snapshots import S3Snapshots
    from context_memory.adapters.sqlite_backend import SqliteBackend
    from context_memory.adapters.sts import Role
    from context_memory.domain.recall.floors import NONE
    from context_memory.domain.spaces import Backend

    published = S3Snapshots(client=clients.s3, bucket=work_bucket, credentials=credentials, role=Role.RECALL)
    snapshots = KeptSnapshots(published, _SNAPSHOTS, named, floors=floors)
    # What was found is near already, and its mean is that of what is near: no floor fits there.
    among = partial(InMemoryIndex, floors=NONE)
    # Indexes of their own: a profile's bullets and a user's facts are indexed under the same scope.
    return {
        name: SqliteBackend(indexes=WarmIndexes(floors=floors), snapshots=snapshots, among=among)
        for name in (Backend.SQLITE_FTS, Backend.MARKDOWN_FTS)
    }


def _tables(
    clients: AwsClients, credentials: UserCredentials, settings: IndexSettings, named: Named
) -> Mapping[Backend, FindsFacts]:
    """LanceDB's tables, where the environment has them: read with the credentials of the user who asks."""
    if not settings.lance_function:
        return {}
    from functools import partial

    from context_memory.adapters.indexes.in_memory import InMemoryIndex
    from context_memory.adapters.lance_backend import LanceBackend
    from context_memory.adapters.lance_function import LanceFunction
    from context_memory.adapters.sts import Role
    from context_memory.domain.recall.floors import NONE
    from context_memory.domain.spaces import Backend

    function = LanceFunction(client=clients.functions, function=settings.lance_function, own_role=clients.own_role)
    return {
        Backend.LANCE: LanceBackend(
            ask=function.ask,
            lender=lambda user: credentials.lent(user, Role.RECALL),
            named=named,
            among=partial(InMemoryIndex, floors=NONE),
        )
    }
