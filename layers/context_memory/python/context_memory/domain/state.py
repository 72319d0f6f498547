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

    @property
    def denied(self) -> tuple[str, ...]:
        """What is never to be remembered, phrases and kinds, in an order of its own."""
        return (*sorted(self.deny_phrases), *sorted(self.deny_kinds))


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """`A#OPEN#<ulid>`: a turn that waits, a dead one that was given up (`dead`), or one that has ended.

    `untold` says that news of its end, or of its being given up, have to go out. A turn that has ended stands here only
    as long as that is so.
    """

    key: str
    turn_id: str
    accepted_at: datetime
    occurred_at: datetime
    dead: bool = False
    supersedes_turn_id: str | None = None
    untold: bool = False

    @property
    def unfinished(self) -> bool:
        """Whether it waits or may be given another life."""
        return self.dead or not self.untold

    @property
    def waits(self) -> bool:
        """Whether it is to be worked off."""
        return self.unfinished and not self.dead


@dataclass(frozen=True, slots=True)
class OpenChange:
    """`A#CHANGE#<epoch>#<n>`: a stored change that rests on no turn, until news of it are out."""

    epoch: int
    turn_count: int


@dataclass(frozen=True, slots=True)
class UserState:
    """All of one user's `A#` items, read consistently."""

    profile: ProfilePointer | None = None
    settings: UserSettings = UserSettings()
    consolidated_through: datetime | None = None
    last_time_zone: str | None = None
    open_turns: tuple[OpenTurn, ...] = ()
    open_changes: tuple[OpenChange, ...] = ()

    @property
    def current(self) -> ProfilePointer | None:
        """The pointer, unless it belongs to an epoch that an erase has ended."""
        return self.profile if self.profile and self.profile.epoch == self.settings.epoch else None

    def outgrows(self, cap: int) -> bool:
        """Whether what stands is larger than `cap` tokens."""
        return self.current is not None and self.current.tokens > cap

    @property
    def unknown(self) -> bool:
        """Whether nothing but settings is kept of the user, as of a new one, and of one who was erased."""
        return self.profile is None and self.consolidated_through is None and not self.open_turns

    @property
    def waiting(self) -> tuple[OpenTurn, ...]:
        """Turns to be worked off, oldest first: by the time they happened, then by acceptance."""
        return tuple(sorted((t for t in self.open_turns if t.waits), key=lambda t: (t.occurred_at, t.key)))

    @property
    def failed(self) -> int:
        """Turns given up on."""
        return sum(turn.dead for turn in self.open_turns)

    @property
    def unfinished(self) -> tuple[OpenTurn, ...]:
        """Turns that wait and turns given up on, without those that only news is still to be told of."""
        return tuple(turn for turn in self.open_turns if turn.unfinished)

    @property
    def untold(self) -> tuple[OpenTurn, ...]:
        """Turns that news is still to be told of, oldest first."""
        return tuple(turn for turn in self.open_turns if turn.untold)

    @property
    def may_have_legacy_file(self) -> bool:
        """Legacy files are looked at only for users who were never committed nor erased."""
        return self.profile is None and self.settings.epoch == 0
