"""All that is held about one user, in one document: for that user, and for whoever answers an access request.

What waits to be learned from, by the profile or for facts, is in it too, for it is what the user said. A document has a
size that one answer can carry: where there is more, the oldest entries of the longest lists are left out and counted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from context_memory.application.account.answers import kept_turn_body, recent_turn_body, revision_body, settings_body
from context_memory.application.fact_bodies import fact_body
from context_memory.application.history import newest_first
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.kept_turns import Keep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from context_memory.application.account.memory import ShowMemory
    from context_memory.application.account.settings import ShowSettings
    from context_memory.domain.company_settings import StoredSettings
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.facts import FactReads
    from context_memory.ports.keeping import KeptTurns
    from context_memory.ports.objects import ProfileObjects, TurnPayloads
    from context_memory.ports.system import Clock
    from context_memory.ports.users import UserTable

EXPORT_FORMAT, EXPORT_VERSION = "context-memory/export", 1
MOST_BYTES = 4_000_000
"""Of all lists together; a function's answer may have 6 MB, and whoever passes it on needs some of them."""


class _Room:
    """What is left of the document's size."""

    def __init__(self, most_bytes: int) -> None:
        self._left = most_bytes

    def take(self, entries: Iterable[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
        """The first entries that there is room for, and how many are left out."""
        taken: list[dict[str, Any]] = []
        left_out = 0
        for entry in entries:
            size = len(json.dumps(entry, ensure_ascii=False).encode())
            if left_out or size > self._left:
                left_out += 1
            else:
                self._left -= size
                taken.append(entry)
        return taken, left_out


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """The use case behind `GET /v1/me/export` and an administrator's `GET …/users/{user_id}/export`."""

    show_memory: ShowMemory
    show_settings: ShowSettings
    table: UserTable
    objects: ProfileObjects
    payloads: TurnPayloads
    facts: FactReads
    kept_turns: KeptTurns
    company: Callable[[str], StoredSettings]
    clock: Clock
    most_bytes: int = MOST_BYTES

    def __call__(self, user: UserKey) -> dict[str, Any]:
        """The document.

        Raises:
            Unavailable: a store is out of reach: no export rather than half of one.
            ProfileUnreadable: the stored profile is not this user's readable one.
        """
        remembered = self.show_memory(user)
        own = self.show_settings(user)
        settings = own.settings
        turns = [record for record in self.table.turns(user) if record.epoch == settings.epoch]
        room = _Room(self.most_bytes)
        facts, older_facts = room.take(map(fact_body, self._facts(user)))
        revisions, older_revisions = room.take(map(revision_body, newest_first(self.table, user, settings.epoch)))
        waiting, untold = room.take(self._waiting(user, turns))
        told, older_turns = room.take(map(recent_turn_body, turns))
        kept, older_kept = room.take(self._kept(user, settings.epoch))
        return {
            "format": EXPORT_FORMAT,
            "version": EXPORT_VERSION,
            "exported_at": self.clock.now().isoformat(timespec="seconds"),
            "company_id": user.company_id,
            "user_id": user.user_id,
            "memory": remembered.profile.memory if remembered.profile else "",
            "legacy_file": self._legacy_file(user),
            "time_zone": remembered.state.last_time_zone,
            "revisions": revisions,
            "settings": settings_body(own),
            "turns": told,
            "waiting": waiting,
            "forgotten": [
                {"said_at": one.said_at.isoformat(timespec="seconds"), "hash": name}
                for name, one in sorted(self.table.forgotten(user).items())
            ],
            "facts": facts,
            "kept_turns": kept,
            "left_out": {
                "facts": older_facts,
                "revisions": older_revisions,
                "turns": older_turns,
                "waiting": untold,
                "kept_turns": older_kept,
            },
        }

    def _facts(self, user: UserKey) -> Iterable[Fact]:
        """The user's own facts, those that were stated last first."""
        found = self.facts.facts(user, UserScope(user)).facts
        return sorted(found, key=lambda fact: (fact.last_confirmed_at, fact.id), reverse=True)

    def _legacy_file(self, user: UserKey) -> str | None:
        """The file that an earlier system left, whether it is used or not."""
        body = self.objects.legacy(user)
        return None if body is None else body.decode(errors="replace")

    def _kept(self, user: UserKey, epoch: int) -> Iterator[dict[str, Any]]:
        """The turns whose text is kept, the newest first, and when it goes at the latest as things are set now."""
        keep = Keep(days=self.company(user.company_id).settings.keep_turns_days, now=self.clock.now())
        for turn in reversed(self.kept_turns.kept(user)):
            if turn.epoch == epoch:
                yield kept_turn_body(turn, keep.gone_by(turn))

    def _waiting(self, user: UserKey, turns: Iterable[TurnRecord]) -> Iterator[dict[str, Any]]:
        """What was said in turns that somebody has still to learn from, as it was handed over."""
        for record in turns:
            body = None if record.final else self.payloads.get(user, record.turn_id, record.payload_sha256)
            if body is not None:
                yield json.loads(body)
