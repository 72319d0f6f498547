"""One person on several channels: which user a channel's user is.

A provider is `channel:user`. No id's spelling holds a literal `:`, so that a path segment with one is a provider, and a
user id with a `:` in it (`=3A`) is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.domain.errors import InvalidId, InvalidInput
from context_memory.domain.ids import decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

MARK = ":"
"""Between channel and user."""
_FIELD = "provider"
_MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True, order=True)
class Provider:
    """A user as a channel knows them: the channel without regard to case, the user as written; both trimmed."""

    channel: str
    user_id: str

    def __post_init__(self) -> None:
        """Bring both into their one form; refuse what has no spelling."""
        object.__setattr__(self, "channel", self.channel.strip().casefold())
        object.__setattr__(self, "user_id", self.user_id.strip())
        if MARK in self.channel:
            raise InvalidId(_FIELD, "must have a channel without ':'")
        encode(self.channel, _FIELD)
        encode(self.user_id, _FIELD)

    @classmethod
    def read(cls, text: str) -> Provider:
        """Read `channel:user` as a person writes it; what follows the first `:` is the user.

        Raises:
            InvalidId: there is no `:`, or nothing on one side of it, or a part is too long.
        """
        channel, mark, user_id = text.partition(MARK)
        if not mark:
            raise InvalidId(_FIELD, "must be a channel and its user with ':' between them")
        return cls(channel, user_id)

    @classmethod
    def from_segment(cls, segment: str) -> Provider:
        """Read a path segment or a sort key: two encoded ids with a literal `:` between them.

        Raises:
            InvalidId: it is no such segment.
        """
        channel, mark, user_id = segment.partition(MARK)
        if not mark:
            raise InvalidId(_FIELD, "must be an encoded channel and an encoded user with ':' between them")
        return cls(decode(channel, _FIELD), decode(user_id, _FIELD))

    @property
    def spelled(self) -> str:
        """As it stands in paths and keys."""
        return f"{encode(self.channel, _FIELD)}{MARK}{encode(self.user_id, _FIELD)}"

    def __str__(self) -> str:
        return f"{self.channel}{MARK}{self.user_id}"


class Origin(StrEnum):
    """Who made a link. The declared list outranks a sign-in."""

    ADMINISTRATOR = "administrator"
    DECLARED = "declared"
    SIGN_IN = "sign_in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A provider belongs to one user of the company.

    Attributes:
        version: counts the writes of this link; none comes again when it is removed and made anew.
    """

    provider: Provider
    user_id: str
    origin: Origin
    linked_at: datetime
    version: int

    def __post_init__(self) -> None:
        """Refuse a user who could have no key."""
        encode(self.user_id, "user_id")


def following(before: Link | None, provider: Provider, user_id: str, origin: Origin, at: datetime) -> Link:
    """The link that takes the place of `before`."""
    version = max(int(at.timestamp() * _MICROSECONDS), before.version + 1 if before else 0)
    return Link(provider=provider, user_id=user_id, origin=origin, linked_at=at, version=version)


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a company has declared beside the links themselves.

    Attributes:
        privileged: users to whom nobody is linked without a second thought.
        version: counts the declared lists; 0 where there never was one.
    """

    privileged: frozenset[str] = frozenset()
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkChange:
    """A link that is made, changed (`after`) or removed (`after` None), if it still is as it was read (`before`)."""

    provider: Provider
    before: Link | None
    after: Link | None

    @property
    def left(self) -> str | None:
        """The user whom the provider leaves; None when it leaves nobody."""
        if self.before is None or (self.after and self.after.user_id == self.before.user_id):
            return None
        return self.before.user_id


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkWish:
    """To whom a provider shall belong.

    Attributes:
        by: who wishes it: an administrator, or a sign-in of the person.
        merge: past facts shall move along.
        merge_from: all facts of this user shall; None: those of whom the provider leaves, learned through it.
        confirmed: whoever asks knows if the user is privileged.
    """

    user_id: str
    by: Origin = Origin.ADMINISTRATOR
    merge: bool = False
    merge_from: str | None = None
    confirmed: bool = False

    def __post_init__(self) -> None:
        """Refuse what contradicts itself."""
        if self.merge_from is not None and not self.merge:
            raise InvalidInput("merge_from", "needs merge")
        if self.merge_from == self.user_id:
            raise InvalidInput("merge_from", "must be another user than user_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredList:
    """All links that a company declares at once.

    Attributes:
        links: users by provider.
        twice: providers that were named more than once, in the order in which that was met.
        privileged: users to whom nobody is linked without a second thought.
        confirmed: whoever declares knows if one of the users is privileged.
    """

    links: Mapping[Provider, str]
    twice: tuple[Provider, ...] = ()
    privileged: frozenset[str] = frozenset()
    confirmed: bool = False

    @classmethod
    def of(
        cls, entries: Iterable[tuple[Provider, str]], *, privileged: frozenset[str], confirmed: bool
    ) -> DeclaredList:
        """Read the entries in their order: a provider that is named again goes to the later user."""
        links, twice = dict[Provider, str](), dict[Provider, None]()
        for provider, user_id in entries:
            if provider in links:
                twice[provider] = None
            links[provider] = user_id
        return cls(links=links, twice=tuple(twice), privileged=privileged, confirmed=confirmed)

    def change(self, provider: Provider, before: Link | None, at: datetime) -> LinkChange | None:
        """What becomes of a provider's link, None where nothing does.

        What is declared replaces whatever stands; what was declared and no longer is goes; other links stay.
        """
        user_id = self.links.get(provider)
        if user_id is None:
            gone = before is not None and before.origin is Origin.DECLARED
            return LinkChange(provider=provider, before=before, after=None) if gone else None
        if before and (before.user_id, before.origin) == (user_id, Origin.DECLARED):
            return None
        after = following(before, provider, user_id, Origin.DECLARED, at)
        return LinkChange(provider=provider, before=before, after=after)
