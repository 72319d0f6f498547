"""The form of every policy of the stacks: each statement named, nothing open that could be said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.infra.templates import listed
from tests.support.policies import policies_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.infra.templates import Templates

# Statements whose resource holds a `*`, by sid, and what it stands for.
OPEN_RESOURCES = {
    "WriteTraces": "X-Ray knows no resources for sending traces",
    "WriteOwnLogs": "the streams of the function's own log group",
    "ReadHashKey": "`?` only: six characters that AWS adds to a secret's ARN",
    "ReadModelKey": "`?` only, likewise",
    "ReadEmbeddingKey": "`?` only, likewise",
    "UsePayloads": "the turns of the one user whom the tags name",
    "EraseProfile": "whatever lies in the home of the one user whom the tags name",
    "CallForTheCompany": "whatever users and parts the one company has",
    "WriteRecords": "the two folders of the audit bucket below which records and failures go",
    "SeeWhetherTheAlarmRings": "CloudWatch decides a listing of alarms upon all of them",
    "SeeAlarms": "likewise, for operators",
    "FindSwitches": "AppConfig knows no resources in listings of applications and strategies",
    "ReadSwitches": "AppConfig numbers versions and deployments",
    "MoveSwitches": "likewise",
    "ReadLogs": "the streams of the service's own log groups",
    "FindTheApi": "the id that AWS adds to the stack's name",
    "ReadIndexes": "what lies in the index of the one user, and in those of the one company and its spaces",
    "WriteIndex": "what lies in the index of the one user whom the tags name",
    "KeepSharedIndexes": "what lies in the indexes of companies and of their spaces",
    "NothingOfUsers": "it denies, whatever a user's index is called",
    "ReadRecords": "the folder of the audit bucket that holds records",
}


def statements(templates: Templates, *, of_roles: bool = False) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every statement of every policy, or of roles' own, with the policy's name."""
    for policy in policies_of(templates.by_concern, templates.names):
        if policy.roles or not of_roles:
            for statement in policy.document["Statement"]:
                yield policy.name, statement


def test_every_statement_is_named_for_its_reason(dev: Templates) -> None:
    sids = [(policy, statement.get("Sid", "")) for policy, statement in statements(dev)]

    assert [one for one in sids if not re.fullmatch(r"([A-Z][a-z]*){2,}", one[1])] == []
    assert len(set(sids)) == len(sids)


def test_no_statement_is_open_where_it_could_name_its_resource(dev: Templates) -> None:
    found = {
        statement["Sid"]
        for _, statement in statements(dev, of_roles=True)
        if any("*" in resource or "?" in resource for resource in listed(statement["Resource"]))
    }

    assert found == set(OPEN_RESOURCES)
    everything = {
        sid for _, one in statements(dev, of_roles=True) if "*" in listed(one["Resource"]) for sid in [one["Sid"]]
    }
    assert everything == {"WriteTraces", "FindSwitches", "SeeAlarms"}


def test_no_statement_speaks_of_all_but_something(dev: Templates) -> None:
    for _, statement in statements(dev):
        assert not {"NotAction", "NotResource", "NotPrincipal"} & set(statement)


def test_whoever_is_allowed_something_is_named_or_held_by_conditions(dev: Templates) -> None:
    held = {
        statement["Sid"]: {key for keys in statement["Condition"].values() for key in keys}
        for _, statement in statements(dev)
        if statement["Effect"] == "Allow" and "*" in str(statement.get("Principal", ""))
    }
    assert held == {
        "TheEnvironmentsRolesThroughStorage": {"aws:PrincipalArn", "kms:CallerAccount", "kms:ViaService"},
        "WhoErasesSigns": {"aws:PrincipalArn", "kms:CallerAccount"},
        "TheAccountVerifies": {"kms:CallerAccount"},
    }


def test_each_function_runs_under_a_role_that_nothing_else_uses(dev: Templates) -> None:
    roles = [function["Role"] for function in dev.resources("AWS::Lambda::Function").values()]

    assert len(roles) == len(set(roles)) > 0
