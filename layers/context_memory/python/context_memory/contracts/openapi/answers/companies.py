"""Answers to administrators about their company and its spaces."""

from __future__ import annotations

from context_memory.contracts.companies import CompanyBody
from context_memory.contracts.openapi.answers.shared import Count, Moment, Told
from context_memory.contracts.spaces import SpaceBody
from context_memory.domain.spending import Step as BudgetStep


class OperatorSwitches(Told):
    """What the operator switched; administrators only read it."""

    context_memory: bool
    context_memory_with_web_search: bool
    daily_tokens: int | None


class DailyBudget(Told):
    """What the company may spend on models today, and has spent; `used` is null when nobody knows."""

    daily_tokens: Count
    used: Count | None
    step: BudgetStep
    resets_at: Moment


class ChangedCompany(Told):
    """What a company has set, and whether it was closed to be erased."""

    company_id: str
    closed: bool
    settings: CompanyBody


class ShownCompany(ChangedCompany):
    """What a company has set, what is switched for it, and its budget of the day."""

    flags: OperatorSwitches
    budget: DailyBudget


class ShownSpace(Told):
    """What is registered about one space."""

    space_id: str
    settings: SpaceBody


class SpacesPage(Told):
    """Registered spaces; `next` asks for the next page, and is null on the last."""

    spaces: list[ShownSpace]
    next: str | None
