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
from tests.support.access_cells import Assumption, Cell, Layer, Transport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from infra.names import Names
    from tests.support.policies import Policy

FOLDER = ROOT / ".cache" / "simulator"
DRIVER = ROOT / "tests" / "infra" / "simulator" / "decide.mjs"
NODE = Path(sysconfig.get_path("scripts")) / "node"
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
    """Collects questions, and has all of them decided at once."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._lines: list[str] = []
        self._defined: set[str] = set()
        self._parts: list[int] = []

    def ask(self, cell: Cell, policies: Sequence[Policy]) -> None:
        """Ask one question, under these policies; a policy's name stands for its text."""
        names, who = self._names, cell.who
        own = [one for one in policies if who.role and who.role_name(names) in one.roles and not who.account]
        place = cell.on.guarded_by(names)
        guards = [one for one in policies if place in one.places]
        identity = own if cell.layer is not Layer.PLACE else []
        attached = guards[0].name if guards and cell.layer is not Layer.ACTOR else None
        for policy in (*identity, *guards):
            self._define(policy)
        actions = _actions(cell)
        for action in actions:
            self._lines.append(
                json.dumps(
                    {
                        "action": action,
                        "principal": self._principal(cell),
                        "resource": cell.on.arn(names),
                        "account": names.account,
                        "context": self._context(cell, action),
                        "identity": [one.name for one in identity],
                        "attached": attached,
                    }
                )
            )
        self._parts.append(len(actions))

    def verdicts(self) -> list[bool]:
        """Whether each question so far is allowed, in the order in which they were asked."""
        done = subprocess.run(  # noqa: S603 - our own driver, on our own Node
            [str(NODE), str(DRIVER), str(FOLDER)],
            input="\n".join(self._lines),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise AssertionError(done.stderr)
        answers = iter(done.stdout.split())
        return [all([next(answers) == "Allowed" for _ in range(count)]) for count in self._parts]  # noqa: C419 - reads each

    def _define(self, policy: Policy) -> None:
        if policy.name not in self._defined:
            self._defined.add(policy.name)
            self._lines.append(json.dumps({"policy": policy.name, "document": policy.document}))

    def _principal(self, cell: Cell) -> str:
        if cell.who.service:
            return cell.who.service
        where = cell.who.names(self._names)
        return f"arn:{where.partition}:sts::{where.account}:assumed-role/{where.role(cell.who.role)}/session"

    def _context(self, cell: Cell, action: str) -> dict[str, str | list[str]]:
        context: dict[str, str | list[str]] = dict(_TRANSPORTS[cell.transport])
        if not action.startswith("s3:"):
            context.pop("s3:TlsVersion", None)
        if cell.who.role:
            context["aws:PrincipalArn"] = cell.who.role_arn(self._names)
        context |= {f"aws:PrincipalTag/{key}": value for key, value in cell.who.tags}
        return context | cell.on.context(self._names)


def _actions(cell: Cell) -> tuple[str, ...]:
    """Actions that a request needs: assuming a role with tags is two."""
    tagged = isinstance(cell.on, Assumption) and cell.on.tags
    return (cell.action, "sts:TagSession") if tagged else (cell.action,)
