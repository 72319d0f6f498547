"""What was said in turns that are not worked off yet, or are kept: the work bucket's `turns/` and `kept/`."""

from __future__ import annotations

import re
from itertools import batched
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import says_missing_or_denied, told_as_ours
from context_memory.adapters.s3.deleting import BATCH, delete_objects
from context_memory.adapters.sts import Role
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from mypy_boto3_s3 import S3Client

    from context_memory.adapters.sts import UserCredentials
    from context_memory.domain.ids import UserKey

TURNS = "turns/"
KEPT = "kept/"
_NAME = re.compile(r"(?P<turn>.+)-(?P<sha256>[0-9a-f]{64})\.json")


class S3TurnPayloads:
    """`TurnPayloads` in an unversioned bucket: `<folder><company>/home-<user>/<turn_id>-<sha256>.json`.

    Args:
        client: S3, with credentials per request.
        bucket: the work bucket.
        credentials: signs for one user.
        folder: `TURNS`, or `KEPT`.
    """

    def __init__(self, *, client: S3Client, bucket: str, credentials: UserCredentials, folder: str = TURNS) -> None:
        self._client = client
        self._bucket = bucket
        self._credentials = credentials
        self._folder = folder

    def put(self, user: UserKey, turn_id: str, sha256: str, body: bytes) -> None:
        """Store a payload; storing the same again changes nothing."""
        key = self._key(user, turn_id, sha256)
        with told_as_ours("S3"), self._credentials.signing(user, Role.WRITE):
            self._client.put_object(Bucket=self._bucket, Key=key, Body=body, ContentType="application/json")

    def get(self, user: UserKey, turn_id: str, sha256: str) -> bytes | None:
        """The payload, or None when it does not exist.

        The write role must not list, hence S3 denies what is missing: whether it is missing says a listing.

        Raises:
            StoreUnavailable: also when the payload is there and may not be read.
        """
        key = self._key(user, turn_id, sha256)
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
            self._client.delete_object(Bucket=self._bucket, Key=self._key(user, turn_id, sha256))

    def delete_all(self, user: UserKey, named: Iterable[tuple[str, str]]) -> None:
        """Remove payloads by turn id and sha256; absent ones are no error."""
        for some in batched((self._key(user, *one) for one in named), BATCH, strict=False):
            with told_as_ours("S3"), self._credentials.signing(user, Role.WRITE):
                delete_objects(self._client, self._bucket, [{"Key": key} for key in some])

    def stored(self, user: UserKey) -> Sequence[tuple[str, str, datetime]]:
        """Turn id, sha256 and time of every payload of the user (erase role)."""
        prefix = f"{self._folder}{user.home}"
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

    def _key(self, user: UserKey, turn_id: str, sha256: str) -> str:
        return f"{self._folder}{user.home}{encode(turn_id, 'turn_id')}-{sha256}.json"
