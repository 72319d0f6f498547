"""The user's own rules in `A#SETTINGS`: pins, and what is never to be remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.adapters.dynamodb.settlement import switched_on
from context_memory.domain.errors import CommitRefused

if TYPE_CHECKING:
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import UserSettings
    from context_memory.ports.users import Rules


def change_rules(writes: Writes, user: UserKey, settings: UserSettings, rules: Rules) -> None:
    """Write all rules over `settings` as they were read, and count the change.

    Raises:
        CommitRefused: clause `settings`: others changed the rules first, or memory was erased or switched off.
    """
    stands = switched_on(settings.epoch, settings.rules)
    changed = Expression(
        condition=stands.condition,
        # Epoch and switch are never left out: the commit's condition compares them.
        change=(
            "SET #epoch = :epoch, #context_memory = :on, #pins = :pins,"
            " #deny_phrases = :deny_phrases, #deny_kinds = :deny_kinds, #rules = :next"
        ),
        values={
            **stands.values,
            "pins": [*sorted(rules.pins)],
            "deny_phrases": [*rules.deny_phrases],
            "deny_kinds": [*sorted(rules.deny_kinds)],
            "next": settings.rules + 1,
        },
    )
    if writes.update(user, keys.SETTINGS, changed) is None and not _was_ours(writes, user, settings, rules):
        raise CommitRefused(frozenset({"settings"}))


def _was_ours(writes: Writes, user: UserKey, settings: UserSettings, rules: Rules) -> bool:
    """Whether the rules already stand as wanted: the client tries again by itself when an answer is lost."""
    item = writes.table.item(user, keys.SETTINGS) or {}
    return (
        item.get("epoch") == settings.epoch
        and item.get("rules") == settings.rules + 1
        and frozenset(item.get("pins", ())) == rules.pins
        and tuple(item.get("deny_phrases", ())) == rules.deny_phrases
        and frozenset(item.get("deny_kinds", ())) == rules.deny_kinds
    )
