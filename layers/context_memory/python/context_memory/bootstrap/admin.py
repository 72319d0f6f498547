"""What the function `admin` needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.bootstrap import shared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.application.administration import Administration
    from context_memory.application.facts.shared_web import SharedFactRoutes
    from context_memory.application.locks import Locks
    from context_memory.application.spaces import SpaceAdministration
    from context_memory.application.walks.asking import Asking
    from context_memory.bootstrap.links import Links
    from context_memory.ports.telemetry import Audit, Telemetry

# ruff: noqa: PLC0415 - late imports are this package's purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Admin:
    """Use cases of administrators, and what stands around them."""

    company: Administration
    spaces: SpaceAdministration
    jobs: Asking
    facts: Callable[[], SharedFactRoutes]
    links: Links
    locks: Locks
    audit: Audit
    telemetry: Telemetry


@shared.without_collections()
def admin(environment: Mapping[str, str]) -> Admin:
    """What the function `admin` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from functools import cache, partial

    from context_memory.adapters.audit_log import AuditLog
    from context_memory.adapters.dynamodb.agenda import DynamoAgenda
    from context_memory.adapters.dynamodb.walks import DynamoWalks
    from context_memory.adapters.powertools_telemetry import PowertoolsTelemetry
    from context_memory.adapters.sqs_jobs import SqsJobs
    from context_memory.adapters.system import RandomIdentifiers, SystemClock
    from context_memory.application.administration import Administration
    from context_memory.application.spaces import SpaceAdministration
    from context_memory.application.walks.asking import Asking
    from context_memory.bootstrap.links import links
    from context_memory.settings.admin import AdminSettings

    settings = AdminSettings.read(environment)
    clients = shared.clients_where_somebody_waits()
    # Neither lines nor records of this function are about a user: it needs no key to hash users with.
    telemetry = PowertoolsTelemetry(service="admin", namespace=settings.metrics_namespace)
    clock, companies = SystemClock(), shared.companies(clients, settings.company_table)
    agenda = DynamoAgenda(client=clients.dynamodb, table=settings.company_table, own_role=clients.own_role)
    queue = SqsJobs(client=clients.bells, queue_url=settings.jobs_queue_url, own_role=clients.own_role)
    jobs = Asking(
        walks=DynamoWalks(client=clients.dynamodb, table=settings.company_table, own_role=clients.own_role),
        companies=companies,
        jobs=queue,
        agenda=agenda,
        clock=clock,
        identifiers=RandomIdentifiers(),
        telemetry=telemetry,
    )

    @cache
    def facts() -> SharedFactRoutes:
        from context_memory.adapters.dynamodb.company_table import CompanyTable
        from context_memory.adapters.dynamodb.shared_facts import DynamoSharedFacts
        from context_memory.adapters.jinja_prompts import JinjaPrompts
        from context_memory.application.facts.shared_shelf import SharedShelf
        from context_memory.application.facts.shared_web import SharedFactRoutes
        from context_memory.bootstrap.indexing import upkeep
        from context_memory.settings.embedding import EmbeddingSettings

        table = CompanyTable(client=clients.dynamodb, name=settings.company_table, own_role=clients.own_role)
        store, tokenizers = DynamoSharedFacts(table, clock.now), shared.tokenizers("")
        shelf = partial(SharedShelf, store=store, company=companies.settings, own_sentences=JinjaPrompts().sentences)
        embedder = shared.embedder(clients, EmbeddingSettings.read(environment), clock)
        routes = shared.fact_routes(lambda: tokenizers, lambda: embedder, clock, telemetry)
        following = upkeep(clients, settings.company_table, settings.jobs_queue_url, clock, telemetry)
        return SharedFactRoutes(facts=routes, shelf=lambda scope: shelf(scope=scope), written=following.of_shared)

    return Admin(
        company=Administration(
            flags=shared.flags(clients, settings, telemetry),
            companies=companies,
            ladder=shared.ladder(shared.budgets(clients, settings.company_table, clock), settings, clock, telemetry),
            jobs=jobs,
            agenda=agenda,
            clock=clock,
            telemetry=telemetry,
        ),
        spaces=SpaceAdministration(
            spaces=shared.spaces(clients, settings.company_table), models=settings.models, telemetry=telemetry
        ),
        jobs=jobs,
        facts=facts,
        links=links(clients, settings.company_table, agenda=agenda, jobs=queue, clock=clock, telemetry=telemetry),
        locks=shared.locks(settings.company_locks, settings.trust),
        audit=AuditLog(hasher=None, clock=clock, telemetry=telemetry),
        telemetry=telemetry,
    )
