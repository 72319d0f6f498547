"""The access matrix through the deployed stacks: what sessions of the user-data roles may do, call by call."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.exceptions import ClientError

from infra.local.environment import LocalEnvironment, ModelEndpoint
from tests.support.access_cells import Items, Layer, Listing, Object, Transport
from tests.support.access_matrix import matrix
from tests.support.access_rights import COMPANY, LENA, OTHERS, USER, USER_DATA_RIGHTS, user_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.access_cells import Cell

pytestmark = pytest.mark.deployed

ASSUMED_BY = {"read": "load", "write": "ingest", "erase": "maintain"}
_REFUSED = {"AccessDenied", "AccessDeniedException", "403"}
_S3: dict[str, Callable[[Any, str, str], object]] = {
    "s3:GetObject": lambda s3, bucket, key: s3.get_object(Bucket=bucket, Key=key),
    "s3:PutObject": lambda s3, bucket, key: s3.put_object(Bucket=bucket, Key=key, Body=b"x"),
    "s3:DeleteObject": lambda s3, bucket, key: s3.delete_object(Bucket=bucket, Key=key),
    "s3:ListBucket": lambda s3, bucket, prefix: s3.list_objects_v2(Bucket=bucket, Prefix=prefix),
    "s3:ListBucketVersions": lambda s3, bucket, prefix: s3.list_object_versions(Bucket=bucket, Prefix=prefix),
}
_ITEMS: dict[str, Callable[[Any, str, dict[str, Any]], object]] = {
    "dynamodb:GetItem": lambda db, table, key: db.get_item(TableName=table, Key=key),
    "dynamodb:PutItem": lambda db, table, key: db.put_item(TableName=table, Item=key),
    "dynamodb:UpdateItem": lambda db, table, key: db.update_item(TableName=table, Key=key),
    "dynamodb:DeleteItem": lambda db, table, key: db.delete_item(TableName=table, Key=key),
    "dynamodb:Query": lambda db, table, key: db.query(
        TableName=table, KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": key["pk"]}
    ),
}


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalEnvironment]:
    nobody = ModelEndpoint(base_url="http://127.0.0.1:9/v1", api_key="none", model="none")
    with LocalEnvironment(outputs=tmp_path_factory.mktemp("local"), model=nobody) as running:
        for company, user in ((COMPANY, USER), *OTHERS):
            put_objects(running, company, user)
        yield running


def put_objects(local: LocalEnvironment, company: str, user: str) -> None:
    """An object wherever a user can have one: what is absent would be refused anyway."""
    for place in user_data(company, user).values():
        if isinstance(place, Object):
            bucket = local.emulated.names.bucket(place.bucket)
            local.emulated.s3.put_object(Bucket=bucket, Key=place.key, Body=b"x")


def session(local: LocalEnvironment, role: str) -> Callable[[str], Any]:
    """Clients under a user-data role with Lena's tags, assumed as a function does."""
    where = local.emulated.names
    own = local.emulated.session.client("sts", endpoint_url=local.outputs.endpoint_url).assume_role(
        RoleArn=where.role_arn(where.function_role(ASSUMED_BY[role])), RoleSessionName="test"
    )
    answer = clients(local, own["Credentials"])("sts").assume_role(
        RoleArn=where.role_arn(where.user_data_role(role)),
        RoleSessionName="test",
        Tags=[{"Key": key, "Value": value} for key, value in LENA],
    )
    return clients(local, answer["Credentials"])


def clients(local: LocalEnvironment, lent: Any) -> Callable[[str], Any]:  # noqa: ANN401 - credentials as STS gives them
    keys = (lent["AccessKeyId"], lent["SecretAccessKey"], lent["SessionToken"])
    session = boto3.Session(*keys, local.outputs.region)

    def client(service: str) -> Any:  # noqa: ANN401 - a client of any service
        return session.client(service, endpoint_url=local.outputs.endpoint_url)  # type: ignore[call-overload] # any service

    return functools.cache(client)


def callable_cells(role: str) -> list[Cell]:
    """Cells that are one call of ours; a missing tag, another transport and a single layer are the simulator's."""
    return [
        cell
        for cell in matrix()
        if (cell.who.role, cell.who.tags) == (f"user-{role}", LENA)
        and (cell.transport, cell.layer) == (Transport.TLS, Layer.BOTH)
        and (
            (isinstance(cell.on, Object) and cell.on.bucket != "elsewhere" and cell.action in _S3)
            or (
                isinstance(cell.on, Listing)
                and not cell.on.another
                and cell.on.delimiter is None
                and cell.action in _S3
            )
            or (
                isinstance(cell.on, Items)
                and not cell.on.table.endswith("2")
                and len(cell.on.partitions) == 1
                and cell.action in _ITEMS
            )
        )
    ]


def allowed(local: LocalEnvironment, client: Callable[[str], Any], cell: Cell) -> bool:
    """Whether the call goes through; that what it asks for may be missing is no refusal."""
    where = local.emulated.names
    try:
        if isinstance(cell.on, Object):
            _S3[cell.action](client("s3"), where.bucket(cell.on.bucket), cell.on.key)
        elif isinstance(cell.on, Listing):
            _S3[cell.action](client("s3"), where.bucket(cell.on.bucket), cell.on.prefix or "")
        elif isinstance(cell.on, Items):
            key = {"pk": {"S": cell.on.partitions[0]}, "sk": {"S": "TURN#probe"}}
            _ITEMS[cell.action](client("dynamodb"), where.plain(cell.on.table), key)
    except ClientError as error:
        if error.response["Error"]["Code"] in _REFUSED:
            return False
    return True


@pytest.mark.parametrize("role", USER_DATA_RIGHTS)
def test_the_deployed_role_decides_every_call_as_the_architecture_says(local: LocalEnvironment, role: str) -> None:
    client, cells = session(local, role), callable_cells(role)
    wrong = []
    for cell in cells:
        if allowed(local, client, cell) != cell.allowed:
            wrong.append(str(cell))
        if cell.allowed and cell.action == "s3:DeleteObject":
            put_objects(local, COMPANY, USER)

    assert wrong == []
    assert len(cells) > 300
    assert sum(cell.allowed for cell in cells) >= 4
