"""The backend `sqlite_fts` keeps indexes without knowing who may read them: it takes no scope of anybody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.indexes.in_memory import InMemoryIndex
from context_memory.adapters.indexes.kept_snapshots import KeptSnapshots
from context_memory.adapters.indexes.warm_indexes import WarmIndexes
from context_memory.adapters.sqlite_backend import SqliteBackend
from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.domain.ids import UserKey
from context_memory.domain.recall.match import Query
from context_memory.ports.indexes import LargeScope
from context_memory.ports.recall import IndexedScope
from tests.support.facts import COMPANY, LENA, SALES, a_fact
from tests.support.recalling import Published

if TYPE_CHECKING:
    from pathlib import Path

    from context_memory.domain.facts.scopes import FactScope

OTHERS = [
    UserScope(UserKey("acme", "lena1")),
    UserScope(UserKey("acme1", "lena")),
    SharedScope("acme1"),
    SharedScope("acme1", "sales"),
]


@pytest.fixture
def backend(tmp_path: Path) -> SqliteBackend:
    snapshots = KeptSnapshots(Published(), tmp_path, lambda *_: ())
    return SqliteBackend(indexes=WarmIndexes(), snapshots=snapshots, among=InMemoryIndex)


@pytest.mark.parametrize("scope", OTHERS, ids=lambda scope: scope.partition)
def test_what_others_have_warm_is_not_searched_for_a_user(backend: SqliteBackend, scope: FactScope) -> None:
    theirs = IndexedScope(scope, 1, [a_fact("Likes tea", scope)])
    reader = scope.user if isinstance(scope, UserScope) else UserKey(scope.company_id, "mia")
    assert backend.over(reader, [theirs], ()).search(Query(text="tea"))
    with pytest.raises(PermissionError):
        backend.over(LENA.user, [theirs], ())


@pytest.mark.parametrize("scope", [scope for scope in OTHERS if isinstance(scope, SharedScope)], ids=str)
def test_no_snapshot_of_another_company_is_searched(backend: SqliteBackend, scope: SharedScope) -> None:
    with pytest.raises(PermissionError):
        backend.over(LENA.user, (), [LargeScope(scope, 1)])


def test_a_users_own_facts_and_what_is_shared_with_them_are(backend: SqliteBackend) -> None:
    scopes = [IndexedScope(scope, 1, [a_fact(f"Tea of {scope.partition}", scope)]) for scope in (LENA, SALES, COMPANY)]
    assert {match.scope for match in backend.over(LENA.user, scopes, ()).search(Query(text="tea"))} == {
        LENA,
        SALES,
        COMPANY,
    }
