"""The profile beside recall: what a prompt holds already, and the facts of spaces that want nothing but the profile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.application.profiles import committed_now
from context_memory.domain.budget import view
from context_memory.domain.encodings import encoding_for
from context_memory.domain.facts.fact import Fact, Tier, fact_id, normalised
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.owner import check_owner
from context_memory.domain.rendering import bullet_of

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from datetime import date

    from context_memory.domain.budget import BudgetIndex
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import ProfilePointer, UserState
    from context_memory.ports.objects import ProfileObjects, StoredObject
    from context_memory.ports.users import UserStates

MOST_KEPT = 500
"""Profiles of which one process keeps what it has read."""

type Reading = Future[StoredObject | None] | None


@dataclass(frozen=True, slots=True)
class Noted:
    """What recall needs of a profile that a load of the same space shows.

    Attributes:
        shown: normalised texts of the bullets that it shows.
        facts: all bullets as facts, also those that it has no room for.
        version: of the profile, within its epoch.
    """

    shown: frozenset[str] = frozenset()
    facts: tuple[Fact, ...] = ()
    version: int = 0


class ProfileBullets:
    """Reads the profile that counts. Warm that costs no request: the pointer says whether what is kept still stands.

    Args:
        table: reads a pointer again whose version was replaced meanwhile.
        objects: profiles.
    """

    def __init__(self, table: UserStates, objects: ProfileObjects) -> None:
        self._table = table
        self._objects = objects
        self._kept: dict[UserKey, tuple[object, Noted]] = {}
        self._lock = Lock()

    def ahead(self, user: UserKey, executor: Executor) -> Reading:
        """Begin to read the profile beside the rest, unless something is kept of it that may still stand."""
        return None if user in self._kept else executor.submit(self._objects.latest, user)

    def noted(self, user: UserKey, state: UserState, cap: int, reading: Reading) -> Noted:
        """What a load with this cap shows; nothing where nothing was committed yet.

        Raises:
            Unavailable, ProfileUnreadable: as a load does.
        """
        pointer, pins = state.current, state.settings.pins
        named = pointer and (pointer.sha256, cap, pins)
        known = self._kept.get(user)
        if known and known[0] == named:
            return known[1]
        if pointer is None:
            return self._keep(user, None, Noted())
        latest = reading.result() if reading else None
        pointer, body = committed_now(self._table, self._objects, user, pointer, latest)
        check_owner(body, user.user_id)
        facts = tuple(_facts(user, body, pointer.index))
        noted = Noted(_shown(body, pointer, cap, pins), facts, pointer.turn_count)
        return self._keep(user, (pointer.sha256, cap, pins), noted)

    def _keep(self, user: UserKey, named: object, noted: Noted) -> Noted:
        with self._lock:
            self._kept.pop(user, None)
            self._kept[user] = named, noted
            if len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return noted


def _shown(body: bytes, pointer: ProfilePointer, cap: int, pins: frozenset[str]) -> frozenset[str]:
    shown = view(body, pointer.index, cap=cap, encoding=encoding_for(None), pins=pins)
    return frozenset(normalised(bullet) for _, bullet in shown.bullets.items())


def _facts(user: UserKey, body: bytes, index: BudgetIndex) -> list[Fact]:
    sizes = index.sizes_in(encoding_for(None)).bullets
    texts = (bullet_of(body[entry.start : entry.end].decode()) for entry in index.entries)
    scope = UserScope(user)
    return [
        Fact(
            id=fact_id(scope, text),
            tier=Tier.CONTEXTUAL,
            text=text,
            tokens=tokens,
            created_at=_midnight(entry.written),
            last_confirmed_at=_midnight(entry.written),
        )
        for entry, text, tokens in zip(index.entries, texts, sizes, strict=True)
    ]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
