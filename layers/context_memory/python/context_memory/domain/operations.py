"""What a stored change did, bullet by bullet: computed by code, kept with the revision.

Bullets are told apart by their text, white space folded; a section holds each text once.
A move between sections is a removal and an addition.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.domain.pairing import Fact, pair
from context_memory.domain.profile import Bullets, Section, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class OperationKind(StrEnum):
    """The three things that can happen to a bullet."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Operation:
    """One bullet's change; `before` is None when added, `after` is None when removed.

    `turn_id` is the turn it rests on, where several turns made one change together.
    """

    kind: OperationKind
    section: Section
    before: str | None
    after: str | None
    turn_id: str | None = None

    @property
    def inverse(self) -> Operation:
        """The operation that takes this one back."""
        return Operation(_INVERSE[self.kind], self.section, self.after, self.before, self.turn_id)


_INVERSE = {
    OperationKind.ADDED: OperationKind.REMOVED,
    OperationKind.CHANGED: OperationKind.CHANGED,
    OperationKind.REMOVED: OperationKind.ADDED,
}


def diff(before: Bullets, after: Bullets) -> tuple[Operation, ...]:
    """What leads from one body to the other, in the order of the file: changes and removals, then additions."""
    return tuple(operation for section in Section for operation in _diff_section(section, before, after))


def apply(before: Bullets, operations: Iterable[Operation]) -> Bullets:
    """Carry out operations where they still fit.

    A bullet that no longer stands is neither changed nor removed, one that stands already is not added again; so doing
    it twice does it once. `apply(a, diff(a, b))` is the same as `b`.
    """
    body = {section: list(texts) for section, texts in before.sections()}
    for operation in operations:
        _carry_out(operation, body[operation.section])
    return Bullets.of(body)


def withdraw(bullets: Bullets, operations: Sequence[Operation]) -> Bullets:
    """Take operations back where what they made still stands; `withdraw(b, diff(a, b))` is the same as `a`."""
    return apply(bullets, [operation.inverse for operation in reversed(operations)])


def _diff_section(section: Section, before: Bullets, after: Bullets) -> list[Operation]:
    old = _rest(section, before, after)
    new = _rest(section, after, before)
    partner = pair(old, new).partner
    operations: list[Operation] = []
    changed: set[Fact] = set()
    for fact in old:
        successor = partner.get(fact)
        if successor is None or successor in changed:
            operations.append(Operation(OperationKind.REMOVED, section, fact.text, None))
        else:
            changed.add(successor)
            operations.append(Operation(OperationKind.CHANGED, section, fact.text, successor.text))
    operations += (Operation(OperationKind.ADDED, section, None, fact.text) for fact in new if fact not in changed)
    return operations


def _rest(section: Section, bullets: Bullets, other: Bullets) -> list[Fact]:
    """The bullets of a section that the other body does not hold there."""
    there = {fold(text) for text in other[section]}
    own = {fold(text): text for text in reversed(bullets[section])}
    return [Fact.of(section, at, text) for at, (key, text) in enumerate(reversed(own.items())) if key not in there]


def _carry_out(operation: Operation, texts: list[str]) -> None:
    places = {fold(text): at for at, text in reversed(list(enumerate(texts)))}
    at = places.get(fold(operation.before)) if operation.before is not None else None
    stands = operation.after is not None and fold(operation.after) in places
    if at is None:
        if operation.kind is OperationKind.ADDED and operation.after is not None and not stands:
            texts.append(operation.after)
    elif operation.after is None or stands:
        del texts[at]
    else:
        texts[at] = operation.after
