"""What users do to their memory: edit, import, pin, deny."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from context_memory.application.account.answers import changed_body, preview_body
from context_memory.application.answers import memory_headers
from context_memory.application.facts.answers import brought_body
from context_memory.contracts.http import PRIVATE, answer, expected_profiles, profile_etag
from context_memory.contracts.memory import DenyRulesBody, EditBody, ImportBody, PinsBody
from context_memory.domain.editing.importing import Mode
from context_memory.domain.errors import InvalidInput, PreconditionRequired
from context_memory.domain.facts.files.lines import texts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from context_memory.application.account.editing import Edit, Import
    from context_memory.application.account.memory import ShowMemory
    from context_memory.application.account.rules import Deny, Pin
    from context_memory.application.account.web import Routes
    from context_memory.application.changing.wanted import Changed, Version
    from context_memory.application.facts.bringing import Bringing
    from context_memory.application.facts.shelves import Shelf
    from context_memory.contracts.http import Answer, Request
    from context_memory.domain.facts.files.lines import Line
    from context_memory.domain.ids import UserKey


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangingRoutes:
    """Edit, import, pins, deny rules. What a change has made is shown as `GET /v1/me/memory` shows it.

    `shelf` is where facts of a file go.
    """

    show_memory: ShowMemory
    edit: Edit
    bring: Import
    pin: Pin
    deny: Deny
    bring_facts: Bringing
    shelf: Callable[[UserKey], Shelf]

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
        body = ImportBody.parse(request.body)
        bullets, lines = body.bullets(user), body.fact_lines()
        if expected is None:
            changed = self.bring.preview(user, bullets, mode)
            etag = profile_etag(changed.standing.version)
            told = preview_body(changed, etag) | self._facts(user, lines, preview=True)
            return answer(200, told, {**PRIVATE, "etag": etag})
        # The memory first: it is what `If-Match` is about, and whoever is refused by it has changed nothing.
        changed = self.bring(user, bullets, mode, expected=expected, brings=texts_of(lines or ()))
        return changed_answer(self.show_memory, user, changed, self._facts(user, lines, preview=False))

    def _facts(self, user: UserKey, lines: Sequence[Line] | None, *, preview: bool) -> dict[str, object]:
        """What becomes of the facts of a file; null where it has none."""
        if lines is None:
            return {"facts": None}
        return {"facts": brought_body(self.bring_facts(self.shelf(user), lines, preview=preview))}

    def put_pins(self, user: UserKey, request: Request) -> Answer:
        """Pin these bullets and no others."""
        pins = self.pin(user, PinsBody.parse(request.body).pins)
        return answer(200, {"pins": sorted(pins)}, PRIVATE)

    def put_deny_rules(self, user: UserKey, request: Request) -> Answer:
        """Never remember these again, and take out what is there of them."""
        phrases, kinds = DenyRulesBody.parse(request.body).rules()
        removed = self.deny(user, phrases, kinds)
        return answer(200, {"phrases": list(phrases), "kinds": sorted(kinds), "removed": removed}, PRIVATE)


def changed_answer(
    show_memory: ShowMemory, user: UserKey, changed: Changed, more: Mapping[str, object] = MappingProxyType({})
) -> Answer:
    """The memory as it now stands, with what the change did to it, and `more` that it did."""
    remembered = show_memory(user)
    headers = {**memory_headers(remembered.state, remembered.etag), **PRIVATE}
    return answer(200, {**changed_body(remembered, changed), **more}, headers)


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
