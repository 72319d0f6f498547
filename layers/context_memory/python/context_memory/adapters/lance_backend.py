"""The backend `lance`: facts in LanceDB tables on S3, one for each scope, behind a function of its own."""

from __future__ import annotations

from base64 import b64encode
from itertools import batched
from operator import attrgetter
from typing import TYPE_CHECKING

from context_memory.adapters.fact_documents import document_of, fact_of
from context_memory.adapters.indexes.standing import standing
from context_memory.adapters.indexes.together import by_scope, with_core
from context_memory.adapters.lance_function import lent
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.recall.fusion import DEPTH, fused
from context_memory.domain.recall.match import KEYWORDS, MEANING, Match, given_always
from context_memory.domain.recall.ranking import ranked
from context_memory.ports.indexes import Lags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from botocore.credentials import ReadOnlyCredentials

    from context_memory.adapters.indexes.standing import Named
    from context_memory.adapters.indexes.together import Among
    from context_memory.contracts.lance import Answer, Asked, AskedScope, FoundFact
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.ids import UserKey
    from context_memory.domain.recall.fusion import Leg
    from context_memory.domain.recall.match import Query
    from context_memory.ports.indexes import IndexChange, LargeScope
    from context_memory.ports.recall import FactIndex, IndexedScope

FACTS_AT_ONCE = 2_000
"""Facts of one request: with their vectors some two megabytes of the six that an invocation may have."""
_VERSIONS = 2**40


def stamp_of(epoch: int, version: int) -> int:
    """One number for epoch and version of a head that grows with either."""
    return epoch * _VERSIONS + version


class LanceTables:
    """`PublishedIndex`, written with the credentials of whoever may write the scope.

    Args:
        ask: asks the function (`LanceFunction.ask`).
        lender: gives credentials that may write a scope's folder.
        model: the name that vectors of the embedding model in force carry; None without one.
    """

    def __init__(
        self,
        *,
        ask: Callable[[Asked], Answer],
        lender: Callable[[FactScope], ReadOnlyCredentials],
        model: str | None,
    ) -> None:
        self._ask = ask
        self._lender = lender
        self._model = model

    def change(self, change: IndexChange) -> bool:
        """Bring one write in; False: the table stands elsewhere and must be replaced."""
        answer = self._ask(
            {
                "do": "change",
                "credentials": lent(self._lender(change.scope)),
                "folder": change.scope.folder,
                "base": stamp_of(change.epoch, change.base),
                "stamp": stamp_of(change.epoch, change.version),
                "dimensions": self._dimensions(change.puts),
                "puts": list(map(document_of, change.puts)),
                "drops": list(change.drops),
            }
        )
        return answer["done"]

    def replace(self, scope: IndexedScope) -> None:
        """Make the table anew, in as many requests as its facts need; readers see it with the last of them."""
        batches = list(batched(scope.facts, FACTS_AT_ONCE, strict=False)) or [()]
        dimensions = self._dimensions(scope.facts)
        for number, batch in enumerate(batches, start=1):
            self._ask(
                {
                    "do": "replace",
                    "credentials": lent(self._lender(scope.scope)),
                    "folder": scope.scope.folder,
                    "stamp": stamp_of(scope.epoch, scope.version),
                    "dimensions": dimensions,
                    "facts": list(map(document_of, batch)),
                    "last": number == len(batches),
                }
            )

    def _dimensions(self, facts: Iterable[Fact]) -> int | None:
        """Of the model's vectors; the most, should an endpoint have changed them under the same name."""
        vectors = (fact.vector for fact in facts if fact.vector)
        return max((vector.dimensions for vector in vectors if vector.model == self._model), default=None)


class LanceBackend:
    """`Backend` over the tables, read with the user's credentials.

    Args:
        ask: asks the function (`LanceFunction.ask`).
        lender: gives a user's credentials for reading.
        named: reads single facts of a shared scope whose table is behind its head.
        among: ranks what the tables found together with what is in no table: facts of the chat, and of scopes whose
            table stands at another version.
    """

    def __init__(
        self,
        *,
        ask: Callable[[Asked], Answer],
        lender: Callable[[UserKey], ReadOnlyCredentials],
        named: Named,
        among: Among,
    ) -> None:
        self._ask = ask
        self._lender = lender
        self._named = named
        self._among = among

    def over(
        self, user: UserKey, scopes: Sequence[IndexedScope], large: Sequence[LargeScope], lags: Lags | None = None
    ) -> FactIndex:
        """An index over all of these together; nothing is asked before it is searched."""
        return _LanceIndex(
            ask=self._ask,
            lender=lambda: self._lender(user),
            still=lambda found: standing(self._named, user, found),
            among=self._among,
            scopes=scopes,
            large=large,
            lags=lags or Lags(),
        )


