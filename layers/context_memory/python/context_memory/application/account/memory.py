"""What is remembered of a user, shown to that very user: all of it, and whether it is used."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.account.use import enabled, flags_if_known, reason_against
from context_memory.application.profiles import committed_now, legacy_file
from context_memory.contracts.http import profile_etag
from context_memory.domain.budget import bullets_of
from context_memory.domain.errors import FlagsUnavailable
from context_memory.domain.owner import check_owner

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.application.profiles import LegacyReader
    from context_memory.domain.ids import UserKey
    from context_memory.domain.profile import Bullets
    from context_memory.domain.state import ProfilePointer, UserState
    from context_memory.ports.companies import Switches
    from context_memory.ports.objects import ProfileObjects
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserStates


@dataclass(frozen=True, slots=True)
class Shown:
    """The profile as its owner sees it: whole, whatever cap a space has."""

    memory: str
    bullets: Bullets


@dataclass(frozen=True, slots=True)
class Remembered:
    """What is known: `reason` says why memory is not used, `profile` is None when there is none or it is unchanged."""

    reason: str | None
    state: UserState
    etag: str
    unchanged: bool = False
    pointer: ProfilePointer | None = None
    profile: Shown | None = None

    @property
    def enabled(self) -> bool | None:
        """Whether the memory is used; None while that is unknown."""
        return enabled(self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowMemory:
    """The use case behind `GET /v1/me/memory`. A memory that is not used is shown, too: it is there.

    `outgrown` is told of a profile over its company's cap (application/changing/outgrown.py).
    """

    table: UserStates
    objects: ProfileObjects
    switches: Switches
    telemetry: Telemetry
    legacy: LegacyReader
    outgrown: Callable[[UserKey, UserState, int], None]

    def __call__(self, user: UserKey, known_etags: frozenset[str] = frozenset()) -> Remembered:
        """Show one user's memory.

        Raises:
            Unavailable: a store is out of reach, or the flags are and only they could tell whether a file counts.
            ProfileUnreadable: what is stored is not this user's readable profile, or the committed version is missing.
        """
        remembered = self._show(user, known_etags)
        self.telemetry.count("account_total", outcome="success" if remembered.pointer else "empty")
        return remembered

    def _show(self, user: UserKey, known_etags: frozenset[str]) -> Remembered:
        flags = flags_if_known(self.switches, self.telemetry, user.company_id)
        state = self.table.state(user)
        reason = reason_against(flags, state.settings)
        pointer, body = state.current, None
        if pointer is None and state.may_have_legacy_file:
            if flags is None:  # unknown is not "no"
                raise FlagsUnavailable("Whether older files count is unknown right now.")
            if flags.legacy:
                pointer, body = legacy_file(self.objects, user, self.legacy)
        if (etag := _etag(state, pointer, reason)) in known_etags:
            return Remembered(reason, state, etag, unchanged=True, pointer=pointer)
        if pointer is None:
            return Remembered(reason, state, etag)
        if body is None:
            pointer, body = committed_now(self.table, self.objects, user, pointer, None)
            etag = _etag(state, pointer, reason)
        if flags and state.outgrows(flags.max_tokens):
            self.outgrown(user, state, flags.max_tokens)
        check_owner(body, user.user_id)
        shown = Shown(body[pointer.index.body :].decode(), bullets_of(body, pointer.index))
        return Remembered(reason, state, etag, pointer=pointer, profile=shown)


def _etag(state: UserState, pointer: ProfilePointer | None, reason: str | None) -> str:
    """The version in words that a change can be asked for with, and behind it what else the answer shows."""
    version = (pointer.epoch, pointer.turn_count) if pointer else (state.settings.epoch, 0)
    shown = (pointer and pointer.sha256, reason, sorted(state.settings.pins))
    return profile_etag(version, hashlib.sha256(repr(shown).encode()).hexdigest()[:8])
