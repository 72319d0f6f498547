"""What the user table says about one user: the items under `A#`, read in one query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.budget import BudgetIndex

OPEN_TURNS_LIMIT = 200


@dataclass(frozen=True, slots=True)
class ProfilePointer:
    """`A#PROFILE`: the only truth about which version of the profile counts."""

    epoch: int
    turn_count: int
    version_id: str
    sha256: str
    tokens: int
    index: BudgetIndex
    policy_version: str
    last_updated: datetime


@dataclass(frozen=True, slots=True)
class UserSettings:
    """`A#SETTINGS`; absent means epoch 0, memory on, no rules. It alone survives an erase.

    `rules` counts changes of pins and deny rules: what was made under others must not be stored.
    """

    epoch: int = 0
    context_memory: bool = True
    erased_at: datetime | None = None
    erase_running: bool = False
    pins: frozenset[str] = frozenset()
    deny_phrases: tuple[str, ...] = ()
    deny_kinds: frozenset[str] = frozenset()
    rules: int = 0


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """`A#OPEN#<ulid>`: a turn that waits, or a dead one that was given up (`dead`)."""

    key: str
    turn_id: str
    accepted_at: datetime
    occurred_at: datetime
    dead: bool = False
    supersedes_turn_id: str | None = None


@dataclass(frozen=True, slots=True)
class UserState:
    """All of one user's `A#` items, read consistently."""

    profile: ProfilePointer | None = None
    settings: UserSettings = UserSettings()
    consolidated_through: datetime | None = None
    last_time_zone: str | None = None
    open_turns: tuple[OpenTurn, ...] = ()

    @property
    def current(self) -> ProfilePointer | None:
        """The pointer, unless it belongs to an epoch that an erase has ended."""
        return self.profile if self.profile and self.profile.epoch == self.settings.epoch else None

    @property
    def waiting(self) -> tuple[OpenTurn, ...]:
        """Turns to be worked off, oldest first: by the time they happened, then by acceptance."""
        return tuple(sorted((t for t in self.open_turns if not t.dead), key=lambda t: (t.occurred_at, t.key)))

    @property
    def failed(self) -> int:
        """Turns given up on."""
        return sum(turn.dead for turn in self.open_turns)

    @property
    def may_have_legacy_file(self) -> bool:
        """Legacy files are looked at only for users who were never committed nor erased."""
        return self.profile is None and self.settings.epoch == 0
