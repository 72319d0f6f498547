"""Flags and settings that a test sets."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

from context_memory.domain.enablement import CompanyFlags

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.spaces import SpaceSettings


class InMemorySwitches:
    """`Switches`: memory is on for a company that `companies` does not name, and no space is registered."""

    def __init__(self, *, steps: Steps) -> None:
        self.companies: dict[str, CompanyFlags] = {}
        self.spaces: dict[tuple[str, str], SpaceSettings] = {}
        self._steps = steps

    def flags(self, company_id: str) -> CompanyFlags:
        """The company's flags; a hook makes them unavailable."""
        with self._steps.step("switches.flags"):
            everything_on = CompanyFlags(context_memory=True, context_memory_with_web_search=True)
            return self.companies.get(company_id, everything_on)

    def space(self, company_id: str, space_id: str) -> SpaceSettings | None:
        """Registered settings of a space; None when it is not registered."""
        with self._steps.step("switches.space"):
            return self.spaces.get((company_id, space_id))

    def space_ahead(self, company_id: str, space_id: str, executor: Executor) -> Future[SpaceSettings | None]:  # noqa: ARG002 - nobody must be asked here
        """The same, done at once."""
        known: Future[SpaceSettings | None] = Future()
        known.set_result(self.space(company_id, space_id))
        return known
