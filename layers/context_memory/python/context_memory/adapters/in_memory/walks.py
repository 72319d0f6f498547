"""Walks through companies, and their reports."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.in_memory.companies import InMemoryCompanies
    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.walks import Page, Walk


class InMemoryWalks:
    """`Walks`; the port says what each method promises."""

    def __init__(self, *, steps: Steps, companies: InMemoryCompanies) -> None:
        self._steps = steps
        self._companies = companies
        self._walks: dict[tuple[str, str], Walk] = {}
        self._pages: dict[tuple[str, str], dict[int, Page]] = {}
        self._lock = Lock()

    def open(self, walk: Walk) -> bool:
        """Keep a new walk; False when there is one of its id already."""
        with self._steps.step("walks.open"), self._lock:
            key = walk.company_id, walk.job_id
            if key in self._walks:
                return False
            self._walks[key] = walk
            return True

    def walk(self, company_id: str, job_id: str) -> Walk | None:
        """A walk as it stands."""
        with self._steps.step("walks.walk"), self._lock:
            return self._walks.get((company_id, job_id))

    def move(self, before: Walk, after: Walk, page: Page | None = None) -> bool:
        """Replace a walk and a page of its report; False when somebody has moved it before."""
        with self._steps.step("walks.move"), self._lock:
            if not self._moved(before, after):
                return False
            if page is not None:
                self._pages.setdefault((after.company_id, after.job_id), {})[page.number] = page
            return True

    def start(self, before: Walk, after: Walk) -> bool:
        """Replace a walk and close its company; False when somebody has moved the walk before."""
        with self._steps.step("walks.start"), self._lock:
            if not self._moved(before, after):
                return False
            self._companies.close(after.company_id, after.job_id)
            return True

    def pages(self, company_id: str, job_id: str, *, after: int, limit: int) -> Sequence[Page]:
        """At most `limit` pages with higher numbers than `after`, in their order."""
        with self._steps.step("walks.pages"), self._lock:
            pages = self._pages.get((company_id, job_id), {})
            return [pages[number] for number in sorted(pages) if number > after][:limit]

    def _moved(self, before: Walk, after: Walk) -> bool:
        key = before.company_id, before.job_id
        if self._walks[key].version != before.version:
            return False
        self._walks[key] = after
        return True
