"""The locks of companies, tried from outside: real callers with real roles, real tokens, IAM satisfied each time."""

from __future__ import annotations

import base64
import json
import time
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import jwt
import pytest
from botocore.credentials import Credentials

from context_memory.domain.ids import UserKey
from infra.local.issuer.keys import key_id, new_key
from infra.local.issuer.tokens import signed
from tests.support.deployed import SPACE, Deployed, Somebody, eventually
from tests.support.end_users import LOCKED_AUDIENCE, claims_of, key_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx

pytestmark = pytest.mark.deployed
TURN = json.dumps(
    {
        "turn_id": "t1",
        "space_id": SPACE,
        "occurred_at": "2026-06-17T11:40:00Z",
        "messages": [{"role": "user", "content": "canary-4711"}, {"role": "assistant", "content": "All right."}],
    }
).encode()

INVOKE = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": "*"}],
    }
)


@pytest.fixture(scope="module")
def roles(service: Deployed) -> Callable[..., Credentials]:
    """Keys of roles that IAM lets invoke every route; each is made when first asked for."""
    iam, sts = service.local.emulated.iam, service.sts
    anybody = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}

    def keys(name: str, session: str = "session") -> Credentials:
        if name not in {role["RoleName"] for role in iam.list_roles()["Roles"]}:
            trust = json.dumps({"Version": "2012-10-17", "Statement": [anybody]})
            iam.create_role(RoleName=name, AssumeRolePolicyDocument=trust)
            iam.put_role_policy(RoleName=name, PolicyName="invoke", PolicyDocument=INVOKE)
        arn = iam.get_role(RoleName=name)["Role"]["Arn"]
        given = sts.assume_role(RoleArn=arn, RoleSessionName=session)["Credentials"]
        return Credentials(given["AccessKeyId"], given["SecretAccessKey"], given["SessionToken"])

    return keys


def load(
    deployed: Deployed, company_id: str, user_id: str, keys: Credentials, headers: dict[str, str] | None = None
) -> httpx.Response:
    path = Somebody(deployed, UserKey(company_id, user_id)).path
    return deployed.call("GET", f"{path}/memory?space_id={SPACE}", keys=keys, headers=headers)


def post(
    deployed: Deployed, company_id: str, user_id: str, keys: Credentials, headers: dict[str, str] | None = None
) -> httpx.Response:
    path = Somebody(deployed, UserKey(company_id, user_id)).path
    return deployed.call("POST", f"{path}/turns", content=TURN, keys=keys, headers=headers)


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("type", "").rpartition(":")[2]


def token(deployed: Deployed, user_id: str, company_id: str = "clinic") -> str:
    claims = claims_of(deployed, user_id, aud=LOCKED_AUDIENCE, company_id=company_id)
    return signed(claims, key_of(deployed))


def newcomer() -> str:
    return f"user-{uuid4().hex[:12]}"


def test_the_pinned_role_comes_in_by_every_route(deployed: Deployed, roles: Callable[..., Credentials]) -> None:
    keys, user_id = roles("bank-orchestrator"), newcomer()
    assert load(deployed, "bank", user_id, keys).status_code == 200
    assert post(deployed, "bank", user_id, keys).status_code in {200, 202}


@pytest.mark.parametrize(
    ("role", "session"),
    [
        ("bank-orchestrator-2", "session"),
        ("x-bank-orchestrator", "session"),
        ("Bank-Orchestrator", "session"),
        ("other", "bank-orchestrator"),
    ],
)
def test_a_role_that_is_not_pinned_changes_nothing_though_iam_lets_it_in(
    deployed: Deployed, roles: Callable[..., Credentials], role: str, session: str
) -> None:
    keys, user_id = roles(role, session), newcomer()
    assert load(deployed, "acme", user_id, keys).status_code == 200  # IAM has nothing against it
    assert problem(load(deployed, "bank", user_id, keys)) == (403, "caller_not_pinned")
    assert problem(post(deployed, "bank", user_id, keys)) == (403, "caller_not_pinned")
    somebody = Somebody(deployed, UserKey("bank", user_id))
    for path in (f"{somebody.path}/turns/t1", "/v1/companies/bank"):
        assert problem(deployed.call("GET", path, keys=keys)) == (403, "caller_not_pinned")
    assert (somebody.items(), somebody.payloads()) == ([], [])
    for function in ("load", "ingest", "admin"):
        eventually(partial(deployed.lines_of, function), lambda lines: "trespasses_total" in str(lines))


def test_an_iam_user_is_no_pinned_role(deployed: Deployed) -> None:
    iam, name = deployed.local.emulated.iam, "bank-orchestrator"
    iam.create_user(UserName=name)
    iam.put_user_policy(UserName=name, PolicyName="invoke", PolicyDocument=INVOKE)
    key = iam.create_access_key(UserName=name)["AccessKey"]
    keys = Credentials(key["AccessKeyId"], key["SecretAccessKey"])
    assert problem(load(deployed, "bank", newcomer(), keys)) == (403, "caller_not_pinned")


def test_an_event_without_a_caller_is_refused_where_callers_are_pinned(deployed: Deployed) -> None:
    event = {
        "routeKey": "GET /v1/companies/{company_id}/users/{user_id}/memory",
        "requestContext": {"requestId": "r-1"},
        "pathParameters": {"company_id": "bank", "user_id": "lena"},
        "queryStringParameters": {"space_id": SPACE},
    }
    assert deployed.invoke("load", event)["statusCode"] == 403


