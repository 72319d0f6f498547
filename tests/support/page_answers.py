"""Answers of `/v1/me` that the deployed service gives seldom or late, put in its place in a browser under test."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Page, Route

_ALLOWED = {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "authorization, content-type, if-match",
    "access-control-allow-methods": "GET, PUT, POST, DELETE",
    "access-control-expose-headers": "etag, retry-after",
}


def answers(
    page: Page,
    method: str,
    path: str,
    body: Mapping[str, Any],
    *,
    status: int = 200,
    times: int | None = None,
    **headers: str,
) -> None:
    """From now on requests of `page` for `/v1/me/<path>` (a pattern of addresses) get this; others go their way."""

    def fulfil(route: Route) -> None:
        if route.request.method not in {method, "OPTIONS"}:
            route.fallback()
            return
        route.fulfill(
            status=204 if route.request.method == "OPTIONS" else status,
            headers={**_ALLOWED, **{name.replace("_", "-"): value for name, value in headers.items()}},
            content_type="application/json",
            body=json.dumps(body),
        )

    page.route(f"**/v1/me/{path}", fulfil, **({} if times is None else {"times": times}))


def problem(name: str, status: int, **more: object) -> dict[str, Any]:
    """A problem document as the service writes it."""
    return {"type": f"urn:context-memory:problem:{name}", "title": name, "status": status, **more}
