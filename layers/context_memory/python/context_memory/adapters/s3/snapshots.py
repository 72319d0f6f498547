"""Snapshots of large shared scopes in the work bucket: `recall/<company>/…/snapshots/<version>.sqlite`.

The writer publishes a whole file under a name of its own and never changes it, so that a reader can keep what it has.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import says_missing_or_denied, told_as_ours
from context_memory.adapters.indexes.snapshot_files import write_snapshot
from context_memory.domain.errors import StoreUnavailable
from context_memory.ports.indexes import MOST_READ_AT_ONCE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from mypy_boto3_s3 import S3Client

    from context_memory.adapters.sts import Role, UserCredentials
    from context_memory.domain.facts.scopes import FactScope, SharedScope
    from context_memory.domain.ids import UserKey
    from context_memory.ports.indexes import IndexChange
    from context_memory.ports.recall import IndexedScope

KEPT = 2
"""Snapshots of a scope that stay: the newest, and the one that a reader may be fetching."""
_NAME = re.compile(r"(\d{1,18})\.sqlite")
_SHA256 = "sha256"


class S3SnapshotWriter:
    """`PublishedIndex` of shared scopes, written with the function's own role.

    Args:
        client: S3, with credentials per request.
        bucket: the work bucket.
        own_role: signs with the function's own role (`AwsClients.own_role`).
    """

    def __init__(self, *, client: S3Client, bucket: str, own_role: Callable[[], AbstractContextManager[None]]) -> None:
        self._client = client
        self._bucket = bucket
        self._own_role = own_role

    def change(self, change: IndexChange) -> bool:
        """Whether a snapshot has come so far; if not, ask for all facts: it is made as a whole, and never changes."""
        with told_as_ours("S3"), self._own_role():
            return max(_published(self._client, self._bucket, change.scope), default=-1) >= change.version

    def replace(self, scope: IndexedScope) -> None:
        """Publish a scope that is too large to be read at once; one that is not needs no snapshot any more."""
        large = len(scope.facts) > MOST_READ_AT_ONCE
        with told_as_ours("S3"), self._own_role():
            published = _published(self._client, self._bucket, scope.scope)
            if large and scope.version > max(published, default=-1):
                self._publish(scope)
                published = [*published, scope.version]
            for version in sorted(published)[: -KEPT if large else None]:
                self._client.delete_object(Bucket=self._bucket, Key=_key(scope.scope, version))

    def _publish(self, scope: IndexedScope) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "snapshot.sqlite"
            write_snapshot(file, scope.facts)
            body = file.read_bytes()
        self._client.put_object(
            Bucket=self._bucket,
            Key=_key(scope.scope, scope.version),
            Body=body,
            ContentType="application/vnd.sqlite3",
            Metadata={_SHA256: hashlib.sha256(body).hexdigest()},
        )


class S3Snapshots:
    """Snapshots as readers fetch them, with the credentials of the user who asks.

    Args:
        client: S3, with credentials per request.
        bucket: the work bucket.
        credentials: signs for one user.
        role: in which the user reads.
    """

    def __init__(self, *, client: S3Client, bucket: str, credentials: UserCredentials, role: Role) -> None:
        self._client = client
        self._bucket = bucket
        self._credentials = credentials
        self._role = role

    def newest(self, user: UserKey, scope: SharedScope) -> int | None:
        """Version of the newest snapshot of a scope, None when there is none."""
        with told_as_ours("S3"), self._credentials.signing(user, self._role):
            return max(_published(self._client, self._bucket, scope), default=None)

    def fetch(self, user: UserKey, scope: SharedScope, version: int, into: Path) -> bool:
        """Write a snapshot into a file; False when it is there no more.

        Raises:
            StoreUnavailable: it is out of reach, or what came is not what was published.
        """
        with told_as_ours("S3"), self._credentials.signing(user, self._role):
            try:
                answer = self._client.get_object(Bucket=self._bucket, Key=_key(scope, version))
            except ClientError as error:
                if not says_missing_or_denied(error):
                    raise
                return False
            digest = hashlib.sha256()
            with into.open("wb") as file:
                for chunk in answer["Body"].iter_chunks(1 << 20):
                    digest.update(chunk)
                    file.write(chunk)
        if digest.hexdigest() != answer["Metadata"].get(_SHA256):
            raise StoreUnavailable("S3 handed out a damaged snapshot.")
        return True


def _published(client: S3Client, bucket: str, scope: FactScope) -> Sequence[int]:
    """Versions of a scope's snapshots; there are `KEPT` of them and one more now and then."""
    prefix = _prefix(scope)
    listed = client.list_objects_v2(Bucket=bucket, Prefix=prefix).get("Contents", ())
    names = (_NAME.fullmatch(one["Key"].removeprefix(prefix)) for one in listed)
    return [int(name[1]) for name in names if name]


def _prefix(scope: FactScope) -> str:
    return f"{scope.folder}snapshots/"


def _key(scope: FactScope, version: int) -> str:
    return f"{_prefix(scope)}{version}.sqlite"
