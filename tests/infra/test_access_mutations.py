"""Spoils every policy of the synthesised stacks, one mistake at a time: the access matrix notices each of them.

What no request shows is noticed by an assertion upon the template, which is run upon the template with the mistake.
"""

from __future__ import annotations

import os
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from infra.names import USER_DATA_ROLES
from tests.infra import (
    test_access,
    test_audit_stack,
    test_data_protection,
    test_storage_stack,
    test_switches_stack,
    test_watch_stack,
)
from tests.support.access_matrix import matrix
from tests.support.policies import policies_of
from tests.support.policy_concerns import Concerns
from tests.support.policy_mutants import mutants_of
from tests.support.policy_simulator import Simulation, actions_of, missing

if TYPE_CHECKING:
    from collections.abc import Callable

    from infra.names import Names
    from tests.infra.templates import Templates
    from tests.support.policies import Policy
    from tests.support.policy_mutants import Mutant

REQUIRED = os.environ.get("CONTEXT_MEMORY_REQUIRE_SIMULATOR") == "1"


def tags_are_asked_for(templates: Templates) -> None:
    for role in USER_DATA_ROLES:
        test_access.test_a_user_data_role_is_assumed_with_its_tags_and_no_other(templates, role)


def erasing_is_as_it_should_be(templates: Templates) -> None:
    test_access.test_a_user_data_role_has_exactly_the_rights_of_the_architecture(templates, "erase", test_access.ERASE)


# Mistakes (patterns) that no request shows, why, and the assertion that fails upon each of them.
ASSERTED: dict[str, tuple[str, Callable[[Templates], None]]] = {
    "access/*/trust · * · without Null aws:RequestTag/*": (
        "a missing tag is not `?*` either: two guards for one hole",
        tags_are_asked_for,
    ),
    "access/EraseUserData*/user-data · FindLegacy · all of s3": (
        "of what S3 decides by a prefix this role may do all there is: list and list versions",
        erasing_is_as_it_should_be,
    ),
    "storage/DataKey* · TheEnvironmentsRolesThroughStorage · *kms:CallerAccount*": (
        "the pattern of the roles names the account too: two guards for one hole",
        test_storage_stack.test_the_key_rotates_and_serves_this_environments_roles_through_storage_alone,
    ),
    "storage/ReceiptsKey* · WhoErasesSigns · *kms:CallerAccount*": (
        "the roles that sign are named with their account: two guards for one hole",
        test_storage_stack.test_receipts_are_signed_by_a_pair_of_keys_that_only_who_erases_may_use,
    ),
    "storage/DataKey* · TheEnvironmentsLogGroups · *": (
        "the simulator knows no encryption context",
        test_data_protection.test_the_key_serves_log_groups_of_this_environment_alone,
    ),
    "audit/TrailDelivery*/audit · EncryptRecords · on <TrailKey*>[*]": (
        "a key is guarded by its own policy, and no other is there",
        test_audit_stack.test_firehose_may_write_below_two_folders_and_read_nothing,
    ),
    "audit/TrailAuditor* · DecryptRecords · on <TrailKey*>[*]": (
        "likewise",
        test_audit_stack.test_an_auditor_reads_records_and_nothing_else,
    ),
    "watch/AlarmsTopicPolicy* · TheEnvironmentsAlarms · on *": (
        "a topic's policy is asked about its topic alone",
        test_watch_stack.test_the_topic_is_encrypted_and_takes_only_this_environments_alarms_over_tls,
    ),
    "watch/* · TheEnvironmentsAlarms · *aws:SourceAccount*": (
        "the pattern of the alarms names the account too: two guards for one hole",
        test_watch_stack.test_the_topic_is_encrypted_and_takes_only_this_environments_alarms_over_tls,
    ),
    "switches/AlarmReader*/alarms · SeeWhetherTheAlarmRings · on [*]": (
        "its own resource is every alarm there is",
        test_switches_stack.test_an_alarm_of_this_stack_takes_a_change_back_and_appconfig_may_look_at_it,
    ),
}


def concerned(policies: list[Policy], names: Names) -> dict[str, list[int]]:
    """Numbers of the cells that each policy has a say in."""
    concerns = Concerns(names, policies)
    cells: dict[str, list[int]] = {policy.name: [] for policy in policies}
    for number, cell in enumerate(matrix()):
        for policy in {*concerns.of_actor(cell), *concerns.of_place(cell)}:
            cells[policy].append(number)
    return cells


def fails(assertion: Callable[[Templates], None], templates: Templates) -> bool:
    try:
        assertion(templates)
    except Exception:  # noqa: BLE001 - a test fails by whatever it raises
        return True
    return False


def survivors(templates: Templates, policies: list[Policy], mutants: list[Mutant]) -> list[Mutant]:
    """Mutants that no cell of the matrix notices."""
    simulation = Simulation(templates.names, policies)
    for number, cell in enumerate(matrix()):
        simulation.tell(cell, number)
    actions = [actions_of(cell) for cell in matrix()]
    cells = concerned(policies, templates.names)
    asked = set(chain(*actions))
    for mutant in mutants:
        touched = {action for action in asked if mutant.concerns(action)}
        able = [
            number
            for number in cells[mutant.of.name]
            if matrix()[number].allowed is not mutant.wider and not touched.isdisjoint(actions[number])
        ]
        simulation.ask_mutant(mutant, able)
    return [mutant for mutant, by in zip(mutants, simulation.answers(), strict=True) if by is None]


@pytest.mark.skipif(bool(missing()) and not REQUIRED, reason=missing())
def test_every_mistake_in_a_policy_is_noticed(guarded: Templates) -> None:
    policies = policies_of(guarded.by_concern, guarded.names)
    mutants = [mutant for policy in policies for mutant in mutants_of(policy)]
    unseen = survivors(guarded, policies, mutants)

    assert len(mutants) > 800
    unnoticed = []
    for mutant in unseen:
        spoilt = replace(guarded, by_concern=mutant.of.rewritten(guarded.by_concern, mutant.written))
        asserted = (assertion for pattern, (_, assertion) in ASSERTED.items() if fnmatchcase(mutant.change, pattern))
        if not any(fails(assertion, spoilt) for assertion in asserted):
            unnoticed.append(mutant.change)
    assert unnoticed == []
    assert [one for one in ASSERTED if not any(fnmatchcase(mutant.change, one) for mutant in unseen)] == []


@pytest.mark.parametrize("pattern", ASSERTED)
def test_an_assertion_that_notices_the_rest_holds_where_nothing_is_spoilt(guarded: Templates, pattern: str) -> None:
    ASSERTED[pattern][1](guarded)
