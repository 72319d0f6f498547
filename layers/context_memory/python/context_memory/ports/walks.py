"""Walks through companies, and their reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.walks import Page, Walk


class Walks(Protocol):
    """The company table's `<company>##job`. It names users, and holds nothing of theirs. Every read is consistent."""

    def open(self, walk: Walk) -> bool:
        """Keep a new walk; False when there is one of its id already, which stays as it is."""

    def walk(self, company_id: str, job_id: str) -> Walk | None:
        """A walk as it stands; None when the company has none of that id."""

    def move(self, before: Walk, after: Walk, page: Page | None = None) -> bool:
        """Replace a walk, and a page of its report, in one transaction; False when somebody has moved it before."""

    def start(self, before: Walk, after: Walk) -> bool:
        """Replace a walk and close its company, in one transaction; False when somebody has moved the walk before.

        So whatever walk has closed a company was begun, and what is not begun has closed none.
        """

    def pages(self, company_id: str, job_id: str, *, after: int, limit: int) -> Sequence[Page]:
        """At most `limit` pages with higher numbers than `after`, in their order."""
