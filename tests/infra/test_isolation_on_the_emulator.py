"""The deployed roles, decided call by call: user-data roles reach one user alone, and are assumed only as they say."""

from __future__ import annotations

import functools
import io
import json
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.exceptions import ClientError

from infra.local.environment import LocalEnvironment, ModelEndpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.deployed

LENA = {"company_id": "acme", "user_id": "lena"}
# Ids that could pass for Lena if keys or patterns were less exact.
OTHERS = [
    ("acme", "len"),
    ("acme", "lena1"),
    ("acme", "home-lena"),
    ("acme", "lena=2F"),
    ("acme2", "lena"),
    ("a", "lena"),
]
BODY = b"a profile"


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalEnvironment]:
    nobody = ModelEndpoint(base_url="http://127.0.0.1:9/v1", api_key="none", model="none")
    with LocalEnvironment(outputs=tmp_path_factory.mktemp("local"), model=nobody) as running:
        for company, user in [("acme", "lena"), *OTHERS]:
            running.emulated.s3.put_object(
                Bucket=running.outputs.profile_bucket, Key=profile_key(company, user), Body=BODY
            )
            root(running, "dynamodb").put_item(TableName=running.outputs.user_table, Item=item(company, user))
        yield running


def profile_key(company: str, user: str) -> str:
    return f"{company}/home-{user}/user-memory/memory.md"


def payload_key(company: str, user: str) -> str:
    return f"turns/{company}/home-{user}/t-1.json"


def item(company: str, user: str) -> dict[str, Any]:
    return {"pk": {"S": f"{company}#{user}"}, "sk": {"S": "A#PROFILE"}}


def root(local: LocalEnvironment, service: str) -> Any:  # noqa: ANN401 - a client of any service
    return local.emulated.session.client(service, endpoint_url=local.outputs.endpoint_url)  # type: ignore[call-overload] # any service


class Session:
    """Clients with the credentials of a function's role, or of a user-data role that it assumed."""

    def __init__(self, local: LocalEnvironment, credentials: dict[str, Any]) -> None:
        self._local = local
        self._session = boto3.Session(
            aws_access_key_id=credentials["AccessKeyId"],
            aws_secret_access_key=credentials["SecretAccessKey"],
            aws_session_token=credentials["SessionToken"],
            region_name=local.outputs.region,
        )
        self.client = functools.cache(self._client)  # building one takes longer than all its calls here
        self._assumed: dict[str, Session] = {}

    def _client(self, service: str) -> Any:  # noqa: ANN401 - a client of any service
        return self._session.client(service, endpoint_url=self._local.outputs.endpoint_url)  # type: ignore[call-overload] # any service

    def assume(self, role: str, tags: dict[str, str]) -> Session:
        known = f"{role} {tags}"
        if known not in self._assumed:
            self._assumed[known] = self._assume(role, tags)
        return self._assumed[known]

    def _assume(self, role: str, tags: dict[str, str]) -> Session:
        answer = self.client("sts").assume_role(
            RoleArn=role_arn(self._local, self._local.emulated.names.user_data_role(role)),
            RoleSessionName="test",
            Tags=[{"Key": key, "Value": value} for key, value in tags.items()],
        )
        return Session(self._local, answer["Credentials"])


def role_arn(local: LocalEnvironment, role: str) -> str:
    return f"arn:aws:iam::{local.outputs.account}:role/{role}"


@functools.cache
def function(local: LocalEnvironment, name: str) -> Session:
    """A session under a function's own role, which only Lambda and the emulator's root may start."""
    answer = root(local, "sts").assume_role(
        RoleArn=role_arn(local, local.emulated.names.function_role(name)), RoleSessionName="test"
    )
    return Session(local, answer["Credentials"])


def refused(call: Callable[[], object]) -> bool:
    try:
        call()
    except ClientError as error:
        return error.response["Error"]["Code"] in {"AccessDenied", "AccessDeniedException", "403"}
    return False


def query(session: Session, table: str, partition: str) -> Any:  # noqa: ANN401 - the answer
    return session.client("dynamodb").query(
        TableName=table,
        KeyConditionExpression="pk = :p AND begins_with(sk, :a)",
        ExpressionAttributeValues={":p": {"S": partition}, ":a": {"S": "A#"}},
        ConsistentRead=True,
    )


@pytest.mark.parametrize(("name", "role"), [("load", "read"), ("ingest", "write"), ("consolidate", "erase")])
def test_a_session_reads_its_own_user(local: LocalEnvironment, name: str, role: str) -> None:
    session = function(local, name).assume(role, LENA)

    got = session.client("s3").get_object(Bucket=local.outputs.profile_bucket, Key=profile_key("acme", "lena"))
    assert got["Body"].read() == BODY
    assert query(session, local.outputs.user_table, "acme#lena")["Count"] == 1


