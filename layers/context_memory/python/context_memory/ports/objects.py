"""What lies in buckets: versions of profiles, and what was said in turns that wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from context_memory.domain.ids import UserKey


@dataclass(frozen=True, slots=True)
class StoredObject:
    """One version of an object."""

    body: bytes
    version_id: str
    etag: str


@dataclass(frozen=True, slots=True)
class ObjectVersion:
    """One version in a listing (delete markers included, with an empty etag)."""

    version_id: str
    last_modified: datetime


class ProfileObjects(Protocol):
    """The profile bucket: versions of `<company>/home-<user>/<root_folder>/memory.md`."""

    def latest(self, user: UserKey) -> StoredObject | None:
        """The newest version; None when S3 answers 403 or 404, which is never proof of absence."""

    def version(self, user: UserKey, version_id: str) -> StoredObject:
        """One named version.

        Raises:
            ProfileVersionMissing: S3 answers that it does not exist, or 403.
        """

    def put(self, user: UserKey, body: bytes, *, replaces: str | None) -> ObjectVersion:
        """Write a new version on top of the one with the ETag `replaces` (None: on top of nothing).

        Raises:
            PreconditionFailed: another version, or any version, is the newest.
        """

    def latest_etag(self, user: UserKey) -> str | None:
        """ETag of the newest version, None when there is none."""

    def versions(self, user: UserKey) -> Sequence[ObjectVersion]:
        """All versions of the user's profile object, newest first (erase role)."""

    def delete_version(self, user: UserKey, version_id: str) -> None:
        """Remove one version for good (erase role); an absent one is no error."""

    def legacy(self, user: UserKey) -> bytes | None:
        """The file at the legacy place; None only when a listing of exactly its key is empty."""

    def delete_legacy(self, user: UserKey) -> None:
        """Remove every version of the file at the legacy place, for good (erase role); an absent one is no error."""


class TurnPayloads(Protocol):
    """The work bucket's `turns/<company>/home-<user>/<turn_id>-<sha256>.json`, or `kept/…` of turns that are kept."""

    def put(self, user: UserKey, turn_id: str, sha256: str, body: bytes) -> None:
        """Store a payload; storing the same again changes nothing."""

    def get(self, user: UserKey, turn_id: str, sha256: str) -> bytes | None:
        """The payload, or None when S3 answers that it does not exist."""

    def delete(self, user: UserKey, turn_id: str, sha256: str) -> None:
        """Remove a payload; an absent one is no error."""

    def delete_all(self, user: UserKey, named: Iterable[tuple[str, str]]) -> None:
        """Remove payloads by turn id and sha256; absent ones are no error.

        Raises:
            StoreUnavailable: some may be left.
        """

    def stored(self, user: UserKey) -> Sequence[tuple[str, str, datetime]]:
        """Turn id, sha256 and time of every payload of the user (erase role)."""


class Roster(Protocol):
    """An empty object for each user of whom something is kept, by which a company's users are found."""

    def enter(self, user: UserKey) -> None:
        """Keep that there is such a user; doing it again changes nothing."""

    def strike(self, user: UserKey) -> None:
        """Forget that there is such a user (erase role); an absent one is no error."""


class Directory(Protocol):
    """Who there is, told by the names of folders; reads no user's data."""

    def companies_with_turns(self) -> Sequence[str]:
        """Companies that have payloads in the work bucket."""

    def companies_with_kept_turns(self) -> Sequence[str]:
        """Companies that keep texts of turns in the work bucket."""

    def users_with_turns(self, company_id: str) -> Sequence[UserKey]:
        """Users of a company that have payloads in the work bucket."""

    def users_with_kept_turns(self, company_id: str, *, after: str | None, limit: int) -> Sequence[UserKey]:
        """Users of a company of whom texts are kept; `after` and `limit` as for `users`."""

    def users(self, company_id: str, *, after: str | None, limit: int, legacy: bool) -> Sequence[UserKey]:
        """Users of a company: who has a profile, a turn or its text, an entry in the roster, or (`legacy`) an old file.

        Args:
            company_id: whose.
            after: encoded id of the last one that is known; None to begin with the first.
            limit: how many at most (1 to 999); fewer are the last of them.
            legacy: whether the legacy place is looked at.

        Returns:
            Each once, in an order that is always the same, whoever comes and goes meanwhile.
        """
