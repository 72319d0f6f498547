"""What S3 may answer and moto never does: denials, conflicts, versions that cannot be had."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError

from context_memory.adapters.s3.profile_objects import S3ProfileObjects
from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
from context_memory.adapters.sts import Role
from context_memory.domain.errors import (
    ContextMemoryError,
    PreconditionFailed,
    ProfileVersionMissing,
    StoreRejected,
    StoreUnavailable,
)
from context_memory.domain.ids import UserKey

LENA = UserKey("acme", "lena")
SHA = "c" * 64
PAYLOAD = f"turns/acme/home-lena/turn-1-{SHA}.json"
LEGACY = "acme/user-memory/lena/memory.md"


class Credentials:
    """Remembers the roles that were signed with."""

    def __init__(self) -> None:
        self.roles: list[Role] = []

    def signing(self, _user: UserKey, role: Role) -> nullcontext[None]:
        self.roles.append(role)
        return nullcontext()


class Answers:
    """S3 whose every operation fails with one code, but for listings, which show `listed`."""

    def __init__(self, code: str, status: int, *listed: str) -> None:
        self.error = ClientError(
            cast(
                "Any",
                {
                    "Error": {"Code": code, "Message": "acme/home-lena/"},
                    "ResponseMetadata": {"HTTPStatusCode": status, "HTTPHeaders": {}},
                },
            ),
            "Operation",
        )
        self.listed = listed
        self.asked: list[dict[str, Any]] = []

    def list_objects_v2(self, **arguments: object) -> dict[str, Any]:
        self.asked.append(arguments)
        return {"Contents": [{"Key": key, "LastModified": datetime.now(UTC)} for key in self.listed]}

    def get_paginator(self, _operation: str) -> Answers:
        return self

    def paginate(self, **arguments: object) -> list[dict[str, Any]]:
        return [self.list_objects_v2(**arguments)]

    def fail(self, **arguments: object) -> dict[str, Any]:
        self.asked.append(arguments)
        raise self.error

    get_object = head_object = put_object = delete_object = fail


def profiles(answers: object, credentials: Credentials | None = None) -> S3ProfileObjects:
    return S3ProfileObjects(
        client=cast("Any", answers),
        bucket="profiles",
        root_folder="user-memory",
        credentials=cast("Any", credentials or Credentials()),
    )


def payloads(answers: object, credentials: Credentials | None = None) -> S3TurnPayloads:
    return S3TurnPayloads(
        client=cast("Any", answers), bucket="work", credentials=cast("Any", credentials or Credentials())
    )


DENIED, MISSING = Answers("AccessDenied", 403), Answers("NoSuchKey", 404)
EXPIRED, BROKEN = Answers("ExpiredToken", 400), Answers("InternalError", 500)


@pytest.mark.parametrize("answers", [DENIED, MISSING])
def test_an_object_that_is_not_handed_out_is_not_read_and_no_more(answers: Answers) -> None:
    assert profiles(answers).latest(LENA) is None
    assert profiles(answers).latest_etag(LENA) is None
    with pytest.raises(ProfileVersionMissing) as missing:
        profiles(answers).version(LENA, "v1")
    assert missing.value.__context__ is None


@pytest.mark.parametrize("answers", [EXPIRED, BROKEN, Answers("NoSuchBucket", 404), Answers("SlowDown", 503)])
def test_a_store_that_fails_never_looks_like_a_user_without_profile(answers: Answers) -> None:
    objects = profiles(answers)
    for read in (
        lambda: objects.latest(LENA),
        lambda: objects.latest_etag(LENA),
        lambda: objects.version(LENA, "v1"),
        lambda: objects.put(LENA, b"", replaces=None),
        lambda: objects.put(LENA, b"", replaces='"etag"'),
        lambda: objects.delete_version(LENA, "v1"),
        lambda: payloads(answers).get(LENA, "turn-1", SHA),
        lambda: payloads(answers).put(LENA, "turn-1", SHA, b""),
        lambda: payloads(answers).delete(LENA, "turn-1", SHA),
    ):
        with pytest.raises(StoreUnavailable):
            read()


@pytest.mark.parametrize(
    ("answers", "replaces", "expected"),
    [
        (Answers("PreconditionFailed", 412), None, PreconditionFailed),
        (Answers("PreconditionFailed", 412), '"etag"', PreconditionFailed),
        (Answers("ConditionalRequestConflict", 409), None, PreconditionFailed),
        (Answers("ConditionalRequestConflict", 409), '"etag"', PreconditionFailed),
        (MISSING, '"etag"', PreconditionFailed),
        (MISSING, None, StoreUnavailable),
        (DENIED, '"etag"', StoreUnavailable),
        (Answers("EntityTooLarge", 400), None, StoreRejected),
    ],
)
def test_a_write_that_is_refused_says_why(
    answers: Answers, replaces: str | None, expected: type[ContextMemoryError]
) -> None:
    with pytest.raises(expected) as refused:
        profiles(answers).put(LENA, b"", replaces=replaces)
    assert type(refused.value) is expected
    assert refused.value.__context__ is None


def test_deleting_what_is_not_there_is_no_error_and_being_denied_is_one() -> None:
    profiles(Answers("NoSuchVersion", 404)).delete_version(LENA, "v1")
    with pytest.raises(StoreUnavailable):
        profiles(DENIED).delete_version(LENA, "v1")


def test_a_legacy_file_that_is_listed_and_not_handed_out_is_not_absent() -> None:
    for code, status in (("AccessDenied", 403), ("NoSuchKey", 404)):
        with pytest.raises(StoreUnavailable):
            profiles(Answers(code, status, LEGACY)).legacy(LENA)


def test_a_longer_key_beside_it_is_no_legacy_file() -> None:
    answers = Answers("AccessDenied", 403, f"{LEGACY}.bak")
    assert profiles(answers).legacy(LENA) is None
    assert answers.asked == [{"Bucket": "profiles", "Prefix": LEGACY, "MaxKeys": 1}]


@pytest.mark.parametrize("answers", [DENIED, MISSING])
def test_a_payload_is_gone_when_the_listing_says_so(answers: Answers) -> None:
    credentials = Credentials()
    assert payloads(answers, credentials).get(LENA, "turn-1", SHA) is None
    assert credentials.roles == [Role.WRITE, Role.ERASE]
    assert answers.asked[-1]["Prefix"] == "turns/acme/home-lena/"


def test_a_payload_that_is_listed_and_not_handed_out_is_waited_for() -> None:
    with pytest.raises(StoreUnavailable):
        payloads(Answers("AccessDenied", 403, PAYLOAD)).get(LENA, "turn-1", SHA)


def test_each_step_is_signed_with_the_least_role_that_may_do_it() -> None:
    credentials = Credentials()
    objects = profiles(Answers("NoSuchVersion", 404), credentials)
    objects.latest(LENA)
    objects.latest_etag(LENA)
    objects.legacy(LENA)
    with pytest.raises(PreconditionFailed):
        objects.put(LENA, b"", replaces='"etag"')
    objects.delete_version(LENA, "v1")
    objects.versions(LENA)
    assert credentials.roles == [Role.READ, Role.READ, Role.READ, Role.WRITE, Role.ERASE, Role.ERASE]


def test_a_profile_lies_in_the_users_home() -> None:
    written: list[dict[str, Any]] = []

    class Bucket:
        def put_object(self, **arguments: object) -> dict[str, Any]:
            written.append(arguments)
            return {"VersionId": "v1"}

        def get_object(self, **_: object) -> dict[str, Any]:
            return {"Body": BytesIO(b"body"), "ETag": '"e"', "VersionId": "v1"}

    objects = profiles(Bucket())
    objects.put(UserKey("acme", "../otto"), b"body", replaces='"etag"')
    (asked,) = written
    assert asked["Key"] == "acme/home-..=2Fotto/user-memory/memory.md"
    assert asked["IfMatch"] == '"etag"'
    assert "IfNoneMatch" not in asked
    latest = objects.latest(LENA)
    assert latest is not None
    assert (latest.body, latest.version_id, latest.etag) == (b"body", "v1", '"e"')
