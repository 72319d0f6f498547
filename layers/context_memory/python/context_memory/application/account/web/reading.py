"""What users see beside the memory itself, and all of it in one document. None of it changes anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.account.answers import deny_rules_body, recent_turns_body, settings_body
from context_memory.contracts.http import PRIVATE, answer

if TYPE_CHECKING:
    from context_memory.application.account.export import Export
    from context_memory.application.account.settings import ShowSettings
    from context_memory.application.account.turns import RecentTurns
    from context_memory.application.account.web import Routes
    from context_memory.contracts.http import Answer, Request
    from context_memory.domain.ids import UserKey

_USUAL, _MOST = 20, 100
_FILE = 'attachment; filename="context-memory-export.json"'


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRoutes:
    """Turns, settings, rules, export."""

    recent_turns: RecentTurns
    show_settings: ShowSettings
    export: Export

    @property
    def routes(self) -> Routes:
        """The group."""
        return {
            "GET /v1/me/turns": self.get_turns,
            "GET /v1/me/settings": self.get_settings,
            "GET /v1/me/deny-rules": self.get_deny_rules,
            "GET /v1/me/export": self.get_export,
            "GET /v1/companies/{company_id}/users/{user_id}/export": self.get_export,
        }

    def get_turns(self, user: UserKey, request: Request) -> Answer:
        """What became of the newest turns."""
        limit = request.number("limit", otherwise=_USUAL, most=_MOST)
        return answer(200, recent_turns_body(self.recent_turns(user, limit)), PRIVATE)

    def get_settings(self, user: UserKey, _request: Request) -> Answer:
        """What the user has set, and whether the memory is used."""
        return answer(200, settings_body(self.show_settings(user)), PRIVATE)

    def get_deny_rules(self, user: UserKey, _request: Request) -> Answer:
        """What is never to be remembered."""
        return answer(200, deny_rules_body(self.show_settings(user).settings), PRIVATE)

    def get_export(self, user: UserKey, _request: Request) -> Answer:
        """All that is held about the user."""
        return answer(200, self.export(user), {**PRIVATE, "content-disposition": _FILE})
