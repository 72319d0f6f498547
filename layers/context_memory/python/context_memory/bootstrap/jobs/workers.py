"""Who does which job of `maintain`. Each worker is built when its first job comes, with the imports that it takes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from context_memory.domain.errors import InvalidInput
from context_memory.domain.jobs import JobKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from context_memory.application.maintain.answering import Work
    from context_memory.bootstrap.jobs.parts import Parts
    from context_memory.domain.jobs import CompanyJob, MergeJob, ScopeJob, UserJob, WalkJob

# ruff: noqa: PLC0415 - late imports are this package's purpose


def _redact(parts: Parts) -> Work[UserJob]:
    from context_memory.application.maintain.redacting import Redact

    return Redact(
        table=parts.table,
        objects=parts.objects,
        forgetting=parts.forgetting(),
        sweep=parts.sweep(),
        agenda=parts.agenda,
        jobs=parts.jobs,
        clock=parts.clock,
        telemetry=parts.telemetry,
    )


def _tidy(parts: Parts) -> Work[UserJob]:
    from context_memory.application.maintain.tidying import Tidy

    return Tidy(
        table=parts.table,
        sweep=parts.sweep(),
        company=lambda company_id: parts.companies.settings(company_id).settings,
        agenda=parts.agenda,
        jobs=parts.jobs,
        clock=parts.clock,
        telemetry=parts.telemetry,
    )


def _walk(parts: Parts) -> Work[WalkJob]:
    from datetime import timedelta

    from context_memory.application.walks.walking import WalkOn
    from context_memory.bootstrap.jobs.parts import AT_ONCE
    from context_memory.bootstrap.jobs.walks import afterwards, steps

    return WalkOn(
        walks=parts.walks,
        directory=parts.directory,
        step_of=steps(parts),
        afterwards=afterwards(parts),
        jobs=parts.jobs,
        agenda=parts.agenda,
        clock=parts.clock,
        telemetry=parts.telemetry,
        at_once=AT_ONCE,
        # What is known of a company serves so long, and whoever knew it runs no longer than between two sweeps.
        closing=timedelta(seconds=parts.settings.flags_stale_seconds + parts.settings.erase_settle_seconds),
    )


def _expire(parts: Parts) -> Work[CompanyJob]:
    from context_memory.application.walks.expiring import StartExpiry
    from context_memory.bootstrap.jobs.beginning import beginning

    return StartExpiry(asking=beginning(parts), companies=parts.companies, agenda=parts.agenda, clock=parts.clock)


def _follow_up(parts: Parts) -> Work[UserJob]:
    from context_memory.bootstrap.jobs.following import follow_up

    return follow_up(parts)


def _check_facts(parts: Parts) -> Work[UserJob]:
    from context_memory.bootstrap.jobs.following import check_facts

    return check_facts(parts)


def _legacy(parts: Parts) -> Work[UserJob]:
    from context_memory.bootstrap.jobs.following import clean_up_legacy

    return clean_up_legacy(parts)


def _erase(parts: Parts) -> Work[UserJob]:
    from context_memory.adapters.eventbridge import EventBridgeNews

    clients = parts.clients
    news = EventBridgeNews(client=clients.events, bus=parts.settings.event_bus, own_role=clients.own_role)
    return parts.erasing.job(news)


def _merge(parts: Parts) -> Work[MergeJob]:
    from context_memory.bootstrap.merging import work_on_merge

    settings = parts.settings
    return work_on_merge(
        parts.clients,
        parts.credentials,
        user_table=settings.user_table,
        company_table=settings.company_table,
        work_bucket=settings.work_bucket,
        cap=lambda company_id: parts.companies.settings(company_id).settings.facts_cap,
        forgetting=parts.forgetting(),
        jobs=parts.jobs,
        agenda=parts.agenda,
        clock=parts.clock,
        telemetry=parts.telemetry,
    )


def _embed(parts: Parts) -> Work[UserJob]:
    from context_memory.bootstrap.jobs.refreshing import refresh_user

    return refresh_user(parts)


def _publish(parts: Parts) -> Work[ScopeJob]:
    from context_memory.bootstrap.jobs.refreshing import refresh_shared

    return refresh_shared(parts)


WORKERS: Mapping[JobKind, Callable[[Parts], Work[Any]]] = {
    JobKind.REDACT: _redact,
    JobKind.TIDY: _tidy,
    JobKind.WALK: _walk,
    JobKind.FOLLOW_UP: _follow_up,
    JobKind.CONDENSE: _follow_up,
    JobKind.LEGACY: _legacy,
    JobKind.ERASE: _erase,
    JobKind.EXPIRE: _expire,
    JobKind.MERGE: _merge,
    JobKind.EMBED: _embed,
    JobKind.CHECK_FACTS: _check_facts,
    JobKind.PUBLISH: _publish,
}
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
