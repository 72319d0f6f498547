"""The words of facts, and the facts that hold most of a query's, by BM25: what SQLite's full text gives, and faster.

Each scope has its words for itself, ready for whoever may read it. What a word is worth, and how long a fact is beside
the others, is told by all scopes that are searched together: so their scores are of one kind.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import accumulate, chain
from operator import itemgetter
from typing import TYPE_CHECKING

from context_memory.domain.language.porter import stem
from context_memory.domain.recall import terms
from context_memory.domain.recall.neighbours import neighbours
from context_memory.domain.recall.weights import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.recall.fusion import Leg
    from context_memory.domain.recall.terms import Asked
    from context_memory.domain.recall.weights import Weights

_SATURATION, _BY_LENGTH = 1.2, 0.75
"""BM25's k1 and b, the usual ones and SQLite's."""
_FIXED = _SATURATION * (1 - _BY_LENGTH)
_LEAST_WORTH = 1e-6
"""Of a word that more than half of the facts hold: it finds them, and tells nothing about which is better."""
_MOST_ASKED = 256
"""Words of which an index keeps who holds them."""

type Places = Mapping[str, tuple[int, ...]]
"""Places of the facts that hold a word, once for each time that they do."""


class Words:
    """The words of the facts of one scope, by the places of these facts.

    Attributes:
        lengths: words under which each fact is found, those of its neighbours among them.
        length: of all facts together.
    """

    __slots__ = ("_around", "_asked", "_day", "_parts", "_said", "_stems", "_weights", "length", "lengths")

    def __init__(self, facts: Sequence[Fact], weights: Weights = DEFAULT) -> None:
        self._weights = weights
        self._asked: dict[str, Mapping[int, float]] = {}
        self._around = neighbours(facts)
        own = [terms.indexed(" ".join((fact.text, *fact.keywords))) for fact in facts]
        columns = (
            [_stemmed(each.said) for each in own],
            [_stemmed(terms.day(fact.created_at)) for fact in facts],
            [_stemmed(each.stems) for each in own],
            [_stemmed(each.parts) for each in own],
        )
        self._said, self._day, self._stems, self._parts = map(_places, columns)
        said, *others = ([len(words) for words in column] for column in columns)
        self.lengths = [
            sum(counts) + sum(said[place] for place in around)
            for around, *counts in zip(self._around, said, *others, strict=True)
        ]
        self.length = sum(self.lengths)

    def holding(self, asked: Asked) -> list[Mapping[int, float]]:
        """For each word that is looked for, in one order, the places of the facts that hold it, with its weight."""
        weights = self._weights
        days = chain((word for word in asked.words if word.isdecimal()), asked.months)
        stems, parts = (self._stems, weights.stems), (self._parts, weights.parts)
        return [
            *(self._said_or_near(stem(word)) for word in asked.words),
            *(_in_any(stem(word), (self._day, weights.day)) for word in days),
            *(_in_any(stem(word), stems, parts) for word in asked.stems),
            *(_in_any(stem(word), stems) for word in asked.parts),
        ]

    def _said_or_near(self, word: str) -> Mapping[int, float]:
        """Kept for the next query: what is asked often, a name, is what many facts hold."""
        if word not in self._asked:
            if len(self._asked) == _MOST_ASKED:
                self._asked.clear()
            self._asked[word] = self._spread(word)
        return self._asked[word]

    def _spread(self, word: str) -> Mapping[int, float]:
        said, near, around = self._weights.said, self._weights.near, self._around
        found: dict[int, float] = {}
        for place in self._said.get(word, ()):
            found[place] = found.get(place, 0.0) + said
            for other in around[place]:
                found[other] = found.get(other, 0.0) + near
        return found


def by_words(scopes: Sequence[Words], asked: Asked, limit: int) -> Leg:
    """Places of the facts that hold a word of a query, with their BM25 scores, the best first.

    Args:
        scopes: are searched together. Places go through all of them: those of the second begin where the first ends.
        asked: the words.
        limit: the most finds.
    """
    count, length = sum(len(words.lengths) for words in scopes), sum(words.length for words in scopes)
    holding = [words.holding(asked) for words in scopes]
    worths = [_worth(count, sum(map(len, held))) for held in zip(*holding, strict=True)]
    by_length = _SATURATION * _BY_LENGTH * count / max(length, 1)
    scores: list[dict[int, float]] = [{} for _ in scopes]
    # What more than half of the facts hold finds facts where other words find few; else it decides nothing.
    for common in (False, True):
        if common and sum(map(len, scores)) >= limit:
            break
        for words, of_scope, held_by in zip(scopes, scores, holding, strict=True):
            for worth, held in zip(worths, held_by, strict=True):
                if (worth == _LEAST_WORTH) == common:
                    _score(of_scope, held, worth * (_SATURATION + 1), by_length, words.lengths)
    firsts = accumulate((len(words.lengths) for words in scopes[:-1]), initial=0)
    found = [
        (first + place, score)
        for first, of_scope in zip(firsts, scores, strict=False)  # one too many where there is no scope
        for place, score in of_scope.items()
    ]
    found.sort(key=itemgetter(1), reverse=True)
    return found[:limit]


def _score(
    scores: dict[int, float], held: Mapping[int, float], worth: float, by_length: float, lengths: Sequence[int]
) -> None:
    """Add what a word is worth to the scores of the facts that hold it."""
    for place, weight in held.items():
        damped = worth * weight / (weight + _FIXED + by_length * lengths[place])
        scores[place] = scores.get(place, 0.0) + damped


def _worth(facts: int, holding: int) -> float:
    """Of a word: the rarer the more."""
    return max(math.log((facts - holding + 0.5) / (holding + 0.5)), _LEAST_WORTH)


def _places(of_facts: Iterable[Iterable[str]]) -> Places:
    places = defaultdict[str, list[int]](list)
    for place, words in enumerate(of_facts):
        for word in words:
            places[word].append(place)
    return {word: tuple(held) for word, held in places.items()}


def _stemmed(text: str) -> list[str]:
    return list(map(stem, terms.words_of(text)))


def _in_any(word: str, *columns: tuple[Places, float]) -> Mapping[int, float]:
    """The places of the facts that hold a word in these columns, each with its weight."""
    found: dict[int, float] = {}
    for places, weight in columns:
        for place in places.get(word, ()):
            found[place] = found.get(place, 0.0) + weight
    return found
