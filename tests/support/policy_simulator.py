"""Decides cells by policies with an independent simulator of IAM, run as a program of its own.

It is installed by `make setup` where npm reaches its packages (tests/infra/simulator).
"""

from __future__ import annotations

import json
import subprocess
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

from infra.layers.places import ROOT
from tests.support.access_cells import ADMINISTRATORS, Cell, Layer, Transport
from tests.support.access_places import Assumption, Context
from tests.support.policies import Policy
from tests.support.policy_concerns import Concerns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from infra.names import Names
    from tests.support.policy_mutants import Mutant

FOLDER = ROOT / ".cache" / "simulator"
DRIVER = ROOT / "tests" / "infra" / "simulator" / "decide.mjs"
NODE = Path(sysconfig.get_path("scripts")) / "node"
_EVERYTHING = Policy(
    name=ADMINISTRATORS,
    written={"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]},
    roles=frozenset({ADMINISTRATORS}),
)
_TRANSPORTS = {
    Transport.TLS: {"aws:SecureTransport": "true", "s3:TlsVersion": "1.3"},
    Transport.OLD_TLS: {"aws:SecureTransport": "true", "s3:TlsVersion": "1.1"},
    Transport.PLAIN: {"aws:SecureTransport": "false"},
}


def missing() -> str:
    """Why nothing can be simulated; empty when it can."""
    installed = (FOLDER / "node_modules" / "@cloud-copilot" / "iam-simulate").is_dir()
    return "" if installed and NODE.exists() else "the policy simulator is not installed: `make setup` says why"


class Simulation:
    """Collects questions, and has all of them decided at once under the same policies."""

    def __init__(self, names: Names, policies: Sequence[Policy]) -> None:
        self._names = names
        policies = [*policies, _EVERYTHING]
        self._concerns = Concerns(names, policies)
        self._lines: list[dict[str, object]] = [
            {"policy": one.name, "document": one.document, "guards": bool(one.places)} for one in policies
        ]

    def tell(self, cell: Cell, number: int) -> None:
        """Say which requests a cell is, and what is wanted of them."""
        requests = [self._request(cell, action) for action in actions_of(cell)]
        self._lines.append({"cell": number, "wanted": cell.allowed, "requests": requests})

    def ask(self, number: int) -> None:
        """Ask whether a cell, told before, is allowed; the answer is `true` or `false`."""
        self._lines.append({"decide": number})

    def ask_mutant(self, mutant: Mutant, cells: Sequence[int]) -> None:
        """Ask which of these cells, told before, notices a mutant first; the answer is its number or `null`."""
        document, guards = mutant.document, bool(mutant.of.places)
        self._lines.append({"instead": mutant.of.name, "document": document, "guards": guards, "cells": list(cells)})

    def answers(self) -> list[bool | int | None]:
        """The answers, in the order in which they were asked for."""
        done = subprocess.run(  # noqa: S603 - our own driver, on our own Node
            [str(NODE), str(DRIVER), str(FOLDER)],
            input="\n".join(map(json.dumps, self._lines)),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise AssertionError(done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def _request(self, cell: Cell, action: str) -> dict[str, object]:
        identity, guards = self._concerns.of_actor(cell), self._concerns.of_place(cell)
        return {
            "action": action,
            "principal": self._principal(cell),
            "resource": cell.on.arn(self._names),
            "account": self._names.account,
            "context": self._context(cell, action),
            "identity": [] if cell.layer is Layer.PLACE else identity,
            "attached": None if cell.layer is Layer.ACTOR or not guards else guards[0],
        }

    def _principal(self, cell: Cell) -> str:
        if cell.who.service:
            return cell.who.service.format(region=self._names.region)
        where, role = cell.who.names(self._names), cell.who.role_name(self._names)
        return f"arn:{where.partition}:sts::{where.account}:assumed-role/{role}/session"

    def _context(self, cell: Cell, action: str) -> Context:
        context: Context = dict(_TRANSPORTS[cell.transport])
        if not action.startswith("s3:"):
            context.pop("s3:TlsVersion", None)
        if not cell.who.service:
            context["aws:PrincipalArn"] = cell.who.role_arn(self._names)
        context |= {f"aws:PrincipalTag/{key}": value for key, value in cell.who.tags}
        return context | cell.who.acts_for(self._names) | cell.on.context(self._names)


def actions_of(cell: Cell) -> tuple[str, ...]:
    """Actions that a request needs: assuming a role with tags is two."""
    tagged = cell.action == "sts:AssumeRole" and isinstance(cell.on, Assumption) and cell.on.tags
    return (cell.action, "sts:TagSession") if tagged else (cell.action,)