@pytest.fixture(scope="module")
def anybody(roles: Callable[..., Credentials]) -> Credentials:
    """Somebody whom IAM lets in, for a company that pins nobody."""
    return roles("anybody")


def test_the_users_own_token_opens_every_route(deployed: Deployed, anybody: Credentials) -> None:
    user_id = newcomer()
    shown = {"x-user-token": token(deployed, user_id)}
    assert load(deployed, "clinic", user_id, anybody, shown).status_code == 200
    assert post(deployed, "clinic", user_id, anybody, shown).status_code in {200, 202}


def test_without_a_token_nothing_opens_and_nothing_changes(deployed: Deployed, anybody: Credentials) -> None:
    user_id = newcomer()
    for answer in (load(deployed, "clinic", user_id, anybody), post(deployed, "clinic", user_id, anybody)):
        assert problem(answer) == (401, "user_token_required")
        assert answer.headers["www-authenticate"].startswith("Bearer")
    somebody = Somebody(deployed, UserKey("clinic", user_id))
    assert (somebody.items(), somebody.payloads()) == ([], [])


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [("lena", "jonas"), ("lena", "Lena"), ("lena", "lena2"), ("J\u00f6rg", "Jo\u0308rg"), ("a=2Fb", "a/b")],
)
def test_the_token_of_another_user_opens_nothing(
    deployed: Deployed, anybody: Credentials, mine: str, theirs: str
) -> None:
    shown = {"x-user-token": token(deployed, mine)}
    assert load(deployed, "clinic", mine, anybody, shown).status_code == 200
    assert problem(load(deployed, "clinic", theirs, anybody, shown)) == (403, "user_token_of_another")


def test_the_token_of_the_same_user_of_another_company_opens_nothing(deployed: Deployed, anybody: Credentials) -> None:
    shown = {"x-user-token": token(deployed, "lena", company_id="bank")}
    assert problem(load(deployed, "clinic", "lena", anybody, shown)) == (403, "user_token_of_another")


def unsigned(claims: dict[str, Any], kid: str) -> str:
    parts = ({"alg": "none", "kid": kid}, claims)
    return ".".join([*(base64.urlsafe_b64encode(json.dumps(one).encode()).rstrip(b"=").decode() for one in parts), ""])


def test_tokens_that_do_not_count_open_nothing(deployed: Deployed, anybody: Credentials) -> None:
    key, now = key_of(deployed), int(time.time())
    claims = claims_of(deployed, "lena", aud=LOCKED_AUDIENCE, company_id="clinic")
    good = signed(claims, key)
    assert load(deployed, "clinic", "lena", anybody, {"x-user-token": good}).status_code == 200
    for name, bad in {
        "expired": signed(claims | {"exp": now - 60}, key),
        "of another audience": signed(claims | {"aud": "other-app"}, key),
        "of another issuer": signed(claims | {"iss": "https://other.example"}, key),
        "without the scope": signed(claims | {"scope": "openid"}, key),
        "for a company beyond its audience": signed(claims | {"company_id": "acme"}, key),
        "without a company": signed({name: value for name, value in claims.items() if name != "company_id"}, key),
        "of a strange key": jwt.encode(claims, new_key(), algorithm="RS256", headers={"kid": key_id(key)}),
        "unsigned": unsigned(claims, key_id(key)),
        "twice": f"{good},{good}",
        "with a prefix": f"Bearer {good}",
        "cut": good[:-4],
        "text": "lena",
    }.items():
        answer = load(deployed, "clinic", "lena", anybody, {"x-user-token": bad})
        assert problem(answer) == (401, "user_token_invalid"), name
        assert 'error="invalid_token"' in answer.headers["www-authenticate"]


def test_neither_tokens_nor_ids_stand_in_logs_after_all_this(deployed: Deployed, anybody: Credentials) -> None:
    user_id = f"canary-{uuid4().hex}"
    shown = token(deployed, user_id)
    assert load(deployed, "clinic", user_id, anybody, {"x-user-token": shown}).status_code == 200
    assert load(deployed, "clinic", f"{user_id}-2", anybody, {"x-user-token": shown}).status_code == 403
    assert load(deployed, "clinic", user_id, anybody, {"x-user-token": f"{shown}x"}).status_code == 401
    lines = "\n".join(eventually(lambda: deployed.lines_of("load"), lambda lines: "UserTokenInvalid" in str(lines)))
    assert user_id not in lines
    assert not any(part in lines for part in shown.split("."))


def test_every_call_is_in_the_audit_and_refused_ones_too(deployed: Deployed, roles: Callable[..., Credentials]) -> None:
    user_id, session = newcomer(), f"s-{uuid4().hex[:12]}"
    load(deployed, "bank", user_id, roles("bank-orchestrator", session))
    load(deployed, "bank", user_id, roles("other", session))
    post(deployed, "bank", user_id, roles("bank-orchestrator", session))

    def records() -> list[dict[str, Any]]:
        lines = [*deployed.lines_of("load"), *deployed.lines_of("ingest")]
        found = [json.loads(line) for line in lines if line.startswith('{"audit":true') and session in line]
        return sorted(found, key=lambda record: str(record["time"]))

    loaded, refused, posted = eventually(records, lambda found: len(found) == 3)
    assert (loaded["status"], refused["status"]) == (200, 403)
    assert posted["route"] == "POST /v1/companies/{company_id}/users/{user_id}/turns"
    assert loaded["user"] == refused["user"] == posted["user"] != "unknown"
    assert refused["caller"].endswith(f":assumed-role/other/{session}")
    assert loaded["company_id"] == "bank"
    assert user_id not in json.dumps([loaded, refused, posted])
