"""The function `lance` in this process, its tables in a folder or in a bucket, what is asked of it as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from botocore.credentials import ReadOnlyCredentials

from context_memory.adapters.indexes.in_memory import InMemoryIndex
from context_memory.adapters.lance_backend import LanceBackend, LanceTables
from context_memory.contracts.lance import Answer, Asked
from context_memory.domain.errors import StoreUnavailable
from context_memory.ports.recall import FactIndex, IndexedScope
from tests.support.facts import LENA

if TYPE_CHECKING:
    from context_memory.adapters.lance.service import LanceService
    from context_memory.domain.facts.fact import Fact

type Ask = Callable[[Asked], Answer]
NOBODY = ReadOnlyCredentials("a", "b", "c", None)


def asking(service: LanceService) -> Ask:
    """Ask as Lambda would carry it."""

    def ask(asked: Asked) -> Answer:
        told = cast("Answer", json.loads(json.dumps(service.answer(json.loads(json.dumps(asked))))))
        if failed := told.get("failed"):  # as `LanceFunction` does
            raise StoreUnavailable(failed)
        return told

    return ask


def unasked(_user: object, _scope: object, _ids: object) -> list[Fact]:
    """A store that nobody asks: no table is behind."""
    raise AssertionError


class WrittenAndRead:
    """`Indexes` whose facts are written into tables first, as their writers do, and then searched there."""

    def __init__(self, ask: Ask, model: str) -> None:
        self._tables = LanceTables(ask=ask, lender=lambda _: NOBODY, model=model)
        self._backend = LanceBackend(ask=ask, lender=lambda _: NOBODY, named=unasked, among=InMemoryIndex)

    def over(self, scopes: Sequence[IndexedScope]) -> FactIndex:
        """An index over the tables."""
        for scope in scopes:
            self._tables.replace(scope)
        return self._backend.over(LENA.user, [_without_facts(scope) for scope in scopes], [])


def _without_facts(scope: IndexedScope) -> IndexedScope:
    """So that nothing is found but in the tables."""
    return IndexedScope(scope.scope, scope.version, (), scope.epoch)
