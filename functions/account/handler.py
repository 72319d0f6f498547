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
    from context_memory.contracts.http import Answer, Request
    from context_memory.domain.ids import UserKey

show_memory, trust, locks, audit, telemetry = build(os.environ)


def whom(request: Request) -> UserKey:
    """The user whom the token speaks for, or whom an administrator's path names."""
    if "user_id" in request.path:
        return request.user
    scopes = trust.changing if request.changes else trust.reading
    return whose(request.claims, trust, scopes=scopes, written=written_claims(request))


def get_memory(request: Request) -> Answer:
    """Show what is remembered."""
    remembered = show_memory(whom(request), etags(request.headers.get("if-none-match")))
    headers = memory_headers(remembered.state, remembered.etag)
    if remembered.unchanged:
        return answer(304, headers=headers)
    return answer(200, remembered_body(remembered), headers)


handler = edge.http(
    {"GET /v1/me/memory": get_memory},
    telemetry,
    locks=locks,
    audit=audit,
    whom=whom,
)
