"""What a walk does for each user, by its kind; built when the first walk of that kind comes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from context_memory.domain.errors import InvalidInput
from context_memory.domain.walks import WalkKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.application.erase.requesting import RequestErase
    from context_memory.application.walks.walking import Afterwards, Step
    from context_memory.bootstrap.jobs.parts import Parts

# ruff: noqa: PLC0415 - late imports are this package's purpose

_SWEEP_SECONDS = 10.0
"""How long a walk sweeps for one user; whoever has more is left to their own job."""
_ERASED_AFTER_SECONDS = 60
"""When that job first looks: once the walk's own sweep is over."""


def _condense(parts: Parts) -> Step:
    from context_memory.application.walks.condensing import Condense

    return Condense(table=parts.table, companies=parts.companies, jobs=parts.jobs)


def _migrate(parts: Parts) -> Step:
    from context_memory.application.walks.migrating import Migrate

    return Migrate(change=parts.change(), jobs=parts.jobs)


def _unlearn(parts: Parts) -> Step:
    from context_memory.application.walks.unlearning import UnlearnUser

    return UnlearnUser(change=parts.change(), table=parts.table, facts=parts.rewrite_facts())


def _erase(parts: Parts) -> Step:
    from context_memory.application.walks.erasing import EraseUser

    return EraseUser(request=_request(parts), tombstones=parts.erasing.tombstones)


def _erase_shared(parts: Parts) -> Afterwards:
    from context_memory.adapters.dynamodb.company_table import CompanyTable
    from context_memory.adapters.dynamodb.links_of_users import DynamoLinksOfUsers
    from context_memory.adapters.dynamodb.merges import DynamoMerges
    from context_memory.adapters.dynamodb.shared_facts import DynamoSharedFacts
    from context_memory.adapters.s3.shared_indexes import S3SharedIndexes
    from context_memory.application.walks.erasing import EraseShared

    clients, own = parts.clients, parts.clients.own_role
    table = CompanyTable(client=clients.dynamodb, name=parts.settings.company_table, own_role=own)
    return EraseShared(
        facts=DynamoSharedFacts(table, parts.clock.now),
        indexes=S3SharedIndexes(client=clients.s3, bucket=parts.settings.work_bucket, own_role=own),
        merges=DynamoMerges(table),
        links=DynamoLinksOfUsers(table),
        telemetry=parts.telemetry,
    )


def _expire(parts: Parts) -> Step:
    from context_memory.application.walks.expiring import ExpireUser

    return ExpireUser(request=_request(parts), table=parts.table, clock=parts.clock)


def _compact(parts: Parts) -> Step:
    from datetime import timedelta

    from context_memory.application.compact.looking import Looking
    from context_memory.application.compact.topics import MergeTopics
    from context_memory.application.walks.compacting import CompactUser
    from context_memory.bootstrap import shared
    from context_memory.bootstrap.jobs.following import asking

    settings = parts.settings
    tokens = shared.tokenizers(settings.consolidation_model)[0].count
    return CompactUser(
        shelf=parts.shelves(typed=False),
        looking=Looking(switches=parts.switches),
        topics=MergeTopics(
            change=parts.change(), model=settings.consolidation_model, tokens=tokens, telemetry=parts.telemetry
        ),
        asking=asking(parts),
        age=timedelta(days=settings.compaction_age_days),
        model=settings.consolidation_model,
        tokens=tokens,
    )


def _summarise(parts: Parts) -> Step:
    from context_memory.bootstrap.jobs.summarising import summarise_user

    return summarise_user(parts)


def _request(parts: Parts) -> RequestErase:
    return parts.erasing.request(request_seconds=_ERASED_AFTER_SECONDS, sweep_seconds=_SWEEP_SECONDS)


STEPS: Mapping[WalkKind, Callable[[Parts], Step]] = {
    WalkKind.CONDENSE: _condense,
    WalkKind.MIGRATE: _migrate,
    WalkKind.UNLEARN: _unlearn,
    WalkKind.ERASE: _erase,
    WalkKind.EXPIRE: _expire,
    WalkKind.COMPACT: _compact,
    WalkKind.SUMMARISE: _summarise,
}
"""The builder for each kind of walk that this release goes."""


def steps(parts: Parts) -> Callable[[WalkKind], Step]:
    """Gives the step of a kind, each built once."""

    @cache
    def step_of(kind: WalkKind) -> Step:
        if kind not in STEPS:
            raise InvalidInput("job", "is none that this release does")
        return STEPS[kind](parts)

    return step_of


def afterwards(parts: Parts) -> Callable[[WalkKind], Afterwards]:
    """Gives what a walk of a kind does for the company itself, once it has met all users."""
    from context_memory.application.walks.walking import nothing_more

    return lambda kind: _erase_shared(parts) if kind is WalkKind.ERASE else nothing_more
