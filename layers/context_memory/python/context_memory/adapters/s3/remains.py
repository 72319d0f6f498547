"""What is left of a user in the buckets: all versions under the home and of the legacy file, payloads, indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.s3.deleting import BATCH, delete_objects
from context_memory.adapters.s3.turn_payloads import KEPT, TURNS
from context_memory.adapters.sts import Role
from context_memory.domain.erasing import Remnant
from context_memory.domain.facts.scopes import UserScope
from context_memory.ports.erasing import Found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import ObjectIdentifierTypeDef

    from context_memory.adapters.sts import UserCredentials
    from context_memory.domain.ids import UserKey

_FILE = "memory.md"


class _Objects:
    """Deletes what was listed, up to 1,000 at once, in the erase role."""

    def __init__(self, *, client: S3Client, bucket: str, credentials: UserCredentials) -> None:
        self._client = client
        self._bucket = bucket
        self._credentials = credentials

    def delete(self, user: UserKey, epoch: int, batch: list[Found]) -> None:  # noqa: ARG002 - objects know no epoch
        """Remove objects or versions for good.

        Raises:
            StoreUnavailable: some are left; they are found again.
        """
        with told_as_ours("S3"), self._credentials.signing(user, Role.ERASE):
            delete_objects(self._client, self._bucket, [_identifier(found) for found in batch])

    def _pages(self, user: UserKey, paginator: Any, prefix: str) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - of either listing
        """Pages of a listing, each fetched when it is asked for."""
        pages = iter(paginator.paginate(Bucket=self._bucket, Prefix=prefix, PaginationConfig={"PageSize": BATCH}))
        while True:
            with told_as_ours("S3"), self._credentials.signing(user, Role.ERASE):
                page = next(pages, None)
            if page is None:
                return
            yield page

    def _listed(self, user: UserKey, prefix: str, kind: Remnant) -> Iterator[list[Found]]:
        """Objects of a bucket without versions."""
        for page in self._pages(user, self._client.get_paginator("list_objects_v2"), prefix):
            if entries := page.get("Contents", ()):
                yield [Found(kind, one["Key"]) for one in entries]


class S3VersionRemains(_Objects):
    """`Remains` over the profile bucket: whatever lies in the user's home, and the legacy file.

    Args:
        client: S3, with credentials per request.
        bucket: the profile bucket.
        root_folder: folder of the legacy files.
        credentials: signs for one user.
    """

    def __init__(self, *, client: S3Client, bucket: str, root_folder: str, credentials: UserCredentials) -> None:
        super().__init__(client=client, bucket=bucket, credentials=credentials)
        self._root_folder = root_folder

    def found(self, user: UserKey, epoch: int) -> Iterator[list[Found]]:  # noqa: ARG002 - versions know no epoch
        """Versions and delete markers of every object."""
        yield from self._versions(user, user.home)
        legacy = f"{user.company_id}/{self._root_folder}/{user.encoded}/{_FILE}"
        for batch in self._versions(user, legacy):
            if exactly := [found for found in batch if found.key == legacy]:
                yield exactly

    def _versions(self, user: UserKey, prefix: str) -> Iterator[list[Found]]:
        for page in self._pages(user, self._client.get_paginator("list_object_versions"), prefix):
            entries = [*page.get("Versions", ()), *page.get("DeleteMarkers", ())]
            if entries:
                yield [Found(Remnant.VERSIONS, one["Key"], one["VersionId"]) for one in entries]


class S3PayloadRemains(_Objects):
    """`Remains` over the work bucket: what was said in turns that wait, and in those that are kept.

    Args:
        client: S3, with credentials per request.
        bucket: the work bucket.
        credentials: signs for one user.
    """

    def found(self, user: UserKey, epoch: int) -> Iterator[list[Found]]:  # noqa: ARG002 - payloads know no epoch
        """Every payload."""
        for folder in (TURNS, KEPT):
            yield from self._listed(user, f"{folder}{user.home}", Remnant.PAYLOADS)


class S3IndexRemains(_Objects):
    """`Remains` over the work bucket: indexes over the user's own facts.

    Args:
        client: S3, with credentials per request.
        bucket: the work bucket.
        credentials: signs for one user.
    """

    def found(self, user: UserKey, epoch: int) -> Iterator[list[Found]]:  # noqa: ARG002 - indexes know no epoch
        """Every object of theirs."""
        yield from self._listed(user, UserScope(user).folder, Remnant.INDEXES)


def _identifier(found: Found) -> ObjectIdentifierTypeDef:
    return {"Key": found.key, "VersionId": found.version} if found.version else {"Key": found.key}
