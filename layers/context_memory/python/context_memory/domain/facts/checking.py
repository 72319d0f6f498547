"""What the policy's reader says of facts that a person wrote, and what becomes of them by it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import fact_id, normalised
from context_memory.domain.facts.history import without_past
from context_memory.domain.facts.rewriting import Rewrite
from context_memory.domain.profile import fold
from context_memory.domain.reading import canonical_bullet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope

type Wording = tuple[str, tuple[str, ...]]
"""What somebody wrote: text and keywords. A verdict holds for this and for nothing else."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may stand: a text, None where nothing may, and whether the keywords may, too."""

    text: str | None
    keywords: bool = True


def wording(fact: Fact) -> Wording:
    """What was written."""
    return fact.text, fact.keywords


def to_read(facts: Iterable[Fact]) -> list[str]:
    """The lines that are to be read of facts: the text of each, and its keywords where it has any."""
    return [line for fact in facts for line in (fact.text, ", ".join(fact.keywords)) if line]


def verdicts(facts: Iterable[Fact], replies: Sequence[str | None]) -> dict[Wording, Verdict]:
    """The verdicts on facts; `replies` says what may stand of each line of `to_read`, in its order.

    Keywords stand only as they are: of some that were shortened nobody knows whether the fact is found by them.
    """
    left = iter(replies)
    found: dict[Wording, Verdict] = {}
    for fact in facts:
        text = next(left)
        keywords = not fact.keywords or next(left) == fold(", ".join(fact.keywords))
        same = text == fold(fact.text)
        found[wording(fact)] = Verdict(fact.text if same else text and canonical_bullet(text), keywords)
    return found


def heeded(
    scope: FactScope, facts: Sequence[Fact], said: Mapping[Wording, Verdict], tokens: Callable[[str], int]
) -> Rewrite:
    """What becomes of facts by verdicts: read ones stand as such, what may not stand goes, from their history as well.

    A text that was shortened is another fact, with its tier, dates and uses, and without keywords, which may name what
    was struck out; where that stands already it stays as it is.
    """
    standing = {fact.id: fact for fact in facts}
    drops: set[str] = set()
    puts: dict[str, Fact] = {}
    for fact in facts:
        verdict = said.get(wording(fact)) if fact.unchecked else None
        if verdict is None:
            continue
        if verdict.text == fact.text:
            puts[fact.id] = replace(fact, keywords=fact.keywords if verdict.keywords else (), unchecked=False)
            continue
        drops.add(fact.id)
        if verdict.text is not None and (one := fact_id(scope, verdict.text)) not in standing.keys() - {fact.id}:
            text, length = verdict.text, tokens(verdict.text)
            puts[one] = replace(fact, id=one, text=text, tokens=length, vector=None, keywords=(), unchecked=False)
    gone = {normalised(standing[one].text) for one in drops}
    staying = {**{one: fact for one, fact in standing.items() if one not in drops}, **puts}
    clean = {fact.id: fact for fact in without_past(staying.values(), lambda past: normalised(past.text) in gone)}
    return Rewrite(frozenset(drops - puts.keys()), tuple((puts | clean).values()))
