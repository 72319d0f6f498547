"""R7, R8 and the user's deny rules: what of the model's text may be looked at at all.

Bullets that stand in the base already are not touched: they are kept or not by the other rules.
A link whose host the base names may stay in a bullet that changes, since the user or an earlier turn put it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain import hygiene
from context_memory.domain.language.quotes import quoted_words
from context_memory.domain.pairing import facts, key_of
from context_memory.domain.profile import Bullets, Section
from context_memory.domain.reading import canonical_bullet
from context_memory.domain.reconcile.denial import is_denied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.pairing import Fact
    from context_memory.domain.reconcile.values import Rules
    from context_memory.domain.replies.candidate import Candidate


@dataclass(frozen=True, slots=True)
class Screened:
    """The model's bullets that may be looked at, and the number of those that may not."""

    facts: tuple[Fact, ...]
    dropped: int


def filled_from(base: Bullets, candidate: Candidate) -> Bullets:
    """R0: the candidate, with the base's bullets where it has no such section."""
    return Bullets.of(
        {
            section: candidate.bullets[section]
            if section in candidate.filled or candidate.bullets[section]
            else base[section]
            for section in Section
        }
    )


def screen(base: Sequence[Fact], incoming: Bullets, said: str, rules: Rules) -> Screened:
    """Clean new bullets and leave out those that are ours, denied, forgotten or too long; `said` is the evidence."""
    known = {fact.key for fact in base}
    hosts = hygiene.hosts(said).union(*(hygiene.hosts(fact.text) for fact in base))
    dropped = 0
    kept: dict[Section, list[str]] = {section: [] for section in Section}
    for section, text in incoming.items():
        clean = text if key_of(text) in known else _cleaned(text, hosts, rules)
        if clean is None:
            dropped += 1
        else:
            kept[section].append(clean)
    return Screened(facts(Bullets.of(kept), quoted_words(said)), dropped)


def _cleaned(text: str, hosts: frozenset[str], rules: Rules) -> str | None:
    if hygiene.is_too_long(text):
        return None
    clean = canonical_bullet(hygiene.clean_bullet(text, user_hosts=hosts))
    if clean is None or hygiene.is_ours(clean, rules.own_sentences):
        return None
    return None if is_denied(clean, rules.deny_phrases) or rules.forgotten(clean) else clean
