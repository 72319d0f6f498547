"""What users see of their history. None of it changes anything."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.account.answers import origins_body, revision_body, revisions_body
from context_memory.contracts.http import PRIVATE, answer
from context_memory.domain.errors import InvalidInput

if TYPE_CHECKING:
    from context_memory.application.account.history import History
    from context_memory.application.account.web import Routes
    from context_memory.contracts.http import Answer, Request
    from context_memory.domain.ids import UserKey

_USUAL, _MOST = 20, 100
_HIGHEST = 10**9 - 1
"""More than any revision's number."""
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRoutes:
    """Revisions, and where bullets come from."""

    history: History

    @property
    def routes(self) -> Routes:
        """The group."""
        return {
            "GET /v1/me/memory/origins": self.get_origins,
            "GET /v1/me/memory/revisions": self.get_revisions,
            "GET /v1/me/memory/revisions/{n}": self.get_revision,
        }

    def get_origins(self, user: UserKey, _request: Request) -> Answer:
        """Where each bullet comes from."""
        return answer(200, origins_body(self.history.origins(user)), PRIVATE)

    def get_revisions(self, user: UserKey, request: Request) -> Answer:
        """Who changed what and when, newest first."""
        limit = request.number("limit", otherwise=_USUAL, most=_MOST)
        before = request.number("before", otherwise=_HIGHEST, most=_HIGHEST)
        return answer(200, revisions_body(self.history.page(user, before=before, limit=limit)), PRIVATE)

    def get_revision(self, user: UserKey, request: Request) -> Answer:
        """One change, and what stood after it."""
        seen = self.history.one(user, revision_number(request))
        return answer(200, revision_body(seen.revision) | {"memory": seen.memory}, PRIVATE)


def revision_number(request: Request) -> int:
    """The n that the path names.

    Raises:
        InvalidInput: it is no number that a revision could have.
    """
    if _NUMBER.fullmatch(request.path["n"]) is None:
        raise InvalidInput("n", "must be the number of a revision")
    return int(request.path["n"])
