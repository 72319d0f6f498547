"""Roles: each function's own has no right to user data, and user-data roles reach one user alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from infra.environments import DEV
from infra.names import FUNCTIONS, USER_DATA_ROLES
from tests.infra.templates import ACCOUNT, REGION, listed

if TYPE_CHECKING:
    from tests.infra.templates import Templates

COMPANY, USER = "${aws:PrincipalTag/company_id}", "${aws:PrincipalTag/user_id}"
PROFILES = f"arn:aws:s3:::context-memory-dev-profiles-{ACCOUNT}-{REGION}"
WORK = f"arn:aws:s3:::context-memory-dev-work-{ACCOUNT}-{REGION}"
USERS = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/context-memory-dev-users"
PROFILE_KEY = f"{COMPANY}/home-{USER}/user-memory/memory.md"
LEGACY_KEY = f"{COMPANY}/user-memory/{USER}/memory.md"
PAYLOADS = f"turns/{COMPANY}/home-{USER}/"
ONE_USER = {
    "ForAllValues:StringEquals": {"dynamodb:LeadingKeys": [f"{COMPANY}#{USER}"]},
    "Null": {"dynamodb:LeadingKeys": "false"},
}
COUNTERS = {
    "ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["*##budget"]},
    "Null": {"dynamodb:LeadingKeys": "false"},
}
COUNTING = {
    "admin": ["dynamodb:Query"],
    "ingest": ["dynamodb:Query"],
    "consolidate": ["dynamodb:Query", "dynamodb:UpdateItem"],
    "maintain": ["dynamodb:Query"],
}

COMPANIES = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/context-memory-dev-companies"
A_COMPANYS_OWN_ITEMS = {
    "ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["*##company"]},
    "Null": {"dynamodb:LeadingKeys": "false"},
}

Right = tuple[str, str, str]


def rights(templates: Templates, role: str) -> set[Right]:
    """Every (action, resource, condition) that a role has."""
    return {
        (action, resource, json.dumps(statement.get("Condition", {}), sort_keys=True))
        for statement in templates.statements(role)
        for action in listed(statement["Action"])
        for resource in listed(statement["Resource"])
    }


def right(action: str, resource: str, condition: dict[str, Any] | None = None) -> Right:
    return action, resource, json.dumps(condition or {}, sort_keys=True)


def prefixes(*keys: str) -> dict[str, Any]:
    return {"StringEquals": {"s3:prefix": list(keys)}}


READ = {
    right("s3:GetObject", f"{PROFILES}/{PROFILE_KEY}"),
    right("s3:GetObjectVersion", f"{PROFILES}/{PROFILE_KEY}"),
    right("s3:GetObject", f"{PROFILES}/{LEGACY_KEY}"),
    right("s3:ListBucket", PROFILES, prefixes(LEGACY_KEY)),
    right("dynamodb:GetItem", USERS, ONE_USER),
    right("dynamodb:Query", USERS, ONE_USER),
}
WRITE = READ | {
    right("s3:PutObject", f"{PROFILES}/{PROFILE_KEY}"),
    right("s3:GetObject", f"{WORK}/{PAYLOADS}*"),
    right("s3:PutObject", f"{WORK}/{PAYLOADS}*"),
    right("s3:DeleteObject", f"{WORK}/{PAYLOADS}*"),
    right("dynamodb:PutItem", USERS, ONE_USER),
    right("dynamodb:UpdateItem", USERS, ONE_USER),
    right("dynamodb:DeleteItem", USERS, ONE_USER),
    right("dynamodb:ConditionCheckItem", USERS, ONE_USER),
}
OWN_PREFIXES = prefixes(f"{COMPANY}/home-{USER}/", PROFILE_KEY, LEGACY_KEY)
ERASE = WRITE | {
    right("s3:DeleteObject", f"{PROFILES}/{PROFILE_KEY}"),
    right("s3:DeleteObjectVersion", f"{PROFILES}/{PROFILE_KEY}"),
    right("s3:DeleteObject", f"{PROFILES}/{LEGACY_KEY}"),
    right("s3:DeleteObjectVersion", f"{PROFILES}/{LEGACY_KEY}"),
    right("s3:ListBucketVersions", PROFILES, OWN_PREFIXES),
    right("s3:ListBucket", WORK, prefixes(PAYLOADS)),
}
LISTER = {
    right("s3:ListBucket", WORK, {"StringEquals": {"s3:prefix": f"turns/{COMPANY}/", "s3:delimiter": "/"}}),
}


@pytest.mark.parametrize(("role", "expected"), [("read", READ), ("write", WRITE), ("erase", ERASE), ("lister", LISTER)])
def test_a_user_data_role_has_exactly_the_rights_of_the_architecture(
    dev: Templates, role: str, expected: set[Right]
) -> None:
    assert rights(dev, dev.names.user_data_role(role)) == expected


@pytest.mark.parametrize(
    ("role", "functions"),
    [
        ("read", {"load", "ingest", "account"}),
        ("write", {"ingest", "consolidate", "maintain"}),
        ("erase", {"consolidate", "maintain"}),
        ("lister", {"maintain"}),
    ],
)
def test_a_user_data_role_trusts_only_the_functions_that_need_it(
    dev: Templates, role: str, functions: set[str]
) -> None:
    trusted = {statement["Principal"]["AWS"] for statement in dev.trust(dev.names.user_data_role(role))}

    logical_ids = {
        f"<{logical_id}>"
        for logical_id, properties in dev.resources("AWS::IAM::Role", "access").items()
        if properties["RoleName"] in {dev.names.function_role(function) for function in functions}
    }
    assert trusted == logical_ids
    assert len(logical_ids) == len(functions)


@pytest.mark.parametrize("role", USER_DATA_ROLES)
def test_a_user_data_role_is_assumed_with_its_tags_and_no_other(dev: Templates, role: str) -> None:
    tags = ["company_id"] if role == "lister" else ["company_id", "user_id"]

    for statement in dev.trust(dev.names.user_data_role(role)):
        assert statement["Action"] == ["sts:AssumeRole", "sts:TagSession"]
        assert statement["Condition"] == {
            "Null": {f"aws:RequestTag/{tag}": "false" for tag in tags},
            "StringLike": {f"aws:RequestTag/{tag}": "?*" for tag in tags},
            "ForAllValues:StringEquals": {"aws:TagKeys": tags},
        }


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_functions_own_role_reaches_no_user_data_and_of_companies_only_settings_and_spending(
    dev: Templates, function: str
) -> None:
    own = rights(dev, dev.names.function_role(function))

    items = {one for one in own if one[0].startswith("dynamodb:")}
    expected = {right(action, COMPANIES, COUNTERS) for action in COUNTING.get(function, ())}
    changing = {"dynamodb:UpdateItem"} if function == "admin" else set()
    own_items = {right(action, COMPANIES, A_COMPANYS_OWN_ITEMS) for action in {"dynamodb:GetItem", *changing}}
    assert items == expected | own_items
    objects = {(action, condition) for action, _, condition in own if action.startswith("s3:")}
    listing = json.dumps({"StringEquals": {"s3:delimiter": "/", "s3:prefix": "turns/"}}, sort_keys=True)
    assert objects == ({("s3:ListBucket", listing)} if function == "maintain" else set())


@pytest.mark.parametrize(
    ("function", "roles"),
    [
        ("load", {"read"}),
        ("ingest", {"read", "write"}),
        ("consolidate", {"write", "erase"}),
        ("maintain", {"write", "erase", "lister"}),
        ("account", {"read"}),
        ("admin", set()),
    ],
)
def test_a_function_may_assume_only_the_roles_it_needs(dev: Templates, function: str, roles: set[str]) -> None:
    own = rights(dev, dev.names.function_role(function))

    assumed = {resource for action, resource, _ in own if action == "sts:AssumeRole"}
    assert assumed == {f"arn:aws:iam::{ACCOUNT}:role/{dev.names.user_data_role(role)}" for role in roles}
    assert {resource for action, resource, _ in own if action == "sts:TagSession"} == assumed


def test_each_function_has_the_rights_on_queues_that_its_work_needs(dev: Templates) -> None:
    turns = f"arn:aws:sqs:{REGION}:{ACCOUNT}:context-memory-dev-turns.fifo"
    dead = f"arn:aws:sqs:{REGION}:{ACCOUNT}:context-memory-dev-turns-dead.fifo"
    found = {
        function: {
            (action, resource)
            for action, resource, _ in rights(dev, dev.names.function_role(function))
            if action.startswith("sqs:")
        }
        for function in FUNCTIONS
    }

    ring = {("sqs:SendMessage", turns)}
    assert found == {
        "load": ring,
        "ingest": ring,
        "maintain": ring,
        "account": set(),
        "admin": set(),
        "consolidate": {
            ("sqs:ReceiveMessage", turns),
            ("sqs:DeleteMessage", turns),
            ("sqs:ChangeMessageVisibility", turns),
            ("sqs:GetQueueAttributes", turns),
            ("sqs:SendMessage", dead),
        },
    }


def test_only_consolidate_reads_the_models_key_and_who_serves_users_the_one_that_hashes_them(dev: Templates) -> None:
    readers = {
        (function, resource)
        for function in FUNCTIONS
        for action, resource, _ in rights(dev, dev.names.function_role(function))
        if action.startswith("secretsmanager:")
    }

    secret = f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:context-memory/dev"
    hashing = {(function, f"{secret}/hashing-??????") for function in FUNCTIONS if function != "admin"}
    assert readers == {*hashing, ("consolidate", f"{secret}/model-api-??????")}


def test_no_role_may_scan_use_partiql_or_do_whatever_it_likes(dev: Templates) -> None:
    for role in dev.named("AWS::IAM::Role", "RoleName"):
        for action, _, _ in rights(dev, role):
            assert "*" not in action
            assert action not in {"dynamodb:Scan", "dynamodb:BatchWriteItem"}
            assert "PartiQL" not in action


def test_functions_may_read_the_flags_of_this_environment_and_no_others(dev: Templates) -> None:
    readers = {
        (function, action, resource)
        for function in FUNCTIONS
        for action, resource, _ in rights(dev, dev.names.function_role(function))
        if action.startswith("appconfig:")
    }

    (application,) = dev.resources("AWS::AppConfig::Application")
    (environment,) = dev.resources("AWS::AppConfig::Environment")
    (profile,) = dev.resources("AWS::AppConfig::ConfigurationProfile")
    place = f"application/<{application}>/environment/<{environment}>/configuration/<{profile}>"
    assert readers == {
        (function, f"appconfig:{action}", f"arn:aws:appconfig:{REGION}:{ACCOUNT}:{place}")
        for function in FUNCTIONS
        for action in ("StartConfigurationSession", "GetLatestConfiguration")
    }


def test_beside_the_access_stack_there_are_policies_for_callers_and_a_role_of_the_switches(dev: Templates) -> None:
    kinds = ("AWS::IAM::Role", "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy")
    for concern in ("storage", "queues"):
        assert not [kind for kind in kinds if dev.resources(kind, concern)]
    assert not [kind for kind in kinds[:2] if dev.resources(kind, "service")]
    assert len(dev.resources("AWS::IAM::ManagedPolicy", "service")) == 3 * len(DEV.companies)
    assert len(dev.resources("AWS::IAM::Role", "access")) == len(FUNCTIONS) + len(USER_DATA_ROLES)


def test_a_listing_of_users_data_always_says_which_prefix(dev: Templates) -> None:
    for role in dev.resources("AWS::IAM::Role", "access").values():
        for action, _, condition in rights(dev, role["RoleName"]):
            if action.startswith("s3:ListBucket"):
                assert "s3:prefix" in json.loads(condition)["StringEquals"]
