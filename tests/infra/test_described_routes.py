"""Routes stand in three places: at the gateway, in a handler, in the description. They are the same routes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from context_memory.contracts.openapi.operation import Callers as Described
from context_memory.contracts.openapi.operations import OPERATIONS
from infra.components.routes import ROUTES, Callers
from infra.layers.places import ROOT
from infra.local.coldstart.__main__ import local_variables
from infra.names import AUDITED

if TYPE_CHECKING:
    from pathlib import Path

    from infra.components.routes import Route


def answered_by(function: str, folder: Path) -> list[str]:
    """The routes that a handler answers, as it says itself in a process of its own."""
    path = [str(ROOT / "functions" / function), *sys.path]
    program = (
        f"import json, os, sys; sys.path[:] = {path!r}\nimport handler\n"
        "print(json.dumps(sorted(handler.ROUTES)), flush=True)\nos._exit(0)"  # not waiting for threads that ask AWS
    )
    done = subprocess.run(  # noqa: S603 - the program above
        [sys.executable, "-c", program],
        env=local_variables(function, folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout.splitlines()[-1]))


def callers(route: Route) -> Described:
    """As the description names those who may call a route."""
    if route.callers is Callers.USERS:
        if route.exports:
            return Described.EXPORTERS
        return Described.CHANGERS if route.changes else Described.READERS
    return {Callers.IAM: Described.IAM, Callers.ANYBODY: Described.ANYBODY}[route.callers]


def test_the_gateways_routes_are_described_each_with_those_who_may_call_it() -> None:
    assert {one.route: one.callers for one in OPERATIONS} == {route.key: callers(route) for route in ROUTES}


def test_wherever_a_path_names_a_user_a_provider_may_stand_that_belongs_to_nobody() -> None:
    of_users = [one for one in OPERATIONS if "{user_id}" in one.path]
    assert of_users
    assert [one.route for one in of_users if "link_unknown" not in one.problems] == []


@pytest.mark.parametrize("function", AUDITED)
def test_a_handler_answers_exactly_the_routes_that_the_gateway_leads_to_it(tmp_path: Path, function: str) -> None:
    assert answered_by(function, tmp_path) == sorted(route.key for route in ROUTES if route.function == function)
