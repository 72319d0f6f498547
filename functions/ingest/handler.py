"""`POST …/turns` and `GET …/turns/{turn_id}`: accepting finished turns, and telling what became of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from context_memory import edge
from context_memory.application.answers import turn_body
from context_memory.bootstrap.ingest import ingest as build
from context_memory.contracts.http import answer
from context_memory.contracts.turns import TurnBody, sha256

if TYPE_CHECKING:
    from context_memory.contracts.http import Answer, Request

ingest, turn_status, locks, linked, audit, clock, telemetry = build(os.environ)


def post_turn(request: Request) -> Answer:
    """Accept one turn."""
    user = request.user
    body = TurnBody.parse(request.body, clock.now())
    canonical = body.canonical()
    reason = ingest(user, body.turn(), canonical, sha256(canonical), provider=request.provider)
    if reason:
        return answer(200, {"turn_id": body.turn_id, "status": "skipped", "reason": reason})
    return answer(202, {"turn_id": body.turn_id, "status": "queued"})


def get_turn(request: Request) -> Answer:
    """Tell what became of one turn."""
    return answer(200, turn_body(turn_status(request.user, request.path_id("turn_id"))))


ROUTES = {
    "POST /v1/companies/{company_id}/users/{user_id}/turns": post_turn,
    "GET /v1/companies/{company_id}/users/{user_id}/turns/{turn_id}": get_turn,
}

handler = edge.http(ROUTES, telemetry, locks=locks, linked=linked, audit=audit)
