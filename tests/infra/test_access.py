"""Roles: each function's own has no right to user data, and user-data roles reach one user alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from infra.environments import DEV
from infra.names import FUNCTIONS, USER_DATA_ROLES
from tests.infra.templates import ACCOUNT, REGION, listed, synthesise

if TYPE_CHECKING:
    from pathlib import Path

    from tests.infra.templates import Templates

COMPANY, USER = "${aws:PrincipalTag/company_id}", "${aws:PrincipalTag/user_id}"
PROFILES = f"arn:aws:s3:::context-memory-dev-profiles-{ACCOUNT}-{REGION}"
WORK = f"arn:aws:s3:::context-memory-dev-work-{ACCOUNT}-{REGION}"
USERS = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/context-memory-dev-users"
PROFILE_KEY = f"{COMPANY}/home-{USER}/user-memory/memory.md"
LEGACY_KEY = f"{COMPANY}/user-memory/{USER}/memory.md"
INDEXES = tuple(f"recall/{COMPANY}/{whose}" for whose in (f"home-{USER}/", "space-", "global/"))
PAYLOADS = f"turns/{COMPANY}/home-{USER}/"
TEXTS = f"kept/{COMPANY}/home-{USER}/"
ONE_USER = {
    "ForAllValues:StringEquals": {"dynamodb:LeadingKeys": [f"{COMPANY}#{USER}"]},
    "Null": {"dynamodb:LeadingKeys": "false"},
}
COMPANIES = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/context-memory-dev-companies"
_KEEPS_JOBS = "GetItem Query PutItem"
# By function what it does to which kinds of items of companies.
OF_COMPANIES = {
    "load": {"company": "GetItem", "spaces": "GetItem", "links": "GetItem"},
    "ingest": {"company": "GetItem", "spaces": "GetItem", "links": "GetItem", "budget": "Query"},
    "recall": {"company": "GetItem", "spaces": "GetItem", "links": "GetItem"},
    "consolidate": {"company": "GetItem", "spaces": "GetItem", "budget": "Query UpdateItem", "agenda": "PutItem"},
    "extract": {"company": "GetItem", "spaces": "GetItem", "budget": "Query UpdateItem", "agenda": "PutItem"},
    "account": {
        "company": "GetItem",
        "spaces": "GetItem",
        "links": "GetItem Query DeleteItem",
        "agenda": "PutItem",
        "erasures": "PutItem",
        "merges": "Query GetItem PutItem",
    },
    "admin": {
        "company": "GetItem",
        "company job": "UpdateItem",
        "spaces": "GetItem Query UpdateItem DeleteItem",
        "budget": "Query",
        "agenda": "PutItem",
        "job": _KEEPS_JOBS,
        "links": "GetItem Query",
        "merges": "GetItem",
        "links merges": "PutItem DeleteItem ConditionCheckItem",
    },
    "maintain": {
        "company": "GetItem",
        "spaces": "GetItem",
        "budget": "Query UpdateItem",
        "agenda": "Query PutItem DeleteItem",
        "erasures": "Query PutItem",
        "merges": "GetItem PutItem ConditionCheckItem",
        "links merges": "Query DeleteItem",
        "job": _KEEPS_JOBS,
    },
}
# Those that write what companies share.
OF_SHARED_FACTS = {
    "admin": "GetItem Query ConditionCheckItem PutItem UpdateItem DeleteItem",
    "maintain": "GetItem Query ConditionCheckItem PutItem UpdateItem DeleteItem",
}

Right = tuple[str, str, str]


def rights(templates: Templates, role: str) -> set[Right]:
    """Every (action, resource, condition) that a role has."""
    return {
        (action, resource, json.dumps(statement.get("Condition", {}), sort_keys=True))
        for statement in templates.statements(role)
        if statement["Effect"] == "Allow"
        for action in listed(statement["Action"])
        for resource in listed(statement["Resource"])
    }


def right(action: str, resource: str, condition: dict[str, Any] | None = None) -> Right:
    return action, resource, json.dumps(condition or {}, sort_keys=True)


def of_kinds(kinds: str) -> dict[str, Any]:
    """Items of companies of some kinds, and a request that names which."""
    return {
        "ForAllValues:StringLike": {"dynamodb:LeadingKeys": [f"*##{kind}" for kind in kinds.split()]},
        "Null": {"dynamodb:LeadingKeys": "false"},
    }


def shared(company: str) -> dict[str, Any]:
    """Facts of a company, and of its spaces."""
    return {
        "ForAllValues:StringLike": {"dynamodb:LeadingKeys": [f"{company}##global", f"{company}##space#*"]},
        "Null": {"dynamodb:LeadingKeys": "false"},
    }


def folders(*below: str) -> dict[str, Any]:
    return {"StringEquals": {"s3:prefix": below[0] if len(below) == 1 else list(below), "s3:delimiter": "/"}}


def prefixes(*keys: str) -> dict[str, Any]:
    return {"StringEquals": {"s3:prefix": list(keys)}}


READ = {
    right("s3:GetObject", f"{PROFILES}/{PROFILE_KEY}"),
    right("s3:GetObjectVersion", f"{PROFILES}/{PROFILE_KEY}"),
    right("s3:GetObject", f"{PROFILES}/{LEGACY_KEY}"),
    right("s3:ListBucket", PROFILES, prefixes(LEGACY_KEY)),
    right("dynamodb:GetItem", USERS, ONE_USER),
    right("dynamodb:Query", USERS, ONE_USER),
    right("dynamodb:GetItem", COMPANIES, shared(COMPANY)),
    right("dynamodb:BatchGetItem", COMPANIES, shared(COMPANY)),
    right("dynamodb:Query", COMPANIES, shared(COMPANY)),
    *(right("s3:GetObject", f"{WORK}/{prefix}*") for prefix in INDEXES),
    right("s3:ListBucket", WORK, {"StringLike": {"s3:prefix": [f"{prefix}*" for prefix in INDEXES]}}),
}
RECALL = READ | {
    right("dynamodb:PutItem", USERS, ONE_USER),
    right("dynamodb:UpdateItem", USERS, ONE_USER),
    right("dynamodb:ConditionCheckItem", USERS, ONE_USER),
}
WRITE = READ | {
    right("s3:PutObject", f"{WORK}/{INDEXES[0]}*"),
    right("s3:DeleteObject", f"{WORK}/{INDEXES[0]}*"),
    right("s3:PutObject", f"{PROFILES}/{PROFILE_KEY}"),
    *(
        right(f"s3:{action}", f"{WORK}/{said}*")
        for action in ("GetObject", "PutObject", "DeleteObject")
        for said in (PAYLOADS, TEXTS)
    ),
    right("s3:PutObject", f"{WORK}/users/{COMPANY}/home-{USER}/known"),
    right("dynamodb:PutItem", USERS, ONE_USER),
    right("dynamodb:UpdateItem", USERS, ONE_USER),
    right("dynamodb:DeleteItem", USERS, ONE_USER),
    right("dynamodb:ConditionCheckItem", USERS, ONE_USER),
}
OWN_PREFIXES = prefixes(f"{COMPANY}/home-{USER}/", PROFILE_KEY, LEGACY_KEY)
ERASE = WRITE | {
    right("s3:DeleteObject", f"{PROFILES}/{COMPANY}/home-{USER}/*"),
    right("s3:DeleteObjectVersion", f"{PROFILES}/{COMPANY}/home-{USER}/*"),
    right("s3:DeleteObject", f"{PROFILES}/{LEGACY_KEY}"),
    right("s3:DeleteObjectVersion", f"{PROFILES}/{LEGACY_KEY}"),
    right("s3:ListBucketVersions", PROFILES, OWN_PREFIXES),
    right("s3:ListBucket", WORK, prefixes(PAYLOADS, TEXTS)),
    right("s3:DeleteObject", f"{WORK}/users/{COMPANY}/home-{USER}/known"),
}
LISTER = {
    right("s3:ListBucket", WORK, folders(f"turns/{COMPANY}/", f"kept/{COMPANY}/")),
    right("s3:ListBucket", WORK, folders(f"users/{COMPANY}/")),
    right("s3:ListBucket", PROFILES, folders(f"{COMPANY}/")),
    right("s3:ListBucket", PROFILES, folders(f"{COMPANY}/user-memory/")),
}


@pytest.mark.parametrize(
    ("role", "expected"),
    [("read", READ), ("recall", RECALL), ("write", WRITE), ("erase", ERASE), ("lister", LISTER)],
)
def test_a_user_data_role_has_exactly_the_rights_of_the_architecture(
    dev: Templates, role: str, expected: set[Right]
) -> None:
    assert rights(dev, dev.names.user_data_role(role)) == expected


@pytest.mark.parametrize(
    ("role", "functions"),
    [
        ("read", {"load", "ingest", "account"}),
        ("recall", {"recall"}),
        ("write", {"ingest", "consolidate", "extract", "maintain", "account"}),
        ("erase", {"consolidate", "maintain", "account"}),
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
def test_a_functions_own_role_reaches_no_user_data_and_of_companies_only_what_it_works_with(
    dev: Templates, function: str
) -> None:
    own = rights(dev, dev.names.function_role(function))

    items = {one for one in own if one[0].startswith("dynamodb:")}
    assert items == {
        right(f"dynamodb:{action}", COMPANIES, of_kinds(kinds))
        for kinds, actions in OF_COMPANIES[function].items()
        for action in actions.split()
    } | {right(f"dynamodb:{action}", COMPANIES, shared("*")) for action in OF_SHARED_FACTS.get(function, "").split()}
    objects = {one for one in own if one[0].startswith("s3:")}
    indexes = (f"{WORK}/recall/*/global/*", f"{WORK}/recall/*/space-*")
    files = ("s3:GetObject", "s3:PutObject", "s3:DeleteObject")
    keeping = {right(action, index) for action in files for index in indexes}
    keeping |= {right("s3:ListBucket", WORK, {"StringLike": {"s3:prefix": ["recall/*/global/*", "recall/*/space-*"]}})}
    listing = {right("s3:ListBucket", WORK, folders("turns/", "kept/"))}
    assert objects == (listing | keeping if function == "maintain" else set())


@pytest.mark.parametrize("function", ["maintain"])
def test_who_keeps_indexes_that_companies_share_is_denied_whatever_is_a_users(dev: Templates, function: str) -> None:
    denied = {
        right(action, resource, statement.get("Condition"))
        for statement in dev.statements(dev.names.function_role(function))
        if statement["Effect"] == "Deny"
        for action in listed(statement["Action"])
        for resource in listed(statement["Resource"])
    }
    assert denied == {
        *(right(f"s3:{action}Object", f"{WORK}/recall/*/home-*") for action in ("Get", "Put", "Delete")),
        right("s3:ListBucket", WORK, {"StringLike": {"s3:prefix": "recall/*/home-*"}}),
    }


@pytest.mark.parametrize(
    ("function", "roles"),
    [
        ("load", {"read"}),
        ("ingest", {"read", "write"}),
        ("recall", {"recall"}),
        ("consolidate", {"write", "erase"}),
        ("extract", {"write"}),
        ("maintain", {"write", "erase", "lister"}),
        ("account", {"read", "write", "erase"}),
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

    facts = f"arn:aws:sqs:{REGION}:{ACCOUNT}:context-memory-dev-facts.fifo"
    dead_facts = f"arn:aws:sqs:{REGION}:{ACCOUNT}:context-memory-dev-facts-dead.fifo"
    jobs = f"arn:aws:sqs:{REGION}:{ACCOUNT}:context-memory-dev-jobs"
    ring, ring_facts, send = (("sqs:SendMessage", queue) for queue in (turns, facts, jobs))
    answering = ("ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility", "GetQueueAttributes")
    assert found == {
        "load": {ring},
        "ingest": {ring},
        "recall": {send},
        "extract": {send, ("sqs:SendMessage", dead_facts), *((f"sqs:{action}", facts) for action in answering)},
        "maintain": {ring, ring_facts, send, *((f"sqs:{action}", jobs) for action in answering)},
        "account": {send},
        "admin": {send},
        "consolidate": {
            ring_facts,
            send,
            ("sqs:SendMessage", dead),
            *((f"sqs:{action}", turns) for action in answering),
        },
    }


def test_news_are_told_by_those_who_store_changes(dev: Templates) -> None:
    told = {
        (function, action, resource)
        for function in FUNCTIONS
        for action, resource, _ in rights(dev, dev.names.function_role(function))
        if action.startswith("events:")
    }

    bus = f"arn:aws:events:{REGION}:{ACCOUNT}:event-bus/context-memory-dev"
    assert told == {(function, "events:PutEvents", bus) for function in ("consolidate", "maintain")}


def test_who_asks_models_reads_their_key_and_who_serves_users_the_one_that_hashes_them(dev: Templates) -> None:
    readers = {
        (function, resource)
        for function in FUNCTIONS
        for action, resource, _ in rights(dev, dev.names.function_role(function))
        if action.startswith("secretsmanager:")
    }

    secret = f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:context-memory/dev"
    hashing = {(function, f"{secret}/hashing-??????") for function in FUNCTIONS if function != "admin"}
    asking = {(function, f"{secret}/model-api-??????") for function in ("consolidate", "extract", "maintain")}
    vectors = ("recall", "extract", "account", "admin", "maintain")
    assert readers == hashing | asking | {(function, f"{secret}/embedding-api-??????") for function in vectors}


@pytest.mark.parametrize(("embedding", "readers"), [("vectors", {"recall", "account", "admin"}), ("", set())])
def test_who_makes_vectors_where_models_are_asked_reads_their_key_and_nobody_where_there_are_none(
    code_folder: Path, embedding: str, readers: set[str]
) -> None:
    models = replace(DEV.models, embedding=embedding, embedding_base_url="")
    templates = synthesise(replace(DEV, models=models), code_folder)

    secret = f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:context-memory/dev"
    for what, wanted in (("model-api", {"consolidate", "extract", "maintain"} | readers), ("embedding-api", set())):
        assert wanted == {
            function
            for function in FUNCTIONS
            for action, resource, _ in rights(templates, templates.names.function_role(function))
            if (action, resource) == ("secretsmanager:GetSecretValue", f"{secret}/{what}-??????")
        }


def test_no_role_may_scan_use_partiql_or_do_whatever_it_likes(dev: Templates) -> None:
    for role in dev.named("AWS::IAM::Role", "RoleName"):
        for action, _, _ in rights(dev, role):
            assert "*" not in action
            assert action != "dynamodb:Scan"
            assert action != "dynamodb:BatchWriteItem"  # no batch knows conditions
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
                asked = json.loads(condition)
                assert "s3:prefix" in {**asked.get("StringEquals", {}), **asked.get("StringLike", {})}
