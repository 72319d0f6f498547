"""`GET /v1/companies/{company_id}/users/{user_id}/memory`: what a chat loads before a turn."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from context_memory import edge
from context_memory.application.answers import load_body, memory_headers
from context_memory.application.load import LoadQuery
from context_memory.bootstrap.load import load as build
from context_memory.contracts.http import answer, etags
from context_memory.domain.delegation import Delegation
from context_memory.domain.errors import InvalidInput
from context_memory.domain.ids import encode

if TYPE_CHECKING:
    from context_memory.contracts.http import Answer, Request

load, locks, linked, audit, telemetry = build(os.environ)


def get_memory(request: Request) -> Answer:
    """Answer one load."""
    space_id = request.query.get("space_id")
    if not space_id:
        raise InvalidInput("space_id", "must be given")
    encode(space_id, "space_id")
    query = LoadQuery(
        user=request.user,
        space_id=space_id,
        model=request.query.get("model"),
        web_search=request.flag("web_search"),
        known_etags=etags(request.headers.get("if-none-match")),
        use_memory=request.flag("use_memory"),
        delegation=Delegation(
            parent_turn_id=request.optional_id("parent_turn_id"), inherit_memory=request.flag("inherit_memory")
        ),
    )
    loaded = load(query)
    if loaded.unchanged:
        return answer(304, headers=memory_headers(loaded.state, loaded.etag))
    return answer(200, load_body(loaded), memory_headers(loaded.state, loaded.etag))


ROUTES = {"GET /v1/companies/{company_id}/users/{user_id}/memory": get_memory}

handler = edge.http(ROUTES, telemetry, locks=locks, linked=linked, audit=audit, stage="load")
