"""The synthesised policies, decided by an independent simulator: every cell of the access matrix."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from infra.layers.places import ROOT
from infra.names import FUNCTIONS, USER_DATA_ROLES
from tests.support.access_matrix import matrix
from tests.support.access_places import Assumption
from tests.support.access_rights import NEEDED
from tests.support.policies import policies_of
from tests.support.policy_simulator import Simulation, missing

if TYPE_CHECKING:
    from tests.infra.templates import Templates

REQUIRED = os.environ.get("CONTEXT_MEMORY_REQUIRE_SIMULATOR") == "1"
LOCK = ROOT / "tests" / "infra" / "simulator" / "package-lock.json"


@pytest.mark.skipif(bool(missing()) and not REQUIRED, reason=missing())
def test_the_policies_decide_every_cell_as_the_architecture_says(guarded: Templates) -> None:
    simulation = Simulation(guarded.names, policies_of(guarded.by_concern, guarded.names))
    for number, cell in enumerate(matrix()):
        simulation.tell(cell, number)
        simulation.ask(number)

    answers = zip(matrix(), simulation.answers(), strict=True)
    wrong = [str(cell) for cell, allowed in answers if allowed != cell.allowed]

    assert wrong == []


def test_what_holds_for_the_stacks_that_are_asked_holds_for_others_which_lack_policies_and_have_none_of_their_own(
    dev: Templates, guarded: Templates
) -> None:
    asked = {policy.name: policy.document for policy in policies_of(guarded.by_concern, guarded.names)}
    for policy in policies_of(dev.by_concern, dev.names):
        missing_here = [one for one in asked[policy.name]["Statement"] if one not in policy.document["Statement"]]
        assert [one for one in policy.document["Statement"] if one not in asked[policy.name]["Statement"]] == []
        assert {one["Sid"] for one in missing_here} <= {"NobodyDeletesRecords", "OnlyFirehoseWritesRecords"}


def test_the_matrix_asks_every_function_about_every_role_and_contradicts_itself_nowhere() -> None:
    cells = matrix()

    asked = {
        (cell.who.role, cell.on.role) for cell in cells if isinstance(cell.on, Assumption) and not cell.who.service
    }
    assert {(f"{one}-function", f"user-{role}") for one in FUNCTIONS for role in USER_DATA_ROLES} <= asked
    assert set(NEEDED) == set(FUNCTIONS)
    questions = Counter(replace(cell, allowed=True) for cell in cells)
    assert [str(cell) for cell, count in questions.items() if count > 1] == []
    assert sum(cell.allowed for cell in cells) >= 100


def test_the_simulators_packages_are_locked_by_content_and_named_by_no_address() -> None:
    lock = json.loads(LOCK.read_text())

    packages = {name: package for name, package in lock["packages"].items() if name}
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert "://" not in LOCK.read_text()
