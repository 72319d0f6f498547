"""Who there is: an empty object each, `users/<company>/home-<user>/known`, whose key is all that it says.

It lies in a folder, so that listings sort it as they do the homes of profiles and payloads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.sts import Role

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

    from context_memory.adapters.sts import UserCredentials
    from context_memory.domain.ids import UserKey

ROSTER = "users/"


class S3Roster:
    """`Roster` in the work bucket.

    Args:
        client: S3, with credentials per request.
        bucket: the work bucket.
        credentials: signs for one user.
    """

    def __init__(self, *, client: S3Client, bucket: str, credentials: UserCredentials) -> None:
        self._client = client
        self._bucket = bucket
        self._credentials = credentials

    def enter(self, user: UserKey) -> None:
        """Keep that there is such a user; doing it again changes nothing."""
        with told_as_ours("S3"), self._credentials.signing(user, Role.WRITE):
            self._client.put_object(Bucket=self._bucket, Key=_key(user), Body=b"")

    def strike(self, user: UserKey) -> None:
        """Forget that there is such a user; an absent one is no error."""
        with told_as_ours("S3"), self._credentials.signing(user, Role.ERASE):
            self._client.delete_object(Bucket=self._bucket, Key=_key(user))


def _key(user: UserKey) -> str:
    return f"{ROSTER}{user.home}known"