@pytest.mark.parametrize(("company", "user"), OTHERS)
@pytest.mark.parametrize(("name", "role"), [("load", "read"), ("ingest", "write"), ("maintain", "erase")])
def test_a_session_reaches_no_other_user(
    local: LocalEnvironment, name: str, role: str, company: str, user: str
) -> None:
    session = function(local, name).assume(role, LENA)
    s3, dynamodb = session.client("s3"), session.client("dynamodb")
    profiles, work, table = local.outputs.profile_bucket, local.outputs.work_bucket, local.outputs.user_table
    key, partition = profile_key(company, user), f"{company}#{user}"
    identity = {part: item(company, user)[part] for part in ("pk", "sk")}

    assert refused(lambda: s3.get_object(Bucket=profiles, Key=key))
    assert refused(lambda: s3.put_object(Bucket=profiles, Key=key, Body=b""))
    assert refused(lambda: s3.delete_object(Bucket=profiles, Key=key))
    assert refused(lambda: s3.list_objects_v2(Bucket=profiles, Prefix=f"{company}/home-{user}/"))
    assert refused(lambda: s3.list_object_versions(Bucket=profiles, Prefix=f"{company}/home-{user}/"))
    assert refused(lambda: s3.put_object(Bucket=work, Key=payload_key(company, user), Body=b""))
    assert refused(lambda: s3.get_object(Bucket=work, Key=payload_key(company, user)))
    assert refused(lambda: query(session, table, partition))
    assert refused(lambda: dynamodb.get_item(TableName=table, Key=identity))
    assert refused(lambda: dynamodb.put_item(TableName=table, Item=identity))
    assert refused(lambda: dynamodb.delete_item(TableName=table, Key=identity))


@pytest.mark.parametrize(("name", "role"), [("load", "read"), ("ingest", "write"), ("maintain", "erase")])
def test_a_session_neither_scans_nor_speaks_partiql_nor_lists_widely(
    local: LocalEnvironment, name: str, role: str
) -> None:
    session = function(local, name).assume(role, LENA)
    s3, dynamodb = session.client("s3"), session.client("dynamodb")

    assert refused(lambda: dynamodb.scan(TableName=local.outputs.user_table))
    assert refused(lambda: dynamodb.execute_statement(Statement=f'SELECT * FROM "{local.outputs.user_table}"'))  # noqa: S608 - refused
    for bucket in (local.outputs.profile_bucket, local.outputs.work_bucket):
        for prefix in ("", "acme/", "acme/home-", "turns/", "turns/acme/"):
            assert refused(functools.partial(s3.list_objects_v2, Bucket=bucket, Prefix=prefix))


def test_one_strange_item_spoils_a_whole_transaction(local: LocalEnvironment) -> None:
    dynamodb = function(local, "consolidate").assume("write", LENA).client("dynamodb")
    table = local.outputs.user_table

    def put(user: str) -> dict[str, Any]:
        return {"Put": {"TableName": table, "Item": {**item("acme", user), "sk": {"S": "TURN#x"}}}}

    assert refused(lambda: dynamodb.transact_write_items(TransactItems=[put("lena"), put("lena1")]))
    dynamodb.transact_write_items(TransactItems=[put("lena")])


def test_readers_write_nothing_and_writers_erase_nothing(local: LocalEnvironment) -> None:
    key = profile_key("acme", "lena")
    profiles = local.outputs.profile_bucket
    reader = function(local, "load").assume("read", LENA)
    writer = function(local, "ingest").assume("write", LENA)

    assert refused(lambda: reader.client("s3").put_object(Bucket=profiles, Key=key, Body=b""))
    assert refused(
        lambda: reader.client("dynamodb").put_item(TableName=local.outputs.user_table, Item=item("acme", "lena"))
    )
    assert refused(lambda: writer.client("s3").delete_object(Bucket=profiles, Key=key))
    assert refused(lambda: writer.client("s3").list_object_versions(Bucket=profiles, Prefix=key))


def test_absence_looks_the_same_as_being_refused(local: LocalEnvironment) -> None:
    s3 = function(local, "load").assume("read", {"company_id": "acme", "user_id": "nobody"}).client("s3")

    assert refused(lambda: s3.get_object(Bucket=local.outputs.profile_bucket, Key=profile_key("acme", "nobody")))


