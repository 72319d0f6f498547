"""Answers of `/v1/me` put in the service's place in a browser under test: seldom ones, late ones, hostile ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from playwright.sync_api import Page, Route

_ALLOWED = {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "authorization, content-type, if-match",
    "access-control-allow-methods": "GET, PUT, POST, DELETE",
    "access-control-expose-headers": "etag, retry-after",
}
HEADINGS = (
    "Identity",
    "Communication Preferences",
    "Work Context",
    "Skills & Expertise",
    "Follow-ups",
    "Recent Topics",
)
WRITTEN = "2026-06-17T12:00:00+00:00"
NO_RULES: dict[str, Any] = {"phrases": [], "kinds": []}


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
    """From now on requests of `page` for `/v1/me/<path>` (a pattern of addresses) get this; others go their way.

    What is said last counts first; `times` lets an answer be given so often and no more.
    """
    left = [times]

    def fulfil(route: Route) -> None:
        asked = route.request
        before = asked.method == "OPTIONS"
        mine = asked.headers.get("access-control-request-method") == method if before else asked.method == method
        if not mine or left[0] == 0:
            route.fallback()
            return
        if left[0] is not None and not before:
            left[0] -= 1
        route.fulfill(
            status=204 if before else status,
            headers={**_ALLOWED, **{name.replace("_", "-"): value for name, value in headers.items()}},
            content_type="application/json",
            body=json.dumps(body),
        )

    page.route(f"**/v1/me/{path}", fulfil)


def problem(name: str, status: int, **more: object) -> dict[str, Any]:
    """A problem document as the service writes it."""
    return {"type": f"urn:context-memory:problem:{name}", "title": name, "status": status, **more}


def memory(sections: Mapping[str, Collection[str]], *, reason: str | None = None, count: int = 3) -> dict[str, Any]:
    """The body of GET memory; what is pinned begins with an asterisk, and a bullet's id is its text.

    As the service says it, nothing has no sections, no file and no version.
    """
    written = any(sections.values())
    version = {"turn_count": count, "last_updated": WRITTEN, "sha256": "0" * 64, "tokens": 90}
    return {
        "enabled": reason is None,
        "reason": reason,
        "sections": [
            {
                "heading": heading,
                "bullets": [
                    {"id": text.removeprefix("*"), "text": text.removeprefix("*"), "pinned": text.startswith("*")}
                    for text in sections.get(heading, ())
                ],
            }
            for heading in (HEADINGS if written else ())
        ],
        "memory": "# User Memory\n" if written else None,
        "version": version if written else None,
        "freshness": {"consolidated_through": WRITTEN, "pending": 0, "failed": 0},
    }


def remembers(page: Page, sections: Mapping[str, Collection[str]], *, count: int = 3) -> None:
    """The service remembers this, as version `count`."""
    answers(page, "GET", "memory", memory(sections, count=count), etag=f'"0-{count}-aa"')


def settles(
    page: Page,
    *,
    on: bool = True,
    reason: str | None = None,
    erase: Mapping[str, Any] | None = None,
    keeps_days: int | None = 0,
) -> None:
    """The service says this of a person's settings, who has no rules and never erased anything."""
    settings: dict[str, Any] = {
        "context_memory": on,
        "enabled": on and reason is None,
        "reason": reason,
        "erase": erase,
        "pins": [],
        "deny_rules": NO_RULES,
        "keep_turns_days": keeps_days,
    }
    answers(page, "GET", "settings", settings)
    answers(page, "GET", "deny-rules", NO_RULES)
    if erase:
        receipt = {
            "status": erase["state"],
            "requested_at": erase["requested_at"],
            "counts": {"versions": 2, "items": {}},
        }
        answers(page, "GET", "erasure", receipt)


def fact(text: str, number: int = 0, **more: object) -> dict[str, Any]:
    """A fact as the service shows it; those with higher numbers were stated earlier."""
    stated = f"2026-06-{17 - number % 17:02}T12:00:00+00:00"
    return {
        "id": f"{number:020x}",
        "text": text,
        "tier": "contextual",
        "keywords": [],
        "created_at": stated,
        "last_confirmed_at": stated,
        "source": {"turn_id": None, "chat_id": None, "provider": None, "space_id": None},
        "uses": 0,
        "supersedes": [],
        "merged": None,
    } | more


def keeps(page: Page, *facts: str | Mapping[str, Any]) -> None:
    """The service keeps these facts, all on one page; a text alone is a fact that says it."""
    shown = [fact(one, number) if isinstance(one, str) else one for number, one in enumerate(facts)]
    answers(page, "GET", "facts?limit=500", {"facts": shown, "count": len(shown), "next": None}, etag='"7"')


def turn(turn_id: str, *, outcome: str = "updated", facts: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """One of the last turns as the service shows it; `facts` says how the extraction of its facts stands."""
    counts = dict.fromkeys(("added", "confirmed", "superseded", "deleted"), 0)
    return {
        "turn_id": turn_id,
        "chat_id": None,
        "occurred_at": WRITTEN,
        "accepted_at": WRITTEN,
        "status": "done",
        "outcome": outcome,
        "reason": None,
        "revision": None,
        "facts": {"status": "none", "outcome": None, **counts, **(facts or {})},
        "step": None,
    }


def happened(page: Page, *turns: Mapping[str, Any]) -> None:
    """The service tells of these turns, the newest first."""
    answers(page, "GET", "turns?*", {"turns": list(turns)})
