"""`/v1/me/…`: what a user sees of their own memory, and what administrators do for one user.

Who asks for their own memory is told by the token's claims, never by the path.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from context_memory import edge
from context_memory.application.answers import memory_headers, remembered_body
from context_memory.bootstrap.account import account as build
from context_memory.contracts.bearer import written_claims
from context_memory.contracts.http import answer, etags
from context_memory.domain.claims import whose

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.contracts.http import Answer, Request
    from context_memory.domain.ids import UserKey

account = build(os.environ)

EXPORT = "GET /v1/me/export"
"""It takes everything out at once, and so asks a token for more than to read."""
LATE = {
    "reading": (
        "GET /v1/me/turns",
        "GET /v1/me/settings",
        "GET /v1/me/deny-rules",
        EXPORT,
        "GET /v1/companies/{company_id}/users/{user_id}/export",
    ),
    "erasing": (
        "DELETE /v1/me/memory",
        "GET /v1/me/erasure",
        "PUT /v1/me/settings",
        "DELETE /v1/companies/{company_id}/users/{user_id}/memory",
        "GET /v1/companies/{company_id}/users/{user_id}/erasure",
    ),
    "changing": ("PUT /v1/me/memory", "POST /v1/me/import", "PUT /v1/me/pins", "PUT /v1/me/deny-rules"),
    "history": ("GET /v1/me/memory/origins", "GET /v1/me/memory/revisions", "GET /v1/me/memory/revisions/{n}"),
    "undoing": ("POST /v1/me/memory/revisions/{n}/restore", "POST /v1/me/unlearn"),
    "facts": (
        "GET /v1/me/facts",
        "GET /v1/me/facts/{fact_id}",
        "GET /v1/companies/{company_id}/users/{user_id}/facts",
    ),
    "keeping": (
        "POST /v1/me/facts",
        "PUT /v1/me/facts/{fact_id}",
        "DELETE /v1/me/facts/{fact_id}",
        "POST /v1/me/facts/{fact_id}/expand",
        "POST /v1/me/facts/import",
        "DELETE /v1/companies/{company_id}/users/{user_id}/facts/{fact_id}",
        "POST /v1/companies/{company_id}/users/{user_id}/facts/{fact_id}/expand",
        "POST /v1/companies/{company_id}/users/{user_id}/facts/import",
    ),
}
"""Groups of routes that are built with the imports they take when the first of them is asked for."""


def whom(request: Request) -> UserKey:
    """The user whom the token speaks for, or whom an administrator's path names."""
    if "user_id" in request.path:
        return request.user
    return whose(request.claims, account.trust, scopes=scopes(request), written=written_claims(request))


def scopes(request: Request) -> frozenset[str]:
    """Scopes of which a user's token needs one for what is asked."""
    if request.route == EXPORT:
        return account.trust.exporting
    return account.trust.changing if request.changes else account.trust.reading


def get_memory(request: Request) -> Answer:
    """Show what is remembered."""
    remembered = account.show_memory(whom(request), etags(request.headers.get("if-none-match")))
    headers = memory_headers(remembered.state, remembered.etag)
    if remembered.unchanged:
        return answer(304, headers=headers)
    return answer(200, remembered_body(remembered), headers)


def late(group: str) -> Callable[[Request], Answer]:
    """Answers the routes of a group."""
    return lambda request: account.routes(group)[request.route](whom(request), request)


ROUTES = {"GET /v1/me/memory": get_memory} | {route: late(group) for group, routes in LATE.items() for route in routes}

handler = edge.http(
    ROUTES, account.telemetry, locks=account.locks, linked=account.linked, audit=account.audit, whom=whom
)
