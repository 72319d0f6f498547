"""Every route there is: its function, its throttle, and who may call it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from infra.environments import Environment

_COMPANY = "/v1/companies/{company_id}"
_SPACE = f"{_COMPANY}/spaces/{{space_id}}"
_JOB = f"{_COMPANY}/jobs/{{job_id}}"
_LINK = f"{_COMPANY}/links/{{provider}}"
_USER = f"{_COMPANY}/users/{{user_id}}"


class Callers(StrEnum):
    """Who may call a route: those whom IAM lets through, users with a token of their own, or anybody."""

    IAM = "iam"
    USERS = "users"
    ANYBODY = "anybody"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One method on one path. `throttle` is a field of `Throttles`, `function` one of `infra.names.FUNCTIONS`.

    `exports`: it takes everything out, and so asks a user's token for a scope of its own.
    """

    method: str
    path: str
    function: str
    throttle: str
    callers: Callers = Callers.IAM
    exports: bool = False

    @property
    def key(self) -> str:
        """As API Gateway names it."""
        return f"{self.method} {self.path}"

    @property
    def changes(self) -> bool:
        """Whether it may change something, and so asks a user's token for more than to read."""
        return self.method != "GET"


def _mine(method: str, what: str, *, exports: bool = False) -> Route:
    """A route of end users about their own memory."""
    return Route(
        method=method,
        path=f"/v1/me/{what}",
        function="account",
        throttle="me" if method == "GET" else "changes",
        callers=Callers.USERS,
        exports=exports,
    )


def _facts(path: str, *routes: str, function: str) -> tuple[Route, ...]:
    """Routes of administrators about the facts below a path."""
    asked = (route.partition(" ") for route in routes)
    return tuple(
        Route(method=method, path=f"{path}/facts{behind}", function=function, throttle="admin")
        for method, _, behind in asked
    )


_SHARED_FACTS = (
    "GET ",
    "POST ",
    "GET /{fact_id}",
    "PUT /{fact_id}",
    "DELETE /{fact_id}",
    "POST /import",
    "GET /export",
)

ROUTES = (
    Route(method="GET", path=f"{_USER}/memory", function="load", throttle="load"),
    Route(method="POST", path=f"{_USER}/turns", function="ingest", throttle="turns"),
    Route(method="POST", path=f"{_USER}/recall", function="recall", throttle="recall"),
    Route(method="POST", path=f"{_USER}/citations", function="recall", throttle="recall"),
    Route(method="GET", path=f"{_USER}/turns/{{turn_id}}", function="ingest", throttle="status"),
    Route(method="GET", path=_COMPANY, function="admin", throttle="admin"),
    Route(method="PUT", path=_COMPANY, function="admin", throttle="admin"),
    Route(method="GET", path=f"{_COMPANY}/spaces", function="admin", throttle="admin"),
    Route(method="GET", path=_SPACE, function="admin", throttle="admin"),
    Route(method="PUT", path=_SPACE, function="admin", throttle="admin"),
    Route(method="DELETE", path=_SPACE, function="admin", throttle="admin"),
    Route(method="POST", path=f"{_COMPANY}/jobs", function="admin", throttle="admin"),
    Route(method="GET", path=_JOB, function="admin", throttle="admin"),
    Route(method="POST", path=f"{_JOB}/confirm", function="admin", throttle="admin"),
    Route(method="GET", path=f"{_COMPANY}/links", function="admin", throttle="admin"),
    Route(method="PUT", path=f"{_COMPANY}/links", function="admin", throttle="admin"),
    Route(method="GET", path=_LINK, function="admin", throttle="admin"),
    Route(method="PUT", path=_LINK, function="admin", throttle="admin"),
    Route(method="DELETE", path=_LINK, function="admin", throttle="admin"),
    Route(method="GET", path=f"{_LINK}/merges/{{job_id}}", function="admin", throttle="admin"),
    Route(method="POST", path=f"{_LINK}/unmerge", function="admin", throttle="admin"),
    Route(method="GET", path=f"{_USER}/export", function="account", throttle="admin"),
    Route(method="DELETE", path=f"{_USER}/memory", function="account", throttle="admin"),
    Route(method="GET", path=f"{_USER}/erasure", function="account", throttle="admin"),
    _mine("GET", "memory"),
    _mine("PUT", "memory"),
    _mine("GET", "memory/origins"),
    _mine("GET", "memory/revisions"),
    _mine("GET", "memory/revisions/{n}"),
    _mine("POST", "memory/revisions/{n}/restore"),
    _mine("GET", "turns"),
    _mine("DELETE", "memory"),
    _mine("GET", "erasure"),
    _mine("GET", "settings"),
    _mine("PUT", "settings"),
    _mine("PUT", "pins"),
    _mine("GET", "deny-rules"),
    _mine("PUT", "deny-rules"),
    _mine("GET", "export", exports=True),
    _mine("POST", "import"),
    _mine("POST", "unlearn"),
    _mine("GET", "facts"),
    _mine("POST", "facts"),
    _mine("GET", "facts/{fact_id}"),
    _mine("PUT", "facts/{fact_id}"),
    _mine("DELETE", "facts/{fact_id}"),
    _mine("POST", "facts/{fact_id}/expand"),
    _mine("POST", "facts/import"),
    *_facts(_USER, "GET ", "DELETE /{fact_id}", "POST /{fact_id}/expand", "POST /import", function="account"),
    *_facts(_COMPANY, *_SHARED_FACTS, function="admin"),
    *_facts(_SPACE, *_SHARED_FACTS, function="admin"),
    Route(method="GET", path="/v1/openapi.json", function="admin", throttle="docs", callers=Callers.ANYBODY),
)
"""None is greedy and none is `$default`: an IAM policy on such a path would say less than it seems to."""


def routes_of(environment: Environment) -> Sequence[Route]:
    """The routes of an environment: those of end users only where it is said who signs their tokens."""
    return [route for route in ROUTES if route.callers is not Callers.USERS or environment.oidc is not None]
