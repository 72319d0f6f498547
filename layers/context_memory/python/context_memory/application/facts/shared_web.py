"""Facts that a company shares, in all of it or in one space: for its administrators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.scopes import SharedScope
from context_memory.domain.ids import company

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.application.facts.shelves import Shelf
    from context_memory.application.facts.web import FactRoutes
    from context_memory.contracts.http import Answer, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFactRoutes:
    """Facts of shared scopes; `shelf` is where those of a scope stand.

    `written` is told of a scope once a request that may have changed it is answered.
    """

    facts: FactRoutes
    shelf: Callable[[SharedScope], Shelf]
    written: Callable[[SharedScope], object]

    def __call__(self, request: Request) -> Answer:
        """Answer a request about the scope that its path names.

        Raises:
            InvalidId: the path names a company or a space that could not exist.
        """
        company_id = company(request.path["company_id"])
        space_id = request.path_id("space_id") if "space_id" in request.path else None
        method, _, path = request.route.partition(" ")
        route = self._routes[method, path.rpartition("/facts")[2]]
        scope = SharedScope(company_id, space_id)
        answer = route(self.shelf(scope), request)
        if method != "GET" and not request.flag("preview"):
            self.written(scope)
        return answer

    @property
    def _routes(self) -> Mapping[tuple[str, str], Callable[[Shelf, Request], Answer]]:
        """By method and what comes behind `/facts`."""
        facts = self.facts
        return {
            ("GET", ""): facts.list,
            ("POST", ""): facts.add,
            ("GET", "/{fact_id}"): facts.show,
            ("PUT", "/{fact_id}"): facts.change,
            ("DELETE", "/{fact_id}"): facts.delete,
            ("POST", "/import"): facts.bring,
            ("GET", "/export"): facts.export,
        }
