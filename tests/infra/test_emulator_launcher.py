"""What our launcher adds to the emulator, by itself."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from infra.local.emulator import browsers, concurrent_groups, principal_keys, unsigned_calls
from infra.local.emulator.leading_keys import leading_keys
from infra.local.emulator.policy_variables import Unresolved, compile_pattern, substitute

TAGS: dict[str, object] = {
    "aws:PrincipalTag/company_id": "acme",
    "aws:PrincipalTag/user_id": "lena",
    "many": ["a", "b"],
}
TABLES = {
    "users": {
        "KeySchema": [{"AttributeName": "sk", "KeyType": "RANGE"}, {"AttributeName": "pk", "KeyType": "HASH"}],
        "GlobalSecondaryIndexes": [{"IndexName": "by", "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}]}],
    }
}


def resolved(text: str) -> str:
    return substitute(text, TAGS.get, wildcards=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${aws:PrincipalTag/company_id}/home-${aws:PrincipalTag/user_id}/", "acme/home-lena/"),
        ("${missing, 'nobody'}", "nobody"),
        ("${aws:PrincipalTag/user_id, 'nobody'}", "lena"),
        ("a${$}b", "a$b"),
        ("plain", "plain"),
    ],
)
def test_a_variable_becomes_its_value_or_default(text: str, expected: str) -> None:
    assert resolved(text) == expected


@pytest.mark.parametrize("text", ["${missing}", "${many}", "${missing, nobody}"])
def test_a_variable_without_one_value_matches_nothing(text: str) -> None:
    with pytest.raises(Unresolved):
        resolved(text)


def test_an_empty_tag_is_no_value() -> None:
    with pytest.raises(Unresolved):
        substitute("${tag}", {"tag": ""}.get, wildcards=True)


@given(st.text(max_size=8), st.text(max_size=8))
@example("\ue000", "*")
@example("\ue000*", "\ue000x")
@example("*?", "x?")
@settings(max_examples=100, deadline=None)
def test_a_value_matches_itself_alone_whatever_signs_it_holds(value: str, other: str) -> None:
    pattern = compile_pattern(substitute("x/${tag}", {"tag": value or "v"}.get, wildcards=True), ignore_case=False)

    assert pattern.match(f"x/{value or 'v'}")
    assert bool(pattern.match(f"x/{other}")) == (other == (value or "v"))


def test_a_wildcard_of_the_policy_itself_stays_one() -> None:
    pattern = compile_pattern(resolved("turns/${aws:PrincipalTag/company_id}/*"), ignore_case=False)

    assert pattern.match("turns/acme/home-lena/x")
    assert not pattern.match("turns/other/home-lena/x")


def key(value: str) -> dict[str, Any]:
    return {"pk": {"S": value}, "sk": {"S": "A#"}}


@pytest.mark.parametrize(
    ("request_body", "expected"),
    [
        ({"TableName": "users", "Key": key("a")}, ["a"]),
        ({"TableName": "arn:aws:dynamodb:r:1:table/users", "Item": key("a")}, ["a"]),
        (
            {
                "TableName": "users",
                "KeyConditionExpression": "#p=:p AND begins_with(sk, :s)",
                "ExpressionAttributeNames": {"#p": "pk"},
                "ExpressionAttributeValues": {":p": {"S": "a"}, ":s": {"S": "A#"}},
            },
            ["a"],
        ),
        (
            {
                "TableName": "users",
                "IndexName": "by",
                "KeyConditionExpression": "owner = :p",
                "ExpressionAttributeValues": {":p": {"S": "a"}},
            },
            ["a"],
        ),
        ({"TableName": "users", "KeyConditions": {"pk": {"AttributeValueList": [{"S": "a"}]}}}, ["a"]),
        ({"RequestItems": {"users": {"Keys": [key("a"), key("b")]}}}, ["a", "b"]),
        (
            {
                "RequestItems": {
                    "users": [{"PutRequest": {"Item": key("a")}}, {"DeleteRequest": {"Key": key("b")}}],
                }
            },
            ["a", "b"],
        ),
        (
            {
                "TransactItems": [
                    {"Put": {"TableName": "users", "Item": key("a")}},
                    {"ConditionCheck": {"TableName": "users", "Key": key("b")}},
                ]
            },
            ["a", "b"],
        ),
        ({"TableName": "users"}, []),
        ({"TableName": "absent", "Key": key("a")}, []),
        ({"Statement": "SELECT * FROM users"}, []),
    ],
    ids=[
        "get",
        "put",
        "query",
        "index",
        "old query",
        "batch get",
        "batch write",
        "transaction",
        "scan",
        "?",
        "partiql",
    ],
)
def test_every_partition_key_of_a_request_is_named(request_body: dict[str, Any], expected: list[str]) -> None:
    assert leading_keys(request_body, TABLES) == expected


@pytest.mark.parametrize(("batch_size", "expected"), [(1, 5), (10, 1)])
def test_groups_run_beside_each_other_only_where_a_batch_cannot_mix_them(batch_size: int, expected: int) -> None:
    functions = SimpleNamespace(_sqs_esm_concurrency=lambda _mapping, _record, _config, queue: 1 if queue else 5)
    concurrent_groups.install(functions)

    assert functions._sqs_esm_concurrency({"BatchSize": batch_size}, {}, {}, {"is_fifo": True}) == expected  # noqa: SLF001 - what is patched


@pytest.mark.parametrize(
    ("authorizer", "headers", "status"),
    [
        ("AWS_IAM", {"Authorization": "Bearer abc"}, 403),
        ("AWS_IAM", {"authorization": "Basic abc"}, 403),
        ("AWS_IAM", {"authorization": "AWS4-HMAC-SHA256 Credential=…"}, 200),
        ("AWS_IAM", {}, 200),  # the emulator itself refuses this one
        ("JWT", {"authorization": "Bearer abc"}, 200),
        (None, {"authorization": "Bearer abc"}, 200),
    ],
)
def test_a_route_behind_iam_takes_nothing_but_a_signature(
    authorizer: str | None, headers: dict[str, str], status: int
) -> None:
    async def answer(*_: object) -> tuple[int, dict[str, str], bytes]:
        return 200, {}, b""

    gateway = SimpleNamespace(_handle_execute_in_scope=answer, route_authorization_type=lambda *_: authorizer)
    unsigned_calls.install(gateway)
    assert asyncio.run(gateway._handle_execute_in_scope("a", "$default", "/x", "GET", headers, b""))[0] == status  # noqa: SLF001 - what is patched


def test_browsers_are_let_in_by_a_configuration_in_either_spelling() -> None:
    seen: list[object] = []
    gateway = SimpleNamespace(
        _cors_response_headers=lambda configuration, origin: seen.append((configuration, origin)),
        _cors_preflight_response=lambda configuration, origin: seen.append((configuration, origin)),
    )
    browsers.install(gateway)

    vars(gateway)["_cors_response_headers"]({"AllowOrigins": ["https://a.example"], "maxAge": 1}, "https://a.example")
    vars(gateway)["_cors_preflight_response"]({}, "https://a.example")
    assert seen == [
        ({"allowOrigins": ["https://a.example"], "maxAge": 1}, "https://a.example"),
        ({}, "https://a.example"),
    ]


@pytest.mark.parametrize(
    ("name", "arn", "value"),
    [
        ("aws:PrincipalArn", "arn:aws:sts::1:assumed-role/account-function/s", "arn:aws:iam::1:role/account-function"),
        ("aws:PrincipalArn", "arn:aws:iam::1:user/somebody", "arn:aws:iam::1:user/somebody"),
        ("kms:CallerAccount", "arn:aws:iam::1:user/somebody", "1"),
        ("aws:SourceIp", "arn:aws:iam::1:user/somebody", "as before"),
    ],
)
def test_key_policies_are_told_the_role_and_the_account_of_who_asks(name: str, arn: str, value: str) -> None:
    evaluator = SimpleNamespace(_resolve_condition_key=lambda _key, _context: "as before")
    principal_keys.install(evaluator)
    context = SimpleNamespace(principal_arn=arn, principal_account="1")
    assert evaluator._resolve_condition_key(name, context) == value  # noqa: SLF001 - what is patched
