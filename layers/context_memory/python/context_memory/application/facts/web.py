"""The routes of facts: a request about a shelf in, a use case called, an answer out."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from context_memory.application.fact_bodies import fact_body
from context_memory.application.facts.answers import brought_body, facts_body
from context_memory.contracts.facts import EXPORT_FORMAT, FactBody, FactsFileBody, NewFactBody
from context_memory.contracts.http import PRIVATE, answer, expected_etags, version_etag
from context_memory.domain.errors import InvalidInput, UnknownFact
from context_memory.domain.facts.fact import Tier

if TYPE_CHECKING:
    from context_memory.application.facts.bringing import Bringing
    from context_memory.application.facts.keeping import Keeping, Kept
    from context_memory.application.facts.parting import Parting
    from context_memory.application.facts.shelves import Shelf
    from context_memory.contracts.http import Answer, Request
    from context_memory.ports.facts import Facts
    from context_memory.ports.system import Clock

USUAL, MOST = 100, 500
_MOST_EXPORTED = 5_000
_MOST_BYTES = 4_000_000
"""Of one answer of an export; a function's may have 6 MB."""
_FILE = 'attachment; filename="context-memory-facts.json"'
_ID = re.compile(r"[0-9a-f]{20}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRoutes:
    """What can be asked of a shelf, whosever it is."""

    keeping: Keeping
    bringing: Bringing
    parting: Parting
    clock: Clock

    def list(self, shelf: Shelf, request: Request) -> Answer:
        """A page of facts."""
        page, following = _page(shelf, request, otherwise=USUAL, most=MOST)
        return answer(200, facts_body(page, following), _headers(page.head.version))

    def show(self, shelf: Shelf, request: Request) -> Answer:
        """One fact."""
        return _kept(200, self.keeping.show(shelf, _fact_id(request)))

    def add(self, shelf: Shelf, request: Request) -> Answer:
        """Store a fact."""
        written = NewFactBody.parse(request.body).written()
        kept = self.keeping.add(shelf, written, expected=_expected(request))
        return _kept(201 if kept.new else 200, kept)

    def change(self, shelf: Shelf, request: Request) -> Answer:
        """Let a fact say something else, or be of another tier."""
        body, one = FactBody.parse(request.body), _fact_id(request)
        return _kept(200, self.keeping.change(shelf, one, body.text, body.wanted_tier, expected=_expected(request)))

    def delete(self, shelf: Shelf, request: Request) -> Answer:
        """Remove a fact."""
        self.keeping.delete(shelf, _fact_id(request), expected=_expected(request))
        return answer(204)

    def expand(self, shelf: Shelf, request: Request) -> Answer:
        """Part a merged fact."""
        stands = self.parting(shelf, _fact_id(request), expected=_expected(request))
        return answer(200, facts_body(stands, None), _headers(stands.head.version))

    def bring(self, shelf: Shelf, request: Request, *, owner: str | None = None) -> Answer:
        """Take a file in, or say what that would do."""
        preview, lines = request.flag("preview") or False, FactsFileBody.parse(request.body).lines(owner)
        brought = self.bringing(shelf, lines, preview=preview)
        return answer(200, brought_body(brought), _headers(brought.head.version))

    def export(self, shelf: Shelf, request: Request) -> Answer:
        """Facts in a document that an import takes; as many as one answer can carry."""
        page, following = _page(shelf, request, otherwise=_MOST_EXPORTED, most=_MOST_EXPORTED)
        entries: list[dict[str, Any]] = []
        left = _MOST_BYTES
        for fact in page.facts:
            entry = fact_body(fact)
            left -= len(json.dumps(entry, ensure_ascii=False).encode())
            if left < 0:
                following = entries[-1]["id"]
                break
            entries.append(entry)
        document = {
            "format": EXPORT_FORMAT,
            "version": 1,
            "exported_at": self.clock.now().isoformat(timespec="seconds"),
            "facts": entries,
            "count": page.head.count,
            "next": following,
        }
        return answer(200, document, {**_headers(page.head.version), "content-disposition": _FILE})


def _page(shelf: Shelf, request: Request, *, otherwise: int, most: int) -> tuple[Facts, str | None]:
    """A page, and the id that the next one begins behind; None on the last."""
    limit = request.number("limit", otherwise=otherwise, most=most)
    after = request.query.get("after")
    if after is not None and _ID.fullmatch(after) is None:
        raise InvalidInput("after", "must be the id of a fact")
    found = shelf.page(after=after, limit=limit + 1, tier=_tier(request))
    shown = found.facts[:limit]
    return replace(found, facts=shown), shown[-1].id if len(found.facts) > limit else None


def _tier(request: Request) -> Tier | None:
    value = request.query.get("tier")
    if value is None:
        return None
    if value == Tier.EPHEMERAL or value not in {tier.value for tier in Tier}:
        raise InvalidInput("tier", "must be core, contextual or archival")
    return Tier(value)


def _fact_id(request: Request) -> str:
    """The id that the path names; what is none names no fact.

    Raises:
        UnknownFact: it could be no fact's.
    """
    one = request.path["fact_id"]
    if _ID.fullmatch(one) is None:
        raise UnknownFact("No such fact.")
    return one


def _expected(request: Request) -> frozenset[str] | None:
    return expected_etags(request.headers.get("if-match"))


def _kept(status: int, kept: Kept) -> Answer:
    return answer(status, fact_body(kept.fact), _headers(kept.head.version))


def _headers(version: int) -> dict[str, str]:
    return {**PRIVATE, "etag": version_etag(version)}
