"""The user's own rules: bullets that nobody else may change, and what is never to be remembered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.budget import counting
from context_memory.domain.errors import (
    CommitRefused,
    Contended,
    EraseRunning,
    InvalidInput,
    MemorySwitchedOff,
)
from context_memory.domain.profile import pin_of
from context_memory.ports.users import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.application.changing.change import Change
    from context_memory.application.changing.denying import TakeOutDenied
    from context_memory.application.changing.following import Following
    from context_memory.application.changing.wanted import Standing
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import UserSettings
    from context_memory.domain.tokens import Tokenizer
    from context_memory.ports.objects import Roster
    from context_memory.ports.users import UserTable

_TRIES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """The use case behind `PUT /v1/me/pins`. `tokenizer` is the one that the cap is counted with."""

    change: Change
    table: UserTable
    tokenizer: Callable[[], Tokenizer]

    def __call__(self, user: UserKey, pins: Sequence[str]) -> frozenset[str]:
        """Pin these bullets and no others.

        Raises:
            InvalidInput: one is no bullet's id, or together they take more than half the cap.
            MemorySwitchedOff, EraseRunning, Contended, Unavailable.
        """
        wanted = frozenset(pins)

        def rules(settings: UserSettings) -> Rules:
            self._check(pins, self.change.look(user))
            return replace(_rules(settings), pins=wanted)

        _write(self.table, user, rules)
        return wanted

    def _check(self, pins: Sequence[str], standing: Standing) -> None:
        texts = {pin_of(section, text): text for section, text in standing.bullets.items()}
        for position, pin in enumerate(pins):
            if pin not in texts:
                raise InvalidInput(f"pins.{position}", "must be the id of a bullet that stands")
        tokenizer, most = self.tokenizer(), standing.company.max_tokens // 2
        if sum(counting.bullet(tokenizer, texts[pin]) for pin in frozenset(pins)) > most:
            raise InvalidInput("pins", f"must take at most {most} tokens together, half of what a profile may have")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deny:
    """The use case behind `PUT /v1/me/deny-rules`."""

    change: Change
    take_out: TakeOutDenied
    table: UserTable
    following: Following
    roster: Roster

    def __call__(self, user: UserKey, phrases: tuple[str, ...], kinds: frozenset[str]) -> int:
        """Let these be the rules, and take out what they forbid, pinned bullets too: the newest wish counts.

        The rules count before anything is taken out, so that no turn in flight can bring it back; what is noted before
        them (the same once more, and a scrub that knows kinds as well) comes whenever this process dies.

        Returns:
            How many bullets and facts held a phrase and went.

        Raises:
            MemorySwitchedOff, EraseRunning, Contended, Unavailable, ProfileUnreadable, SchemaNewer.
        """
        standing = self.change.look(user)
        if standing.state.unknown:  # else one of whom only rules are kept would be found nowhere
            self.roster.enter(user)
        if phrases or kinds:
            self.following.note(user, standing, turn_count=standing.version[1])
        _write(self.table, user, lambda settings: replace(_rules(settings), deny_phrases=phrases, deny_kinds=kinds))

        return self.take_out(user)


def _write(table: UserTable, user: UserKey, rules: Callable[[UserSettings], Rules]) -> None:
    """Write the rules that `rules` makes of the settings, again where others changed them first."""
    for _ in range(_TRIES):
        settings = table.state(user).settings
        if settings.erase_running:
            raise EraseRunning("The user's memory is being erased.")
        if not settings.context_memory:
            raise MemorySwitchedOff("The user has switched memory off.")
        try:
            table.change_rules(user, settings, rules(settings))
        except CommitRefused:
            continue
        return
    raise Contended("Others keep changing the user's rules.")


def _rules(settings: UserSettings) -> Rules:
    return Rules(pins=settings.pins, deny_phrases=settings.deny_phrases, deny_kinds=settings.deny_kinds)
