"""A user's facts beside their other items, and the turns that facts are still to be extracted from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from context_memory.adapters.in_memory.settling import is_on
from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.facts.scopes import SharedScope, readable
from context_memory.domain.state import UserSettings
from context_memory.ports.facts import Facts, FactsHead

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.adapters.in_memory.items import Items
    from context_memory.adapters.in_memory.shared_facts import InMemorySharedFacts
    from context_memory.adapters.in_memory.user_table import InMemoryUserTable
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.ids import UserKey
    from context_memory.domain.turn import Usage
    from context_memory.ports.facts import ExtractionEnd, FactsChange, PendingExtraction


class InMemoryFacts:
    """`FactStore`; the port says what each method promises."""

    def __init__(self, table: InMemoryUserTable, shared: InMemorySharedFacts) -> None:
        self._table = table
        self._shared = shared

    def head(self, user: UserKey, scope: FactScope) -> FactsHead:
        """The head of a scope that the user may read."""
        return self.facts(user, scope).head

    def facts(self, user: UserKey, scope: FactScope) -> Facts:
        """Head and facts of a scope that the user may read."""
        if isinstance(scope := readable(scope, user), SharedScope):
            return self._shared.facts(scope)
        with self._table.opened(user, "facts") as items:
            epoch = (items.settings or UserSettings()).epoch
            present = [fact for fact in items.facts.values() if fact.epoch == epoch]
            return Facts(items.head_of_facts(epoch), tuple(sorted(present, key=lambda fact: fact.id)))

    def named(self, user: UserKey, scope: SharedScope, ids: Iterable[str]) -> Sequence[Fact]:
        """Those facts of a shared scope that still stand."""
        wanted = frozenset(ids)
        return [fact for fact in self.facts(user, scope).facts if fact.id in wanted]

    def first(self, user: UserKey, scope: SharedScope, most: int) -> Sequence[Fact]:
        """At most so many facts of a shared scope."""
        return self.facts(user, scope).facts[:most]

    def change(self, change: FactsChange) -> None:
        """Do all of it in one transaction.

        Raises:
            CommitRefused: names the clauses that failed; nothing has changed.
        """
        with self._table.opened(change.user, "change_facts") as items:
            if failed := _failed_clauses(items, change):
                raise CommitRefused(failed)
            if change.puts or change.drops:
                items.change_facts(change)
            for end in change.ends:
                _end(items, end)
            items.kept |= {turn.open_key: turn for turn in change.keeps}
            for turn in change.lets_go:
                del items.kept[turn.open_key]

    def pending(self, user: UserKey) -> Sequence[PendingExtraction]:
        """Turns whose facts are still to be extracted, the oldest first."""
        with self._table.opened(user, "pending") as items:
            return sorted(items.extractions.values(), key=lambda one: (one.occurred_at, one.open_key))

    def begin(self, user: UserKey, pending: PendingExtraction) -> PendingExtraction | None:
        """Count an attempt."""
        with self._table.opened(user, "begin") as items:
            if (stands := _alive(items, pending)) is None:
                return None
            items.extractions[stands.open_key] = begun = replace(stands, attempts=stands.attempts + 1)
            return begun

    def give_back(self, user: UserKey, pending: PendingExtraction) -> None:
        """Take an attempt back with its calls."""
        with self._table.opened(user, "give_back") as items:
            if stands := _alive(items, pending):
                given_back = replace(stands, attempts=max(pending.attempts - 1, 0), calls=pending.calls)
                items.extractions[stands.open_key] = given_back

    def count_call(self, user: UserKey, pending: Sequence[PendingExtraction], usage: Usage) -> None:
        """Count one answered call on each that is still pending; keep its usage on the turn of the first."""
        with self._table.opened(user, "count_extraction_call") as items:
            known = [stands for one in pending if (stands := _stands(items, one))]
            for place, stands in enumerate(known):
                items.extractions[stands.open_key] = replace(stands, calls=stands.calls + 1)
                if place == 0 and (turn := items.turns.get(stands.turn_id)):
                    items.turns[turn.turn_id] = replace(turn, usage=(*turn.usage, usage))

    def bury(self, user: UserKey, pending: PendingExtraction, reason: str) -> None:
        """Give an extraction up; its turn says so."""
        with self._table.opened(user, "bury_extraction") as items:
            if (stands := _alive(items, pending)) and (turn := items.turns.get(pending.turn_id)):
                items.extractions[pending.open_key] = replace(stands, dead=True, reason=reason)
                items.turns[turn.turn_id] = replace(turn, facts_outcome=FactsOutcome.DEAD)

    def silence(self, user: UserKey, pending: PendingExtraction) -> None:
        """Let nothing be learned from a turn any more, but for what it asks to forget."""
        with self._table.opened(user, "silence_extraction") as items:
            if (stands := _stands(items, pending)) and (turn := items.turns.get(pending.turn_id)):
                items.extractions[stands.open_key] = replace(stands, teaches=False)
                items.turns[turn.turn_id] = replace(turn, teaches=False)

    def revive(self, user: UserKey, turn_id: str) -> PendingExtraction | None:
        """Give a dead extraction another life."""
        with self._table.opened(user, "revive") as items:
            turn = items.turns.get(turn_id)
            stands = items.extractions.get(turn.open_key) if turn else None
            if turn is None or stands is None or not stands.dead:
                return None
            items.turns[turn_id] = replace(turn, facts_outcome=None)
            revived = replace(stands, dead=False, reason=None, attempts=0, calls=0, ring=stands.ring + 1)
            items.extractions[turn.open_key] = revived
            return revived

    def cite(self, user: UserKey, ids: Iterable[str]) -> None:
        """Count one use of each of the user's facts."""
        with self._table.opened(user, "cite") as items:
            for one in set(ids):
                if fact := items.facts.get(one):
                    items.facts[one] = replace(fact, uses=fact.uses + 1)


def _failed_clauses(items: Items, change: FactsChange) -> frozenset[str]:
    untouched = not change.puts and not change.drops
    holds = {
        "facts": untouched or items.head_of_facts(change.epoch) == change.base,
        "settings": not change.check_settings or is_on(items, change.epoch, change.rules),
        "turn": all(_may_end(items, end.pending) for end in change.ends),
        "closed": not _closed(items, change),
        "kept": all(items.kept.get(turn.open_key) == turn for turn in change.lets_go),
    }
    return frozenset(name for name, held in holds.items() if not held)


def _closed(items: Items, change: FactsChange) -> bool:
    said = [turn.said_at for turn in (*change.keeps, *change.lets_go)]
    return bool(said and items.closed and items.closed[0] == change.epoch and items.closed[1] >= min(said))


def _may_end(items: Items, pending: PendingExtraction) -> bool:
    turn = items.turns.get(pending.turn_id)
    if turn is None or turn.epoch != pending.epoch or (pending.teaches and not turn.teaches):
        return False
    return turn.facts_outcome in {None, FactsOutcome.DEAD}


def _end(items: Items, end: ExtractionEnd) -> None:
    items.extractions.pop(end.pending.open_key, None)
    turn = items.turns[end.pending.turn_id]
    items.turns[turn.turn_id] = replace(turn, facts_outcome=end.outcome, facts=end.counts)


def _stands(items: Items, pending: PendingExtraction) -> PendingExtraction | None:
    stands = items.extractions.get(pending.open_key)
    return stands if stands and stands.epoch == pending.epoch else None


def _alive(items: Items, pending: PendingExtraction) -> PendingExtraction | None:
    stands = _stands(items, pending)
    return stands if stands and not stands.dead else None
