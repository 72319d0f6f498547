"""A user's own facts: for themselves, and for administrators of one user."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.application.account.web import Routes, UserRoute
    from context_memory.application.facts.shelves import Shelf
    from context_memory.application.facts.user_shelf import UserShelf
    from context_memory.application.facts.web import FactRoutes
    from context_memory.contracts.http import Answer, Request
    from context_memory.domain.ids import UserKey


@dataclass(frozen=True, slots=True, kw_only=True)
class UserFactRoutes:
    """Facts of one user; `shelf` is where they stand."""

    facts: FactRoutes
    shelf: Callable[[UserKey], UserShelf]

    @property
    def routes(self) -> Routes:
        """The group."""
        mine, facts = "/v1/me/facts", self.facts
        user = "/v1/companies/{company_id}/users/{user_id}/facts"
        return {
            f"GET {mine}": self._asked(facts.list),
            f"POST {mine}": self._asked(facts.add),
            f"GET {mine}/{{fact_id}}": self._asked(facts.show),
            f"PUT {mine}/{{fact_id}}": self._asked(facts.change),
            f"DELETE {mine}/{{fact_id}}": self._asked(facts.delete),
            f"POST {mine}/{{fact_id}}/expand": self.post_expand,
            f"POST {mine}/import": self.post_import,
            f"GET {user}": self._asked(facts.list),
            f"DELETE {user}/{{fact_id}}": self._asked(facts.delete),
            f"POST {user}/{{fact_id}}/expand": self.post_expand,
            f"POST {user}/import": self.post_import,
        }

    def post_import(self, user: UserKey, request: Request) -> Answer:
        """Take a file in; what was forgotten does not come back with it."""
        shelf = replace(self.shelf(user), typed=False)
        return self.facts.bring(shelf, request, owner=user.user_id)

    def post_expand(self, user: UserKey, request: Request) -> Answer:
        """Part a merged fact; what was forgotten does not come back with it."""
        return self.facts.expand(replace(self.shelf(user), typed=False), request)

    def _asked(self, route: Callable[[Shelf, Request], Answer]) -> UserRoute:
        return lambda user, request: route(self.shelf(user), request)
