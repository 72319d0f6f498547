"""Requests of end users to the routes of one house: through the edge, without a gateway."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx

from context_memory import edge
from context_memory.adapters.in_memory.audit import RecordingAudit
from tests.support import described
from tests.support.house import LENA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.contracts.http import Answer, Request
    from context_memory.domain.ids import UserKey
    from tests.support.house import House


@dataclass(frozen=True, slots=True)
class Told:
    """An answer: its status, its headers, its body as JSON."""

    status: int
    headers: dict[str, str]
    body: Any


def ask(
    house: House,
    route: str,
    document: object = None,
    *,
    user: UserKey = LENA,
    if_match: str | None = None,
    raw: str | None = None,
    query: Mapping[str, str] | None = None,
    path: Mapping[str, str] | None = None,
) -> Told:
    """What `user` is answered on a route, as its description says; `document` is the body as JSON, `raw` as text."""

    def routed(request: Request) -> Answer:
        return house.user_routes[route](user, request)

    handler = edge.http(
        {route: routed},
        house.world.telemetry,
        locks=edge.unlocked,
        linked=edge.unlinked,
        audit=RecordingAudit(),
        whom=partial(_whom, user),
    )
    event = {
        "routeKey": route,
        "requestContext": {"requestId": "r-1"},
        "headers": {} if if_match is None else {"If-Match": if_match},
        "queryStringParameters": dict(query or {}),
        "pathParameters": dict(path or {}),
        "body": json.dumps(document) if raw is None else raw,
    }
    answer = handler(event, None)
    method, template = route.split(" ")
    sent = httpx.Response(answer["statusCode"], headers=answer["headers"], text=answer.get("body") or "")
    described.check(method, template.format_map(path or {}), sent)
    return Told(answer["statusCode"], answer["headers"], json.loads(answer.get("body") or "null"))


def _whom(user: UserKey, _request: Request) -> UserKey:
    return user
