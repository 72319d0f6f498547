"""What follows a stored change, put together when the first such job comes; no other work of `maintain` has a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap import shared

if TYPE_CHECKING:
    from context_memory.application.following.asking import Asking
    from context_memory.application.following.checking_facts import CheckFacts
    from context_memory.application.following.following_up import FollowUp
    from context_memory.application.following.moving import CleanUpLegacy
    from context_memory.bootstrap.jobs.parts import Parts

# ruff: noqa: PLC0415 - late imports are this package's purpose


def follow_up(parts: Parts) -> FollowUp:
    """The jobs `follow_up` and `condense`."""
    from context_memory.adapters.eventbridge import EventBridgeNews
    from context_memory.application.changing.correcting import TakeOutCorrected
    from context_memory.application.changing.denying import TakeOutDenied
    from context_memory.application.following.condensing import Condense
    from context_memory.application.following.following_up import FollowUp
    from context_memory.application.following.rescrubbing import Rescrub
    from context_memory.application.telling import Telling

    clients, settings, change = parts.clients, parts.settings, parts.change()
    news = EventBridgeNews(client=clients.events, bus=settings.event_bus, own_role=clients.own_role)
    return FollowUp(
        table=parts.table,
        tell=Telling(table=parts.table, news=news, clock=parts.clock, telemetry=parts.telemetry),
        change=change,
        take_out=TakeOutDenied(change=change, facts=parts.rewrite_facts()),
        take_out_corrected=TakeOutCorrected(change=change, facts=parts.rewrite_facts(), table=parts.table),
        asking=asking(parts),
        rescrub=Rescrub(change=change, table=parts.table, telemetry=parts.telemetry, model=settings.scrub_model),
        condense=Condense(
            change=change,
            tokenizers=change.tokenizers,
            clock=parts.clock,
            telemetry=parts.telemetry,
            model=settings.consolidation_model,
        ),
        agenda=parts.agenda,
        telemetry=parts.telemetry,
    )


def check_facts(parts: Parts) -> CheckFacts:
    """The job `check_facts`."""
    from context_memory.application.following.checking_facts import CheckFacts

    return CheckFacts(
        table=parts.table,
        shelf=parts.shelves(typed=True),
        rewrite=parts.rewrite_facts(),
        company=parts.companies.settings,
        asking=asking(parts),
        agenda=parts.agenda,
        jobs=parts.jobs,
        telemetry=parts.telemetry,
        model=parts.settings.scrub_model,
    )


def clean_up_legacy(parts: Parts) -> CleanUpLegacy:
    """The job `legacy`."""
    from context_memory.application.following.moving import CleanUpLegacy

    return CleanUpLegacy(table=parts.table, objects=parts.objects, agenda=parts.agenda, telemetry=parts.telemetry)


def asking(parts: Parts) -> Asking:
    """Models for jobs, and whether they may be asked."""
    from context_memory.adapters.jinja_prompts import JinjaPrompts
    from context_memory.adapters.openai_model import OpenAiModel
    from context_memory.adapters.system import RandomIdentifiers
    from context_memory.application.following.asking import Asking
    from context_memory.application.spending import Spending

    settings = parts.settings
    return Asking(
        model=OpenAiModel(
            base_url=settings.model_base_url or None,
            api_key=shared.secret(parts.clients, settings.model_key_secret_arn),
            clock=parts.clock,
            try_seconds=settings.model_try_seconds,
        ),
        prompts=JinjaPrompts(),
        identifiers=RandomIdentifiers(),
        switches=parts.switches,
        ladder=shared.ladder(parts.budgets, settings, parts.clock, parts.telemetry),
        spending=Spending(budgets=parts.budgets, clock=parts.clock, telemetry=parts.telemetry),
        agenda=parts.agenda,
        clock=parts.clock,
        telemetry=parts.telemetry,
        limits=parts.limits,
    )