class _LanceIndex:
    """Some scopes of one user, searched with one request, and one more for large ones whose tables are behind."""

    def __init__(
        self,
        *,
        ask: Callable[[Asked], Answer],
        lender: Callable[[], ReadOnlyCredentials],
        still: Callable[[Iterable[Match]], list[Match]],
        among: Among,
        scopes: Sequence[IndexedScope],
        large: Sequence[LargeScope],
        lags: Lags,
    ) -> None:
        self._ask = ask
        self._lender = lender
        self._still = still
        self._among = among
        self._scopes = scopes
        self._large = large
        self._lags = lags

    def search(self, query: Query) -> Sequence[Match]:
        """The best matches, the best first.

        Raises:
            StoreUnavailable: the function is out of reach, and there are scopes that nobody else can search.
        """
        try:
            found, behind, at_once = self._in_tables(query)
        except StoreUnavailable:
            if self._large:
                raise
            found, behind, at_once = [], self._scopes, True
        if at_once and not behind and not query.ephemeral:
            asked_for = (match for match in found if not match.always)
            best = ranked(sorted(asked_for, key=attrgetter("score"), reverse=True), query.limit)
        else:
            best = [*self._among([*behind, *by_scope(found)]).search(query)]
        return with_core(best, found)

    def _in_tables(self, query: Query) -> tuple[list[Match], Sequence[IndexedScope], bool]:
        """What tables hold, the scopes whose facts must be searched instead, and whether one search found it all."""
        asked: list[AskedScope] = [
            {"folder": one.scope.folder, "stamp": stamp_of(one.epoch, one.version)} for one in self._scopes
        ]
        asked += [{"folder": one.scope.folder, "stamp": stamp_of(0, one.version), "core": True} for one in self._large]
        scopes: list[FactScope] = [*(one.scope for one in self._scopes), *(one.scope for one in self._large)]
        answer = self._searched(query, asked)
        found = [*_matches(scopes, answer["words"], answer["vectors"]), *_core(scopes, answer.get("core", ()))]
        behind = [self._scopes[place] for place in answer["behind"] if place < len(self._scopes)]
        self._lags.behind.update(scopes[place] for place in answer["behind"])
        if late := [scopes[place] for place in answer["behind"] if place >= len(self._scopes)]:
            # Too many to be read for a question: of the tables as they are counts what still stands.
            answer = self._searched(query, [{"folder": scope.folder, "stamp": None, "core": True} for scope in late])
            self._lags.unsearched.update(late[place] for place in answer["behind"])
            still = [*_matches(late, answer["words"], answer["vectors"]), *_core(late, answer.get("core", ()))]
            found += self._still(still)
        return found, behind, not late

    def _searched(self, query: Query, scopes: list[AskedScope]) -> Answer:
        vector = query.vector
        return self._ask(
            {
                "do": "search",
                "credentials": lent(self._lender()),
                "scopes": scopes,
                "text": query.text,
                "vector": [vector.model, b64encode(vector.values).decode()] if vector else None,
            }
        )


def _matches(scopes: Sequence[FactScope], words: Sequence[FoundFact], vectors: Sequence[FoundFact]) -> Iterator[Match]:
    """What both legs found in `scopes`, fused."""
    places: dict[tuple[int, str], int] = {}
    facts: list[tuple[Fact, FactScope]] = []

    def leg(found: Sequence[FoundFact]) -> Leg:
        order = sorted(found, key=lambda one: -one["score"])[: DEPTH + 1]
        for one in order:
            key = one["scope"], one["fact"]["id"]
            if key not in places:
                places[key] = len(facts)
                facts.append((fact_of(one["fact"]), scopes[one["scope"]]))
        return [(places[one["scope"], one["fact"]["id"]], one["score"]) for one in order]

    for find in fused({KEYWORDS: leg(words), MEANING: leg(vectors)}):
        yield Match(*facts[find.place], find.score, find.legs)


def _core(scopes: Sequence[FactScope], told: Sequence[FoundFact]) -> Iterator[Match]:
    return (given_always(fact_of(one["fact"]), scopes[one["scope"]]) for one in told)
