from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

import botocore.session
import pytest
from botocore.credentials import ReadOnlyCredentials
from botocore.exceptions import ClientError, ConnectTimeoutError

from context_memory.adapters.aws_clients import WHERE_SOMEBODY_WAITS, AwsClients, Patience
from context_memory.adapters.request_credentials import NobodySigns, RequestCredentials, signed_by
from context_memory.adapters.sts import Role, UserCredentials
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import UserKey
from infra.environments import ENVIRONMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

LENA = UserKey("acme", "lena/müller")
ROLES = {Role.READ: "arn:read", Role.WRITE: "arn:write", Role.LISTER: "arn:lister"}


def signer() -> str | None:
    """Access key of whoever signs in this context."""
    return RequestCredentials().get_frozen_credentials().access_key


class FakeSts:
    """Counts what it is asked; credentials are named after their number and live an hour."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.signers: list[str | None] = []
        self.now = datetime(2026, 3, 2, 9, tzinfo=UTC)
        self.fault: Exception | None = None
        self.reached = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def assume_role(self, **arguments: object) -> dict[str, Any]:
        self.asked.append(arguments)
        self.signers.append(signer())
        self.reached.set()
        assert self.go_on.wait(5)
        if self.fault:
            raise self.fault
        return {
            "Credentials": {
                "AccessKeyId": f"key-{len(self.asked)}",
                "SecretAccessKey": "secret",
                "SessionToken": "token",
                "Expiration": self.now + timedelta(hours=1),
            }
        }


@contextmanager
def own_role() -> Iterator[None]:
    with signed_by(ReadOnlyCredentials("own", "secret", None)):
        yield


def credentials_of(sts: FakeSts, **options: int) -> UserCredentials:
    return UserCredentials(sts=cast("Any", sts), role_arns=ROLES, own_role=own_role, now=lambda: sts.now, **options)


def test_a_request_that_nobody_signs_fails() -> None:
    with pytest.raises(NobodySigns):
        signer()


def test_the_signer_is_the_innermost_and_is_put_back() -> None:
    with signed_by(ReadOnlyCredentials("outer", "s", None)):
        with signed_by(ReadOnlyCredentials("inner", "s", None)):
            assert signer() == "inner"
        assert signer() == "outer"


def test_another_thread_does_not_inherit_the_signer() -> None:
    with signed_by(ReadOnlyCredentials("mine", "s", None)), ThreadPoolExecutor(1) as pool:
        elsewhere = pool.submit(signer)
    with pytest.raises(NobodySigns):
        elsewhere.result()


def test_a_role_is_assumed_with_the_users_encoded_tags_and_by_the_function_itself() -> None:
    sts = FakeSts()
    with credentials_of(sts).signing(LENA, Role.WRITE):
        assert signer() == "key-1"
    (asked,) = sts.asked
    assert asked["RoleArn"] == "arn:write"
    assert asked["Tags"] == [
        {"Key": "company_id", "Value": "acme"},
        {"Key": "user_id", "Value": "lena=2Fm=C3=BCller"},
    ]
    assert set(asked) == {"RoleArn", "RoleSessionName", "Tags"}
    assert sts.signers == ["own"]


def test_the_lister_carries_the_company_alone() -> None:
    sts = FakeSts()
    with credentials_of(sts).listing("acme"):
        assert signer() == "key-1"
    assert sts.asked[0]["RoleArn"] == "arn:lister"
    assert sts.asked[0]["Tags"] == [{"Key": "company_id", "Value": "acme"}]


def test_a_session_name_tells_users_apart_and_says_nothing_about_them() -> None:
    sts = FakeSts()
    credentials = credentials_of(sts)
    for user in (LENA, UserKey("acme", "lena")):
        with credentials.signing(user, Role.READ):
            pass
    names = [asked["RoleSessionName"] for asked in sts.asked]
    assert len(set(names)) == 2
    assert not any("lena" in name or "acme" in name or len(name) > 64 for name in names)


def test_credentials_are_kept_until_five_minutes_before_they_expire() -> None:
    sts = FakeSts()
    credentials = credentials_of(sts)
    for minutes, key in [(0, "key-1"), (54, "key-1"), (1, "key-2"), (54, "key-2")]:
        sts.now += timedelta(minutes=minutes)
        with credentials.signing(LENA, Role.READ):
            assert signer() == key


@pytest.mark.parametrize("other", [("acme", "lena", Role.READ), ("acme", "lena/müller", Role.WRITE)])
def test_neither_another_user_nor_another_role_gets_the_same(other: tuple[str, str, Role]) -> None:
    sts = FakeSts()
    credentials = credentials_of(sts)
    with credentials.signing(LENA, Role.READ):
        pass
    with credentials.signing(UserKey(other[0], other[1]), other[2]):
        assert signer() == "key-2"


def test_the_least_recently_used_goes_first() -> None:
    sts = FakeSts()
    credentials = credentials_of(sts, kept_at_most=2)
    for user_id in ("a", "b", "a", "c", "a", "b"):
        with credentials.signing(UserKey("acme", user_id), Role.READ):
            pass
    assert [asked["Tags"][1]["Value"] for asked in sts.asked] == ["a", "b", "c", "b"]


def test_of_threads_that_need_the_same_one_asks() -> None:
    sts = FakeSts()
    sts.go_on.clear()
    credentials = credentials_of(sts)

    def sign() -> str | None:
        with credentials.signing(LENA, Role.READ):
            return signer()

    with ThreadPoolExecutor(6) as pool:
        waiting = [pool.submit(sign) for _ in range(6)]
        assert sts.reached.wait(5)
        sts.go_on.set()
        assert {one.result() for one in waiting} == {"key-1"}
    assert len(sts.asked) == 1


def test_one_users_slow_answer_holds_nobody_else_up() -> None:
    sts = FakeSts()
    credentials = credentials_of(sts)
    with credentials.signing(UserKey("acme", "known"), Role.READ):
        pass
    sts.go_on.clear()
    sts.reached.clear()
    with ThreadPoolExecutor(1) as pool:

        def sign() -> None:
            with credentials.signing(LENA, Role.READ):
                pass

        slow = pool.submit(sign)
        assert sts.reached.wait(5)
        with credentials.signing(UserKey("acme", "known"), Role.READ):
            assert signer() == "key-1"
        sts.go_on.set()
        slow.result()


@pytest.mark.parametrize(
    "fault",
    [
        ClientError({"Error": {"Code": "AccessDenied", "Message": "lena"}}, "AssumeRole"),
        ClientError({"Error": {"Code": "Throttling", "Message": "lena"}}, "AssumeRole"),
        ConnectTimeoutError(endpoint_url="lena"),
    ],
    ids=["denied", "throttled", "out of reach"],
)
def test_without_an_answer_of_sts_nothing_is_signed_and_the_next_try_asks_again(fault: Exception) -> None:
    sts = FakeSts()
    credentials = credentials_of(sts)
    sts.fault = fault
    with pytest.raises(StoreUnavailable) as unavailable, credentials.signing(LENA, Role.READ):
        pytest.fail("signed without credentials")
    assert "lena" not in str(unavailable.value)
    sts.fault = None
    with credentials.signing(LENA, Role.READ):
        assert signer() == "key-2"


def test_a_role_that_the_function_has_not_is_not_assumed() -> None:
    sts = FakeSts()
    with pytest.raises(StoreUnavailable), credentials_of(sts).signing(LENA, Role.ERASE):
        pytest.fail("signed without a role")
    assert sts.asked == []


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> AwsClients:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "own-key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "own-secret")
    return AwsClients(region="eu-central-1", patience=Patience(connect_seconds=0.5, read_seconds=2.5, tries=2))


def test_there_is_one_client_a_service(clients: AwsClients) -> None:
    with ThreadPoolExecutor(4) as pool:
        built = list(pool.map(lambda _: clients.sqs, range(8)))
    assert len({id(client) for client in built}) == 1


def test_patience_is_said_once_for_every_client(clients: AwsClients) -> None:
    for client in (clients.sqs, clients.sts, clients.secrets, clients.dynamodb):
        config: Any = client.meta.config
        assert (config.connect_timeout, config.read_timeout) == (0.5, 2.5)
        assert config.retries == {"mode": "standard", "total_max_attempts": 2}


def test_a_ring_that_sqs_does_not_hear_keeps_nobody_waiting(clients: AwsClients) -> None:
    config: Any = clients.bells.meta.config
    longest = config.retries["total_max_attempts"] * (config.connect_timeout + config.read_timeout)
    assert longest <= min(each.load.timeout_seconds for each in ENVIRONMENTS.values()) / 3
    assert clients.bells is clients.bells is not clients.sqs


def test_a_store_that_hangs_is_told_of_before_the_functions_time_runs_out() -> None:
    patience = WHERE_SOMEBODY_WAITS
    longest = patience.tries * (patience.connect_seconds + patience.read_seconds)
    waits_between_tries = 1.0  # botocore's first wait is at most a second
    for environment in ENVIRONMENTS.values():
        for function in ("load", "ingest", "recall", "account", "admin"):
            assert longest + waits_between_tries <= environment.size(function).timeout_seconds - 2


def test_a_function_that_hangs_is_done_without_before_the_time_of_who_asked_runs_out(clients: AwsClients) -> None:
    waiting: Any = AwsClients(patience=WHERE_SOMEBODY_WAITS, region="eu-central-1").functions.meta.config
    behind: Any = clients.functions.meta.config
    assert waiting.retries["total_max_attempts"] == behind.retries["total_max_attempts"] == 1
    longest = waiting.connect_timeout + waiting.read_timeout
    for environment in ENVIRONMENTS.values():
        assert longest <= min(environment.size(function).timeout_seconds for function in ("recall", "admin")) - 2
    assert behind.read_timeout > waiting.read_timeout


def test_sts_is_regional_and_the_table_has_one_address_for_all(clients: AwsClients) -> None:
    assert clients.sts.meta.endpoint_url == "https://sts.eu-central-1.amazonaws.com"
    config: Any = clients.dynamodb.meta.config
    assert config.account_id_endpoint_mode == "disabled"


def test_clients_never_fall_back_on_the_functions_own_role(clients: AwsClients) -> None:
    with pytest.raises(NobodySigns):
        clients.dynamodb.list_tables()
    with pytest.raises(NobodySigns):
        clients.s3.list_buckets()


def test_the_functions_own_role_signs_when_asked_to(clients: AwsClients) -> None:
    with clients.own_role():
        assert signer() == "own-key"


def test_a_function_without_credentials_is_a_fault_of_the_world(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_CONTAINER_CREDENTIALS_FULL_URI"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, "/nowhere")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    clients = AwsClients(region="eu-central-1", session=botocore.session.Session())
    with pytest.raises(StoreUnavailable), clients.own_role():
        pytest.fail("signed without credentials")


@pytest.mark.parametrize(("path_style", "style"), [(True, "path"), (False, None)])
def test_buckets_are_named_in_the_path_where_hosts_cannot_name_them(
    monkeypatch: pytest.MonkeyPatch, *, path_style: bool, style: str | None
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "own-key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "own-secret")
    config: Any = AwsClients(region="eu-central-1", s3_path_style=path_style).s3.meta.config
    assert ((config.s3 or {}).get("addressing_style")) == style
