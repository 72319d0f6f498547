"""The result: the base's order, changes in place, what moved or is new at its section's end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.profile import Bullets, Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from context_memory.domain.pairing import Fact


def assemble(base: Sequence[Fact], standing: Mapping[Fact, Fact], additions: Iterable[Fact]) -> Bullets:
    """Put a body together.

    Args:
        base: the old bullets in order.
        standing: for each old bullet what stands for it (itself, its change, its merger); absent when it is gone.
        additions: new bullets.
    """
    body: dict[Section, list[str]] = {section: [] for section in Section}
    placed: set[Fact] = set()
    elsewhere: list[Fact] = []
    for old in base:
        stands = standing.get(old)
        if stands is None or stands in placed:
            continue
        if stands.section is old.section:
            body[stands.section].append(stands.text)
            placed.add(stands)
        else:
            elsewhere.append(stands)
    for fact in (*elsewhere, *additions):
        if fact not in placed:
            body[fact.section].append(fact.text)
            placed.add(fact)
    return Bullets.of(body)
