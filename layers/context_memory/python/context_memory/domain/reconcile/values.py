"""What goes into reconciling and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from context_memory.domain.profile import Bullets


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a turn gives the model reason to write.

    Attributes:
        text: the evidence and the question it adopted.
        occurred_at: aware time of the turn; of several, the newest.
        time_zone: IANA name, None when unknown.
        forget: whether the user asked to forget something.
        late: whether the turn is older than the profile's last one: it may only add and forget.
    """

    text: str
    occurred_at: datetime
    time_zone: str | None = None
    forget: bool = False
    late: bool = False


def _never(_bullet: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Rules:
    """What the user and the service have laid down.

    Attributes:
        pinned: `profile.pin_of` of every pinned bullet.
        deny_phrases: words that no new bullet may hold.
        forgotten: whether a bullet's text was forgotten later than the turn happened.
        own_sentences: sentences and canaries of the prompts, folded.
    """

    pinned: frozenset[str] = frozenset()
    deny_phrases: tuple[str, ...] = ()
    forgotten: Callable[[str], bool] = _never
    own_sentences: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What stands, and what had to be done for it.

    Attributes:
        bullets: the body to go on with.
        restored: old bullets put back, lost or changed without grounds.
        dropped: bullets of the model that do not stand.
        pinned_conflict: the turn contradicts or forgets a pinned bullet, which was left alone.
        wiped: the model emptied a filled profile and nobody had asked for it; `bullets` is the base.
        ask_again: one sentence for the model when too much is missing, None otherwise.
        forgotten: texts of the bullets that went because the user asked.
        partial: only additions were taken over.
    """

    bullets: Bullets
    restored: int = 0
    dropped: int = 0
    pinned_conflict: bool = False
    wiped: bool = False
    ask_again: str | None = None
    forgotten: tuple[str, ...] = ()
    partial: bool = False
