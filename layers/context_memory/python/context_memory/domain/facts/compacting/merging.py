"""What a model may make of several facts: nothing that none of them says, and every day that one of them names.

The rules look at words, figures and days, not at meaning. So whatever turns a statement round, a negation or one of two
opposite prepositions, has to stand in all of the facts alike, and in what they become.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.domain.facts.admitting import MOST_KEYWORDS, Unfit, Written
from context_memory.domain.facts.compacting.dating import days, days_of
from context_memory.domain.facts.fact import MOST_PAST, Compaction, Fact, Origin, Source, fact_id
from context_memory.domain.facts.vectors import between
from context_memory.domain.language.gist import turned_round
from context_memory.domain.language.quantities import values_said
from context_memory.domain.language.words import content_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from context_memory.domain.facts.admitting import FactGate
    from context_memory.domain.facts.scopes import UserScope

_KEPT_OF_ITS_WORDS = 1 / 2
"""What must be left of each fact."""
FEWEST = 2
"""Facts, or topics, that one may stand for."""


@dataclass(frozen=True, slots=True)
class Merge:
    """What a model proposes: facts of a group, by their numbers from 1, and the text that says them all."""

    of: frozenset[int]
    text: str


class Unmerged(StrEnum):
    """Why facts stay as they are."""

    UNKNOWN = "unknown"
    """It names facts that were not shown, one alone, or one that another merge has taken."""
    UNFIT = "unfit"
    """The text may not be stored: the user's rules, what they forgot, the policy's last line."""
    INVENTED = "invented"
    """A word or a number that none of the facts has."""
    TURNED = "turned"
    """A negation or a contrast that not all of them have."""
    DATES = "dates"
    """A day is lost, or made."""
    LOST = "lost"
    """Too little is left of one of them."""
    LONGER = "longer"
    """It takes no fewer tokens than they do."""
    TAKEN = "taken"
    """Another fact says it already."""


@dataclass(slots=True)
class Pressed:
    """What becomes of a group: facts that are put, ids that go, and why other merges do not stand."""

    puts: list[Fact] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    refused: Counter[Unmerged] = field(default_factory=Counter)

    @property
    def drops(self) -> frozenset[str]:
        """Ids of facts that stand no more."""
        return frozenset(self.gone) - {fact.id for fact in self.puts}


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """Merges facts of one user. `tokens` counts a text."""

    scope: UserScope
    gate: FactGate
    now: datetime
    tokens: Callable[[str], int]

    def press(self, merges: Iterable[Merge], group: Sequence[Fact], standing: frozenset[str]) -> Pressed:
        """Take what may stand of the merges of a group; `standing` are the ids of all facts of the user."""
        pressed = Pressed()
        for merge in merges:
            originals = _named(merge, group, pressed.gone)
            others = (standing | {fact.id for fact in pressed.puts}) - {fact.id for fact in originals}
            made = self._merged(merge.text, originals, others) if originals else Unmerged.UNKNOWN
            if isinstance(made, Unmerged):
                pressed.refused[made] += 1
            else:
                pressed.puts.append(made)
                pressed.gone |= {fact.id for fact in originals}
        return pressed

    def _merged(self, text: str, originals: Sequence[Fact], others: frozenset[str]) -> Fact | Unmerged:
        admitted = self.gate.admit(Written(text=text))
        if isinstance(admitted, Unfit):
            return Unmerged.UNFIT
        if reason := distorts(admitted.text, [fact.text for fact in originals]):
            return reason
        one, tokens = fact_id(self.scope, admitted.text), self.tokens(admitted.text)
        if tokens >= sum(fact.tokens for fact in originals):
            return Unmerged.LONGER
        return Unmerged.TAKEN if one in others else self._made(one, admitted.text, tokens, originals)

    def _made(self, one: str, text: str, tokens: int, originals: Sequence[Fact]) -> Fact:
        past = {piece.id: piece for fact in originals for piece in fact.supersedes}
        newest = sorted(past.values(), key=lambda piece: piece.replaced_at, reverse=True)
        keywords = dict.fromkeys(word for fact in originals for word in fact.keywords)
        return Fact(
            id=one,
            tier=originals[0].tier,
            text=text,
            tokens=tokens,
            created_at=min(fact.created_at for fact in originals),
            last_confirmed_at=max(fact.last_confirmed_at for fact in originals),
            keywords=tuple(keywords)[:MOST_KEYWORDS],
            vector=between(fact.vector for fact in originals),
            source=_common(fact.source for fact in originals),
            uses=sum(fact.uses for fact in originals),
            supersedes=tuple(newest[:MOST_PAST]),
            compaction=Compaction(
                at=self.now,
                origins=tuple(origin for fact in originals for origin in _origins(fact)),
                originals=tuple(replace(fact, vector=None) for fact in originals),
            ),
            epoch=originals[0].epoch,
        )


def distorts(text: str, texts: Sequence[str]) -> Unmerged | None:
    """Why a text must not stand for several; None where it may."""
    words = content_words(text)
    known = frozenset[str]().union(*map(content_words, texts))
    figures = frozenset[str]().union(*map(values_said, texts))
    if not (words <= known and values_said(text) <= figures):
        return Unmerged.INVENTED
    if any(turned_round(one) != turned_round(text) for one in texts):
        return Unmerged.TURNED
    if days(text) != days_of(texts):
        return Unmerged.DATES
    if any(len(words & of_it) < _KEPT_OF_ITS_WORDS * len(of_it) for of_it in map(content_words, texts)):
        return Unmerged.LOST
    return None


def _named(merge: Merge, group: Sequence[Fact], gone: set[str]) -> list[Fact]:
    """The facts that a merge is of; none where one of them is not there, or gone, or where they are too few."""
    if len(merge.of) < FEWEST or not merge.of <= set(range(1, len(group) + 1)):
        return []
    facts = [group[number - 1] for number in sorted(merge.of)]
    return [] if any(fact.id in gone for fact in facts) else facts


def _origins(fact: Fact) -> tuple[Origin, ...]:
    """Where a fact came from: of a merged one all that it was merged from."""
    return fact.compaction.origins if fact.compaction else (Origin(fact.id, fact.source, fact.created_at),)


def _common(sources: Iterable[Source]) -> Source:
    """What several sources have in common."""
    known = list(sources)
    return Source(
        _one({source.turn_id for source in known}),
        _one({source.chat_id for source in known}),
        _one({source.provider for source in known}),
        _one({source.space_id for source in known}),
    )


def _one(values: set[str | None]) -> str | None:
    """What all have; None where they differ."""
    return next(iter(values)) if len(values) == 1 else None
