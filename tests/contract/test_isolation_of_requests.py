"""What the AWS adapters send: whose credentials sign it, and what of it lies in the stores."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import UserKey
from context_memory.ports.queues import Doorbell
from tests.support.records import LENA, stored, turn_record
from tests.support.stores import WORK_BUCKET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.stores import MockedAws, Stores

OTTO = UserKey("acme", "otto")
SHA = "c" * 64


@pytest.fixture
def signed(mocked_aws: MockedAws, aws_stores: Stores) -> list[tuple[str, str]]:  # noqa: ARG001 - deployed first
    """Service and access key of every request from now on."""
    mocked_aws.wire.signed.clear()
    return mocked_aws.wire.signed


def keys_of(signed: list[tuple[str, str]], *services: str) -> set[str]:
    return {key for service, key in signed if service in services}


def own_key(mocked_aws: MockedAws) -> str:
    mocked_aws.wire.signed.clear()
    with mocked_aws.clients.own_role():
        mocked_aws.clients.sts.get_caller_identity()
    return mocked_aws.wire.signed.pop()[1]


def test_two_users_are_never_served_with_the_same_credentials(
    aws_stores: Stores, signed: list[tuple[str, str]]
) -> None:
    by_user = []
    for user in (LENA, OTTO):
        signed.clear()
        aws_stores.table.accept(user, turn_record())
        aws_stores.table.state(user)
        aws_stores.payloads.put(user, "turn-1", SHA, b"{}")
        by_user.append(keys_of(signed, "dynamodb", "s3"))
    assert all(by_user)
    assert not by_user[0] & by_user[1]


def test_threads_for_different_users_do_not_sign_for_one_another(
    aws_stores: Stores, signed: list[tuple[str, str]], mocked_aws: MockedAws
) -> None:
    users = [UserKey("acme", f"user-{number}") for number in range(8)]
    for user in users:
        aws_stores.profiles.put(user, user.user_id.encode(), replaces=None)

    def load(user: UserKey) -> bytes:
        latest = aws_stores.profiles.latest(user)
        assert latest is not None
        return latest.body

    signed.clear()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(load, users)) == [user.user_id.encode() for user in users]
    assert len(keys_of(mocked_aws.wire.signed, "s3")) == 8


def test_the_functions_own_role_touches_no_users_data(aws_stores: Stores, mocked_aws: MockedAws) -> None:
    own = own_key(mocked_aws)
    signed = mocked_aws.wire.signed
    record = turn_record()
    aws_stores.payloads.put(LENA, "turn-1", SHA, b"{}")
    aws_stores.table.accept(LENA, record)
    aws_stores.profiles.put(LENA, b"body", replaces=None)
    aws_stores.table.settle(stored(record))
    aws_stores.table.named_versions(LENA)
    aws_stores.profiles.latest(LENA)
    aws_stores.profiles.versions(LENA)
    aws_stores.payloads.stored(LENA)
    aws_stores.directory.users_with_turns("acme")
    assert own not in keys_of(signed, "s3", "dynamodb")


def test_the_function_rings_and_lists_companies_itself(aws_stores: Stores, mocked_aws: MockedAws) -> None:
    own = own_key(mocked_aws)
    aws_stores.doorbells.ring(Doorbell(LENA, "turn-1"))
    aws_stores.doorbells.report_dead(LENA, turn_record(), "attempts")
    aws_stores.directory.companies_with_turns()
    assert keys_of(mocked_aws.wire.signed, "sqs", "s3") == {own}


def test_credentials_are_asked_for_once_a_user_and_role(aws_stores: Stores, signed: list[tuple[str, str]]) -> None:
    for number in range(5):
        aws_stores.table.accept(LENA, turn_record(f"turn-{number}"))
        aws_stores.table.state(LENA)
    assert [service for service, _ in signed].count("sts") == 1


def test_a_queued_message_holds_ids_alone_and_its_group_none(mocked_aws: MockedAws, aws_stores: Stores) -> None:
    sent: list[dict[str, Any]] = []
    events = mocked_aws.clients.sqs.meta.events
    events.register("provide-client-params.sqs.SendMessage", lambda params, **_: sent.append(params), unique_id="test")
    try:
        for user in (LENA, UserKey("acme", "ü" * 30)):
            aws_stores.doorbells.ring(Doorbell(user, "acme#lena|0|turn-1|0"))
            aws_stores.doorbells.report_dead(user, turn_record(), "attempts")
    finally:
        events.unregister("provide-client-params.sqs.SendMessage", unique_id="test")
    assert json.loads(sent[0]["MessageBody"]) == {"company_id": "acme", "user_id": "lena", "kind": "turns"}
    for message in sent:
        names = (message["MessageGroupId"], message["MessageDeduplicationId"])
        assert all(len(name) == 64 and int(name, 16) for name in names)


def test_a_received_doorbell_is_postponed_and_an_old_receipt_is_no_error(
    mocked_aws: MockedAws, aws_stores: Stores
) -> None:
    aws_stores.doorbells.ring(Doorbell(LENA, "turn-1"))
    sqs = mocked_aws.clients.sqs
    with mocked_aws.clients.own_role():
        url = sqs.get_queue_url(QueueName="turns.fifo")["QueueUrl"]
        (message,) = sqs.receive_message(QueueUrl=url)["Messages"]
    aws_stores.doorbells.postpone(message["ReceiptHandle"], 0)
    aws_stores.doorbells.postpone("a receipt that nobody gave", 60)
    assert aws_stores.rung() == [(LENA, "turns")]


def test_every_item_of_a_user_but_the_state_says_which_epoch_it_belongs_to(
    mocked_aws: MockedAws, aws_stores: Stores
) -> None:
    first, second = turn_record("turn-1"), turn_record("turn-2")
    for record in (first, second):
        aws_stores.table.accept(LENA, record)
    aws_stores.table.settle(stored(first))
    items = mocked_aws.items(LENA)
    assert set(items) == {
        "A#PROFILE",
        "A#SEEN",
        "A#OPEN#01turn-2",
        "TURN#turn-1",
        "TURN#turn-2",
        f"REVISION#{0:010d}#{1:010d}",
    }
    assert all(item["epoch"] == {"N": "0"} for item in items.values())
    assert items["TURN#turn-1"]["finished_at"] == {"S": "2026-03-02T09:06:00.123456Z"}


def test_more_revisions_than_one_page_holds_are_all_named(mocked_aws: MockedAws, aws_stores: Stores) -> None:
    with mocked_aws.clients.own_role():
        for number in range(1, 5):
            mocked_aws.clients.dynamodb.put_item(
                TableName="users",
                Item={
                    "pk": {"S": LENA.partition},
                    "sk": {"S": f"REVISION#{0:010d}#{number:010d}"},
                    "version_id": {"S": f"v{number}"},
                    "padding": {"S": "x" * 390_000},
                },
            )
    assert aws_stores.table.named_versions(LENA) == {"v1", "v2", "v3", "v4"}


@pytest.fixture
def tiny_pages(mocked_aws: MockedAws) -> Iterator[None]:
    """S3 lists two entries a page."""
    events = mocked_aws.clients.s3.meta.events
    names = [f"provide-client-params.s3.{name}" for name in ("ListObjectsV2", "ListObjectVersions")]
    for name in names:
        events.register(name, lambda params, **_: params | {"MaxKeys": 2}, unique_id=name)
    yield
    for name in names:
        events.unregister(name, unique_id=name)


@pytest.mark.usefixtures("tiny_pages")
def test_listings_of_many_pages_are_read_to_the_end(aws_stores: Stores) -> None:
    for number in range(5):
        aws_stores.payloads.put(LENA, f"turn-{number}", SHA, b"{}")
        aws_stores.payloads.put(UserKey("acme", f"user-{number}"), "turn-1", SHA, b"{}")
        aws_stores.profiles.put(LENA, b"body", replaces=aws_stores.profiles.latest_etag(LENA))
    assert len(aws_stores.payloads.stored(LENA)) == 5
    assert len(aws_stores.profiles.versions(LENA)) == 5
    assert len(aws_stores.directory.users_with_turns("acme")) == 6


def test_folders_that_are_none_of_ours_keep_nobody_from_being_found(mocked_aws: MockedAws, aws_stores: Stores) -> None:
    aws_stores.payloads.put(LENA, "turn-1", SHA, b"{}")
    with mocked_aws.clients.own_role():
        for key in ("turns/NOBODY/x", "turns/acme/lena/x", "turns/acme/home-=zz/x", "turns/acme/home-lena/notes.txt"):
            mocked_aws.clients.s3.put_object(Bucket=WORK_BUCKET, Key=key, Body=b"")
    assert aws_stores.directory.companies_with_turns() == ["acme"]
    assert aws_stores.directory.users_with_turns("acme") == [LENA]
    assert len(aws_stores.payloads.stored(LENA)) == 1


def test_a_delete_marker_is_a_version_and_its_profile_is_unread(mocked_aws: MockedAws, aws_stores: Stores) -> None:
    written = aws_stores.profiles.put(LENA, b"body", replaces=None)
    with mocked_aws.clients.own_role():
        mocked_aws.clients.s3.delete_object(Bucket="profiles", Key="acme/home-lena/user-memory/memory.md")
    assert aws_stores.profiles.latest(LENA) is None
    assert aws_stores.profiles.latest_etag(LENA) is None
    assert len(aws_stores.profiles.versions(LENA)) == 2
    assert aws_stores.profiles.version(LENA, written.version_id).body == b"body"


def test_a_bucket_that_keeps_no_versions_is_not_written_to_unnoticed(mocked_aws: MockedAws, aws_stores: Stores) -> None:
    place: Any = {"LocationConstraint": "eu-central-1"}
    with mocked_aws.clients.own_role():
        mocked_aws.clients.s3.delete_bucket(Bucket="profiles")
        mocked_aws.clients.s3.create_bucket(Bucket="profiles", CreateBucketConfiguration=place)
    with pytest.raises(StoreUnavailable):
        aws_stores.profiles.put(LENA, b"body", replaces=None)
