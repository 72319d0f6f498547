"""The profile that a chain starts from, and what the commit must find unchanged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.profiles import committed
from context_memory.domain.errors import ProfileVersionMissing, SchemaNewer, StoreUnavailable
from context_memory.domain.profile import SCHEMA_VERSION, Profile
from context_memory.domain.reading import read_committed, read_legacy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from context_memory.domain.ids import UserKey
    from context_memory.domain.profile import Section
    from context_memory.domain.state import ProfilePointer, UserState
    from context_memory.ports.objects import ProfileObjects


@dataclass(frozen=True, slots=True)
class Base:
    """`pointer` and `etag` are None where nothing was committed; `written` is the day each bullet was last written.

    `covered` says that a version which nobody committed lies on top; `legacy` that the profile is a file at the legacy
    place, which the next stored change moves to its own.
    """

    profile: Profile
    pointer: ProfilePointer | None
    etag: str | None
    written: Mapping[tuple[Section, str], date]
    scrub_whole: bool
    covered: bool = False
    legacy: bool = False


def read_base(objects: ProfileObjects, user: UserKey, state: UserState, policy_version: str, *, legacy: bool) -> Base:
    """Read the profile that counts now; `legacy` says whether the company's files at the legacy place count.

    Raises:
        ProfileUnreadable, SchemaNewer: nothing may be written over it.
        StoreUnavailable: also when the committed version is missing: S3 says 403 and 404 for too many reasons.
    """
    pointer = state.current
    if pointer is None:
        return _uncommitted(objects, user, legacy=legacy and state.may_have_legacy_file)
    latest = objects.latest(user)
    try:
        found = committed(objects, user, pointer, latest)
    except ProfileVersionMissing as error:
        raise StoreUnavailable("The committed version of the profile is out of reach.") from error
    profile = _writable(read_committed(found.body, owner=user.user_id))
    return Base(
        profile=replace(profile, user_id=user.user_id, turn_count=pointer.turn_count),
        pointer=pointer,
        etag=found.etag,
        written=pointer.index.written_on(found.body.decode()),
        scrub_whole=pointer.policy_version != policy_version,
        covered=latest is not None and latest.version_id != pointer.version_id,
    )


def _uncommitted(objects: ProfileObjects, user: UserKey, *, legacy: bool) -> Base:
    body = objects.legacy(user) if legacy else None
    found = read_legacy(body, owner=user.user_id) if body is not None else None
    profile = _writable(found or Profile(user.user_id))
    return Base(
        replace(profile, user_id=user.user_id), None, None, {}, scrub_whole=found is not None, legacy=found is not None
    )


def _writable(profile: Profile) -> Profile:
    if profile.schema_version > SCHEMA_VERSION:
        raise SchemaNewer("The stored profile was written by a newer release.")
    return profile
