"""Who there is, told by the names of folders alone.

Folders come in the order of their names with the closing slash: `lena-x/` before `lena/`, as the slash stands between.
"""

from __future__ import annotations

from heapq import merge
from itertools import groupby, islice
from typing import TYPE_CHECKING

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.s3.roster import ROSTER
from context_memory.adapters.s3.turn_payloads import KEPT, TURNS
from context_memory.domain.errors import InvalidId
from context_memory.domain.ids import UserKey, company

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from mypy_boto3_s3 import S3Client

    from context_memory.adapters.sts import UserCredentials

_HOME = "home-"
_BEHIND_SLASH = "0"  # the sign after the slash: what begins so comes behind all that lies in the folder
_MOST_A_PAGE = 1000


class S3Directory:
    """`Directory` over both buckets.

    Args:
        client: S3, with credentials per request.
        bucket: the work bucket.
        profile_bucket: the bucket of the profiles.
        root_folder: folder of the profile within a home, and of homes at the legacy place.
        credentials: signs as a company's lister.
        own_role: signs with the function's own role, which may list the companies (`AwsClients.own_role`).
    """

    def __init__(
        self,
        *,
        client: S3Client,
        bucket: str,
        profile_bucket: str,
        root_folder: str,
        credentials: UserCredentials,
        own_role: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._client = client
        self._bucket = bucket
        self._profile_bucket = profile_bucket
        self._root_folder = root_folder
        self._credentials = credentials
        self._own_role = own_role

    def companies_with_turns(self) -> Sequence[str]:
        """Companies that have payloads in the work bucket."""
        return self._companies(TURNS)

    def companies_with_kept_turns(self) -> Sequence[str]:
        """Companies that keep texts of turns in the work bucket."""
        return self._companies(KEPT)

    def users_with_turns(self, company_id: str) -> Sequence[UserKey]:
        """Users of a company that have payloads in the work bucket."""
        with told_as_ours("S3"), self._credentials.listing(company_id):
            names = self._folders(self._bucket, f"{TURNS}{company(company_id)}/")
            return [user for name in names if (user := _user(company_id, name)) is not None]

    def users_with_kept_turns(self, company_id: str, *, after: str | None, limit: int) -> Sequence[UserKey]:
        """Users of a company of whom texts are kept."""
        return self._merged(company_id, [(self._bucket, f"{KEPT}{company(company_id)}/", _HOME)], after, limit)

    def users(self, company_id: str, *, after: str | None, limit: int, legacy: bool) -> Sequence[UserKey]:
        """Users of a company, from at most five listings of which each gives little more than `limit` names."""
        own = f"{company(company_id)}/"
        places = [
            (self._bucket, f"{TURNS}{own}", _HOME),
            (self._bucket, f"{KEPT}{own}", _HOME),
            (self._bucket, f"{ROSTER}{own}", _HOME),
            (self._profile_bucket, own, _HOME),
        ]
        if legacy:
            places.append((self._profile_bucket, f"{own}{self._root_folder}/", ""))
        return self._merged(company_id, places, after, limit)

    def _companies(self, folder: str) -> Sequence[str]:
        with told_as_ours("S3"), self._own_role():
            return [found for name in self._folders(self._bucket, folder) if (found := _company(name)) is not None]

    def _merged(
        self, company_id: str, places: Sequence[tuple[str, str, str]], after: str | None, limit: int
    ) -> Sequence[UserKey]:
        """Users whose folders lie at any of these places (bucket, prefix, beginning of a folder's name)."""
        with told_as_ours("S3"), self._credentials.listing(company_id):
            listings = [self._names(*place, after, limit) for place in places]
            each_once = (name for name, _ in groupby(merge(*listings)))
            found = (user for name in each_once if (user := _named(company_id, name)) is not None)
            return list(islice(found, limit))

    def _names(self, bucket: str, prefix: str, beginning: str, after: str | None, limit: int) -> Iterator[str]:
        """Names of the folders that begin so, without that and with their slash."""
        behind = f"{prefix}{beginning}{after}{_BEHIND_SLASH}" if after else f"{prefix}{beginning}"
        for folder in self._folders(bucket, prefix, behind=behind, page_size=limit + 1):
            if folder.startswith(beginning):
                yield f"{folder.removeprefix(beginning)}/"
            else:  # sorted: no other begins so any more
                return

    def _folders(
        self, bucket: str, prefix: str, *, behind: str | None = None, page_size: int = _MOST_A_PAGE
    ) -> Iterator[str]:
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=bucket,
            Prefix=prefix,
            Delimiter="/",
            StartAfter=behind or prefix,
            PaginationConfig={"PageSize": page_size},
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
    return _named(company_id, name.removeprefix(_HOME)) if name.startswith(_HOME) else None


def _named(company_id: str, name: str) -> UserKey | None:
    try:
        return UserKey.from_path(company_id, name.removesuffix("/"))
    except InvalidId:
        return None
