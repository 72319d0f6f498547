"""What a user's token must hold: the function asks for the same as the gateway before it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from infra.components.routes import ROUTES, Callers, Route
from infra.local.coldstart.__main__ import local_variables

if TYPE_CHECKING:
    from collections.abc import Mapping

FUNCTION = Path(__file__).parents[2] / "functions" / "account"
EVENT = Path(__file__).parents[2] / "events" / "account" / "memory.json"
OF_USERS = [route for route in ROUTES if route.callers is Callers.USERS]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[str]]:
    """By route the scopes of which the function wants one."""
    variables = local_variables("account", tmp_path_factory.mktemp("no-outputs"))
    program = (
        f"import json, os, sys; sys.path[:] = {[str(FUNCTION), *sys.path]!r}\nimport handler\n"
        "from context_memory.contracts.http import Request\n"
        "requests = [Request.of(event) for event in json.load(sys.stdin)]\n"
        "print(json.dumps({one.route: sorted(handler.scopes(one)) for one in requests}), flush=True)\nos._exit(0)"
    )
    done = subprocess.run(  # noqa: S603 - the program above
        [sys.executable, "-c", program],
        env=dict(variables),
        input=json.dumps([json.loads(EVENT.read_text()) | {"routeKey": route.key} for route in OF_USERS]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return told


@pytest.mark.parametrize("route", OF_USERS, ids=lambda route: route.key)
def test_a_route_asks_for_the_scope_of_what_it_does(asked: Mapping[str, list[str]], route: Route) -> None:
    reads = ["memory", "memory:change"]
    wanted = ["memory:export"] if route.path == "/v1/me/export" else reads if route.method == "GET" else reads[1:]
    assert asked[route.key] == wanted
