"""Who has payloads waiting, told by the names of folders alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.s3.turn_payloads import TURNS
from context_memory.domain.errors import InvalidId
from context_memory.domain.ids import UserKey, company

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from mypy_boto3_s3 import S3Client

    from context_memory.adapters.sts import UserCredentials

_HOME = "home-"


class S3Directory:
    """`Directory` over the work bucket.

    Args:
        client: S3, with credentials per request.
        bucket: the work bucket.
        credentials: signs as a company's lister.
        own_role: signs with the function's own role, which may list the companies (`AwsClients.own_role`).
    """

    def __init__(
        self,
        *,
        client: S3Client,
        bucket: str,
        credentials: UserCredentials,
        own_role: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._client = client
        self._bucket = bucket
        self._credentials = credentials
        self._own_role = own_role

    def companies_with_turns(self) -> Sequence[str]:
        """Companies that have payloads in the work bucket."""
        with told_as_ours("S3"), self._own_role():
            return [found for name in self._folders(TURNS) if (found := _company(name)) is not None]

    def users_with_turns(self, company_id: str) -> Sequence[UserKey]:
        """Users of a company that have payloads in the work bucket."""
        with told_as_ours("S3"), self._credentials.listing(company_id):
            names = self._folders(f"{TURNS}{company(company_id)}/")
            return [user for name in names if (user := _user(company_id, name)) is not None]

    def _folders(self, prefix: str) -> Iterator[str]:
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=prefix, Delimiter="/"
        )
        for page in pages:
            for one in page.get("CommonPrefixes", ()):
                yield one["Prefix"].removeprefix(prefix).removesuffix("/")


# A folder that is none of ours must not keep the others from being healed.


def _company(name: str) -> str | None:
    try:
        return company(name)
    except InvalidId:
        return None


def _user(company_id: str, name: str) -> UserKey | None:
    if not name.startswith(_HOME):
        return None
    try:
        return UserKey.from_path(company_id, name.removeprefix(_HOME))
    except InvalidId:
        return None
