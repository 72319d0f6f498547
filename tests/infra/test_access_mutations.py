"""Spoils every policy of the synthesised stacks, one mistake at a time: the access matrix notices each of them.

What a simulator cannot notice is listed below with the test that does.
"""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from infra.layers.places import ROOT
from tests.support.access_matrix import matrix
from tests.support.policies import policies_of
from tests.support.policy_mutants import mutants_of
from tests.support.policy_simulator import Simulation, actions_of, concerns_actor, concerns_place, missing

if TYPE_CHECKING:
    from infra.names import Names
    from tests.infra.templates import Templates
    from tests.support.policies import Policy

REQUIRED = os.environ.get("CONTEXT_MEMORY_REQUIRE_SIMULATOR") == "1"
# Mistakes (patterns) that no request shows, why, and the test that asserts what the template says.
ASSERTED = {
    "access/*/trust · * · without Null aws:RequestTag/*": (
        "a missing tag is not `?*` either: two guards for one hole",
        "test_a_user_data_role_is_assumed_with_its_tags_and_no_other",
    ),
    "access/EraseUserData*/user-data · FindLegacy · all of s3": (
        "of what S3 decides by a prefix this role may do all there is: list and list versions",
        "test_a_user_data_role_has_exactly_the_rights_of_the_architecture",
    ),
    "storage/DataKey* · TheEnvironmentsRolesThroughStorage · *kms:CallerAccount*": (
        "the pattern of the roles names the account too: two guards for one hole",
        "test_the_key_rotates_and_serves_this_environments_roles_through_storage_alone",
    ),
    "storage/DataKey* · TheAccountsAdministrators · dropped": (
        "no role of these stacks administers the key",
        "test_the_key_rotates_and_serves_this_environments_roles_through_storage_alone",
    ),
    "storage/DataKey* · TheEnvironmentsLogGroups · *": (
        "the simulator knows no encryption context",
        "test_the_key_serves_log_groups_of_this_environment_alone",
    ),
    "audit/* · *": (
        "what services of AWS do for each other is no cell of the matrix",
        "test_firehose_may_write_below_two_folders_and_read_nothing",
    ),
    "watch/* · *": (
        "likewise",
        "test_the_topic_is_encrypted_and_takes_only_this_environments_alarms_over_tls",
    ),
    "switches/AlarmReader*/alarms · SeeWhetherTheAlarmRings · on [*]": (
        "its own resource is every alarm there is",
        "test_every_finding_is_acknowledged_on_its_resource",
    ),
}


def concerned(policies: list[Policy], names: Names) -> dict[str, list[int]]:
    """Numbers of the cells that each policy has a say in."""
    return {
        policy.name: [
            number
            for number, cell in enumerate(matrix())
            if concerns_actor(policy, cell, names) or concerns_place(policy, cell, names)
        ]
        for policy in policies
    }


@pytest.mark.skipif(bool(missing()) and not REQUIRED, reason=missing())
def test_every_mistake_in_a_policy_is_noticed(dev: Templates) -> None:
    policies = policies_of(dev.by_concern, dev.names)
    mutants = [mutant for policy in policies for mutant in mutants_of(policy)]
    simulation = Simulation(dev.names, policies)
    for number, cell in enumerate(matrix()):
        simulation.ask(cell, number)
    actions = [actions_of(cell) for cell in matrix()]
    cells = concerned(policies, dev.names)
    for mutant in mutants:
        touched = {action for action in set(chain(*actions)) if mutant.concerns(action)}
        able = [number for number in cells[mutant.of.name] if not touched.isdisjoint(actions[number])]
        simulation.ask_mutant(mutant, able)

    noticed = simulation.answers()[len(matrix()) :]
    survivors = {mutant.change for mutant, by in zip(mutants, noticed, strict=True) if by is None}

    assert len(mutants) > 500
    assert sorted(one for one in survivors if not any(fnmatchcase(one, pattern) for pattern in ASSERTED)) == []
    assert [pattern for pattern in ASSERTED if not any(fnmatchcase(one, pattern) for one in survivors)] == []


def test_the_tests_that_notice_the_rest_are_there() -> None:
    there = {
        name
        for file in (ROOT / "tests" / "infra").glob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)
    }

    assert {test for _, test in ASSERTED.values()} <= there
