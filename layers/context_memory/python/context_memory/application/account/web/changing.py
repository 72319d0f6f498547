"""What users do to their memory: edit, import, pin, deny."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.account.answers import changed_body, preview_body
from context_memory.application.answers import memory_headers
from context_memory.contracts.http import PRIVATE, answer, expected_profiles, profile_etag
from context_memory.contracts.memory import DenyRulesBody, EditBody, ImportBody, PinsBody
from context_memory.domain.editing.importing import Mode
from context_memory.domain.errors import InvalidInput, PreconditionRequired

if TYPE_CHECKING:
    from context_memory.application.account.editing import Edit, Import
    from context_memory.application.account.memory import ShowMemory
    from context_memory.application.account.rules import Deny, Pin
    from context_memory.application.account.web import Routes
    from context_memory.application.changing.wanted import Changed, Version
    from context_memory.contracts.http import Answer, Request
    from context_memory.domain.ids import UserKey


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangingRoutes:
    """Edit, import, pins, deny rules. What a change has made is shown as `GET /v1/me/memory` shows it."""

    show_memory: ShowMemory
    edit: Edit
    bring: Import
    pin: Pin
    deny: Deny

    @property
    def routes(self) -> Routes:
        """The group."""
        return {
            "PUT /v1/me/memory": self.put_memory,
            "POST /v1/me/import": self.post_import,
            "PUT /v1/me/pins": self.put_pins,
            "PUT /v1/me/deny-rules": self.put_deny_rules,
        }

    def put_memory(self, user: UserKey, request: Request) -> Answer:
        """Let the memory be what the user has written."""
        expected = _expected(request)
        changed = self.edit(user, EditBody.parse(request.body).bullets(user), expected=expected)
        return changed_answer(self.show_memory, user, changed)

    def post_import(self, user: UserKey, request: Request) -> Answer:
        """Take a file in, or say what that would do."""
        preview, mode = request.flag("preview"), _mode(request)
        expected = None if preview else _expected(request)
        bullets = ImportBody.parse(request.body).bullets(user)
        if expected is None:
            changed = self.bring.preview(user, bullets, mode)
            etag = profile_etag(changed.standing.version)
            return answer(200, preview_body(changed, etag), {**PRIVATE, "etag": etag})
        return changed_answer(self.show_memory, user, self.bring(user, bullets, mode, expected=expected))

    def put_pins(self, user: UserKey, request: Request) -> Answer:
        """Pin these bullets and no others."""
        pins = self.pin(user, PinsBody.parse(request.body).pins)
        return answer(200, {"pins": sorted(pins)}, PRIVATE)

    def put_deny_rules(self, user: UserKey, request: Request) -> Answer:
        """Never remember these again, and take out what is there of them."""
        phrases, kinds = DenyRulesBody.parse(request.body).rules()
        removed = self.deny(user, phrases, kinds)
        return answer(200, {"phrases": list(phrases), "kinds": sorted(kinds), "removed": removed}, PRIVATE)


def changed_answer(show_memory: ShowMemory, user: UserKey, changed: Changed) -> Answer:
    """The memory as it now stands, with what the change did to it."""
    remembered = show_memory(user)
    return answer(
        200, changed_body(remembered, changed), {**memory_headers(remembered.state, remembered.etag), **PRIVATE}
    )


def _expected(request: Request) -> frozenset[Version]:
    """The versions that the caller has seen. `*` is none: whoever changes a memory has looked at it."""
    expected = expected_profiles(request.headers.get("if-match"))
    if expected is None:
        raise PreconditionRequired("A change must name the version that it was made of.")
    return expected


def _mode(request: Request) -> Mode:
    try:
        return Mode(request.query.get("mode", Mode.MERGE))
    except ValueError:
        raise InvalidInput("mode", "must be 'merge' or 'replace'") from None
