"""What a rule makes of a statement: a bullet to write, or bullets to take out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re


@dataclass(frozen=True, slots=True)
class Slot:
    """Something of which a user has one at a time.

    `pattern` finds its `value` in a bullet of any language; a group `rest` catches what else the bullet says before it.
    """

    name: str
    heading: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Held:
    """The value that a fact puts into a slot; `alone` is the bullet that says only this."""

    slot: Slot
    value: str
    alone: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A bullet to write. Newer facts replace what is in their slots, or what has the same `about` and family."""

    heading: str
    text: str
    held: tuple[Held, ...] = ()
    family: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Bullets to take out: those about these words; under `headings` only, where some are named."""

    words: frozenset[str]
    headings: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Forgetting:
    """The user asks that something be forgotten; `everything` needs no words."""

    words: frozenset[str] = field(default_factory=frozenset)
    everything: bool = False


type Change = Fact | Withdrawal | Forgetting
