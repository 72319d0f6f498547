"""The profile bucket. A GET never proves absence here: 403 and 404 are only ever "not read"."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypedDict

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import code_of, says_missing, says_missing_or_denied, told_as_ours
from context_memory.adapters.sts import Role
from context_memory.domain.errors import PreconditionFailed, ProfileVersionMissing, StoreUnavailable
from context_memory.ports.objects import ObjectVersion, StoredObject

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import GetObjectOutputTypeDef, PutObjectOutputTypeDef

    from context_memory.adapters.sts import UserCredentials
    from context_memory.domain.ids import UserKey

_SOMEBODY_WAS_FASTER = frozenset({"PreconditionFailed", "ConditionalRequestConflict"})
_FILE = "memory.md"


class _Condition(TypedDict, total=False):
    IfMatch: str
    IfNoneMatch: str


class S3ProfileObjects:
    """`ProfileObjects` in a versioned bucket: `<company>/home-<user>/<root_folder>/memory.md`.

    Args:
        client: S3, with credentials per request.
        bucket: the profile bucket.
        root_folder: folder of the profile within the user's home, fixed per environment.
        credentials: signs for one user.
        reading_as: role that reads; load has the read role only, what also writes reads with the write role.
        now: aware UTC time; S3 does not say when it wrote.
    """

    def __init__(
        self,
        *,
        client: S3Client,
        bucket: str,
        root_folder: str,
        credentials: UserCredentials,
        reading_as: Role = Role.READ,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._client = client
        self._bucket = bucket
        self._root_folder = root_folder
        self._credentials = credentials
        self._reading_as = reading_as
        self._now = now

    def latest(self, user: UserKey) -> StoredObject | None:
        """The newest version; None when S3 answers 403 or 404, which is never proof of absence."""
        with told_as_ours("S3"), self._credentials.signing(user, self._reading_as):
            try:
                return _stored(self._client.get_object(Bucket=self._bucket, Key=self._key(user)))
            except ClientError as error:
                if says_missing_or_denied(error):
                    return None
                raise

    def version(self, user: UserKey, version_id: str) -> StoredObject:
        """One named version.

        Raises:
            ProfileVersionMissing: S3 answers that it does not exist, or 403.
        """
        with told_as_ours("S3"), self._credentials.signing(user, self._reading_as):
            try:
                return _stored(self._client.get_object(Bucket=self._bucket, Key=self._key(user), VersionId=version_id))
            except ClientError as error:
                if not says_missing_or_denied(error):
                    raise
        raise ProfileVersionMissing("The version of the profile that the table names cannot be read.")

    def put(self, user: UserKey, body: bytes, *, replaces: str | None) -> ObjectVersion:
        """Write a new version on top of the one with the ETag `replaces` (None: on top of nothing).

        Raises:
            PreconditionFailed: another version, or any version, is the newest.
        """
        with told_as_ours("S3"), self._credentials.signing(user, Role.WRITE):
            written = self._written(self._key(user), body, replaces)
        if written is None:
            raise PreconditionFailed("Another version of the profile is the newest.")
        if "VersionId" not in written:
            raise StoreUnavailable("The profile bucket keeps no versions.")
        return ObjectVersion(written["VersionId"], self._now())

    def latest_etag(self, user: UserKey) -> str | None:
        """ETag of the newest version, None when there is none that can be seen; the conditional write finds out."""
        with told_as_ours("S3"), self._credentials.signing(user, self._reading_as):
            try:
                return self._client.head_object(Bucket=self._bucket, Key=self._key(user))["ETag"]
            except ClientError as error:
                if says_missing_or_denied(error):
                    return None
                raise

    def versions(self, user: UserKey) -> Sequence[ObjectVersion]:
        """All versions of the user's profile object, delete markers included, newest first (erase role)."""
        with told_as_ours("S3"), self._credentials.signing(user, Role.ERASE):
            found = self._listed(user.home, self._key(user))
        return sorted(found, key=lambda version: version.last_modified, reverse=True)

    def delete_version(self, user: UserKey, version_id: str) -> None:
        """Remove one version for good (erase role); an absent one is no error."""
        with told_as_ours("S3"), self._credentials.signing(user, Role.ERASE):
            self._remove(self._key(user), version_id)

    def legacy(self, user: UserKey) -> bytes | None:
        """The file at the legacy place; None only when a listing of exactly its key is empty."""
        key = self._legacy_key(user)
        with told_as_ours("S3"), self._credentials.signing(user, self._reading_as):
            # The key itself sorts before every longer key that begins with it.
            listed = self._client.list_objects_v2(Bucket=self._bucket, Prefix=key, MaxKeys=1).get("Contents", ())
            if not any(one["Key"] == key for one in listed):
                return None
            return self._client.get_object(Bucket=self._bucket, Key=key)["Body"].read()

    def delete_legacy(self, user: UserKey) -> None:
        """Remove every version of the file at the legacy place, for good (erase role); an absent one is no error."""
        key = self._legacy_key(user)
        with told_as_ours("S3"), self._credentials.signing(user, Role.ERASE):
            for version in self._listed(key, key):
                self._remove(key, version.version_id)

    def _key(self, user: UserKey) -> str:
        return f"{user.home}{self._root_folder}/{_FILE}"

    def _legacy_key(self, user: UserKey) -> str:
        return f"{user.company_id}/{self._root_folder}/{user.encoded}/{_FILE}"

    def _listed(self, prefix: str, key: str) -> list[ObjectVersion]:
        """Versions and delete markers of exactly `key`, found by a prefix that the role may list."""
        found: list[ObjectVersion] = []
        for page in self._client.get_paginator("list_object_versions").paginate(Bucket=self._bucket, Prefix=prefix):
            entries = [*page.get("Versions", ()), *page.get("DeleteMarkers", ())]
            found += [ObjectVersion(one["VersionId"], one["LastModified"]) for one in entries if one["Key"] == key]
        return found

    def _remove(self, key: str, version_id: str) -> None:
        try:
            self._client.delete_object(Bucket=self._bucket, Key=key, VersionId=version_id)
        except ClientError as error:
            if not says_missing(error):
                raise

    def _written(self, key: str, body: bytes, replaces: str | None) -> PutObjectOutputTypeDef | None:
        """The answer to a conditional write, or None when its condition failed."""
        condition: _Condition = {"IfNoneMatch": "*"} if replaces is None else {"IfMatch": replaces}
        kind = "text/markdown; charset=utf-8"
        try:
            return self._client.put_object(Bucket=self._bucket, Key=key, Body=body, ContentType=kind, **condition)
        except ClientError as error:
            # With If-Match S3 answers 404 where nothing is left to replace.
            gone = replaces is not None and says_missing(error)
            if gone or code_of(error) in _SOMEBODY_WAS_FASTER:
                return None
            raise


def _stored(answer: GetObjectOutputTypeDef) -> StoredObject:
    return StoredObject(body=answer["Body"].read(), version_id=answer.get("VersionId", ""), etag=answer["ETag"])