def test_the_legacy_file_is_found_by_listing_exactly_its_key(local: LocalEnvironment) -> None:
    s3 = function(local, "load").assume("read", LENA).client("s3")
    bucket, key = local.outputs.profile_bucket, "acme/user-memory/lena/memory.md"

    assert s3.list_objects_v2(Bucket=bucket, Prefix=key)["KeyCount"] == 0
    local.emulated.s3.upload_fileobj(io.BytesIO(BODY), bucket, key)
    assert s3.list_objects_v2(Bucket=bucket, Prefix=key)["KeyCount"] == 1
    assert s3.get_object(Bucket=bucket, Key=key)["Body"].read() == BODY
    assert refused(lambda: s3.list_objects_v2(Bucket=bucket, Prefix="acme/user-memory/lena/"))
    assert refused(lambda: s3.get_object(Bucket=bucket, Key="acme/user-memory/lena1/memory.md"))


@pytest.mark.parametrize(
    "tags",
    [{}, {"company_id": "acme"}, {"user_id": "lena"}, {**LENA, "more": "x"}, {"company_id": "acme", "user_id": ""}],
    ids=["none", "company", "user", "another", "empty"],
)
def test_a_role_is_not_assumed_without_exactly_its_tags(local: LocalEnvironment, tags: dict[str, str]) -> None:
    assert refused(lambda: function(local, "load").assume("read", tags))


@pytest.mark.parametrize(
    ("name", "role"), [("load", "write"), ("load", "erase"), ("ingest", "erase"), ("maintain", "read")]
)
def test_a_function_cannot_assume_a_role_that_it_does_not_need(local: LocalEnvironment, name: str, role: str) -> None:
    assert refused(lambda: function(local, name).assume(role, LENA))


@pytest.mark.parametrize("name", ["load", "ingest", "consolidate", "maintain"])
def test_a_functions_own_role_reads_no_user(local: LocalEnvironment, name: str) -> None:
    session = function(local, name)

    bucket = local.outputs.profile_bucket
    assert refused(lambda: session.client("s3").get_object(Bucket=bucket, Key=profile_key("acme", "lena")))
    assert refused(lambda: query(session, local.outputs.user_table, "acme#lena"))


def test_maintain_lists_companies_and_then_users_and_reads_neither(local: LocalEnvironment) -> None:
    work, key = local.outputs.work_bucket, payload_key("acme", "lena")
    local.emulated.s3.put_object(Bucket=work, Key=key, Body=BODY)
    own = function(local, "maintain")
    lister = own.assume("lister", {"company_id": "acme"})

    def listed(session: Session, prefix: str) -> list[str]:
        answer = session.client("s3").list_objects_v2(Bucket=work, Prefix=prefix, Delimiter="/")
        return [entry["Prefix"] for entry in answer["CommonPrefixes"]]

    assert listed(own, "turns/") == ["turns/acme/"]
    assert listed(lister, "turns/acme/") == ["turns/acme/home-lena/"]
    assert refused(lambda: listed(own, "turns/acme/"))
    assert refused(lambda: listed(lister, "turns/other/"))
    assert refused(lambda: lister.client("s3").list_objects_v2(Bucket=work, Prefix="turns/acme/"))  # no delimiter
    assert refused(lambda: lister.client("s3").get_object(Bucket=work, Key=key))


@pytest.mark.parametrize("tag", ["company_id", "user_id"])
def test_these_probes_would_notice_a_widened_policy(local: LocalEnvironment, tag: str) -> None:
    """With one tag taken out of the policy the very calls that must be refused go through."""
    iam, role = root(local, "iam"), local.emulated.names.user_data_role("read")
    stranger = {"company_id": {"company_id": "acme2", "user_id": "lena"}, "user_id": {**LENA, "user_id": "len"}}[tag]
    (name,) = iam.list_role_policies(RoleName=role)["PolicyNames"]
    before = json.dumps(iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"])
    widened = before.replace(f"${{aws:PrincipalTag/{tag}}}", "*").replace("Values:StringEquals", "Values:StringLike")
    assert widened != before

    def reads() -> list[bool]:
        session = function(local, "load").assume("read", stranger)
        s3, profiles = session.client("s3"), local.outputs.profile_bucket
        return [
            not refused(lambda: s3.get_object(Bucket=profiles, Key=profile_key("acme", "lena"))),
            not refused(lambda: query(session, local.outputs.user_table, "acme#lena")),
        ]

    assert reads() == [False, False]
    iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=widened)
    try:
        assert reads() == [True, True]
    finally:
        iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=before)
    assert reads() == [False, False]
