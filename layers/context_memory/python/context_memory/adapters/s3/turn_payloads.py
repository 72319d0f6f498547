"""What was said in turns that are not worked off yet: the work bucket's `turns/`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import says_missing_or_denied, told_as_ours
from context_memory.adapters.sts import Role
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import decode, encode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from mypy_boto3_s3 import S3Client

    from context_memory.adapters.sts import UserCredentials
    from context_memory.domain.ids import UserKey

TURNS = "turns/"
_NAME = re.compile(r"(?P<turn>.+)-(?P<sha256>[0-9a-f]{64})\.json")


class S3TurnPayloads:
    """`TurnPayloads` in an unversioned bucket: `turns/<company>/home-<user>/<turn_id>-<sha256>.json`.

    Args:
        client: S3, with credentials per request.
        bucket: the work bucket.
        credentials: signs for one user.
    """

    def __init__(self, *, client: S3Client, bucket: str, credentials: UserCredentials) -> None:
        self._client = client
        self._bucket = bucket
        self._credentials = credentials

    def put(self, user: UserKey, turn_id: str, sha256: str, body: bytes) -> None:
        """Store a payload; storing the same again changes nothing."""
        key = _key(user, turn_id, sha256)
        with told_as_ours("S3"), self._credentials.signing(user, Role.WRITE):
            self._client.put_object(Bucket=self._bucket, Key=key, Body=body, ContentType="application/json")

    def get(self, user: UserKey, turn_id: str, sha256: str) -> bytes | None:
        """The payload, or None when it does not exist.

        The write role must not list, hence S3 denies what is missing: whether it is missing says a listing.

        Raises:
            StoreUnavailable: also when the payload is there and may not be read.
        """
        key = _key(user, turn_id, sha256)
        with told_as_ours("S3"), self._credentials.signing(user, Role.WRITE):
            try:
                return self._client.get_object(Bucket=self._bucket, Key=key)["Body"].read()
            except ClientError as error:
                if not says_missing_or_denied(error):
                    raise
        if any((turn_id, sha256) == (stored, digest) for stored, digest, _ in self.stored(user)):
            raise StoreUnavailable("S3 lists a payload and does not hand it out.")
        return None

    def delete(self, user: UserKey, turn_id: str, sha256: str) -> None:
        """Remove a payload; an absent one is no error."""
        with told_as_ours("S3"), self._credentials.signing(user, Role.WRITE):
            self._client.delete_object(Bucket=self._bucket, Key=_key(user, turn_id, sha256))

    def stored(self, user: UserKey) -> Sequence[tuple[str, str, datetime]]:
        """Turn id, sha256 and time of every payload of the user (erase role)."""
        prefix = f"{TURNS}{user.home}"
        found: list[tuple[str, str, datetime]] = []
        with told_as_ours("S3"), self._credentials.signing(user, Role.ERASE):
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix)
            for page in pages:
                found += [
                    (decode(name["turn"], "turn_id"), name["sha256"], one["LastModified"])
                    for one in page.get("Contents", ())
                    if (name := _NAME.fullmatch(one["Key"].removeprefix(prefix)))
                ]
        return found


def _key(user: UserKey, turn_id: str, sha256: str) -> str:
    return f"{TURNS}{user.home}{encode(turn_id, 'turn_id')}-{sha256}.json"
