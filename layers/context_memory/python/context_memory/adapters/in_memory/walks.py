"""Walks through companies, and their reports."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.walks import Page, Walk


class InMemoryWalks:
    """`Walks`; the port says what each method promises."""

    def __init__(self, *, steps: Steps) -> None:
        self._steps = steps
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
            key = before.company_id, before.job_id
            if self._walks[key].version != before.version:
                return False
            self._walks[key] = after
            if page is not None:
                self._pages.setdefault(key, {})[page.number] = page
            return True

    def pages(self, company_id: str, job_id: str, *, after: int, limit: int) -> Sequence[Page]:
        """At most `limit` pages with higher numbers than `after`, in their order."""
        with self._steps.step("walks.pages"), self._lock:
            pages = self._pages.get((company_id, job_id), {})
            return [pages[number] for number in sorted(pages) if number > after][:limit]
