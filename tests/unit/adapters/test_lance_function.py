"""What of the function `lance` reaches those who ask it, and what is done where it cannot be asked."""

from __future__ import annotations

import io
import json
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, cast

import pytest
from botocore.credentials import ReadOnlyCredentials
from botocore.exceptions import ReadTimeoutError

from context_memory.adapters.fact_documents import document_of
from context_memory.adapters.indexes.in_memory import InMemoryIndex
from context_memory.adapters.lance_backend import FACTS_AT_ONCE, LanceBackend, LanceTables, stamp_of
from context_memory.adapters.lance_function import LanceFunction, lent
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.recall.match import Query
from context_memory.ports.indexes import Lags, LargeScope
from context_memory.ports.recall import IndexedScope
from tests.support.facts import COMPANY, LENA, SALES, a_fact
from tests.support.lance_tables import unasked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mypy_boto3_lambda import LambdaClient

    from context_memory.contracts.lance import Answer, Asked, FoundFact
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import SharedScope

LENT = ReadOnlyCredentials("key", "secret", "token", None)


class Lambda:
    """A client that answers with one body."""

    def __init__(self, body: object, **more: object) -> None:
        self.body, self.more = body, more
        self.asked: list[dict[str, Any]] = []

    def invoke(self, **asked: Any) -> dict[str, object]:  # noqa: ANN401 - whatever an invocation has
        self.asked.append(asked)
        if isinstance(self.body, Exception):
            raise self.body
        return {"Payload": io.BytesIO(json.dumps(self.body).encode()), **self.more}


def function(client: Lambda) -> LanceFunction:
    return LanceFunction(client=cast("LambdaClient", client), function="context-memory-dev-lance", own_role=nullcontext)


def change() -> Asked:
    return {
        "do": "change",
        "credentials": lent(LENT),
        "folder": LENA.folder,
        "base": 0,
        "stamp": 1,
        "dimensions": 0,
        "puts": [],
        "drops": [],
    }


def test_what_is_asked_and_answered_is_json() -> None:
    client = Lambda({"done": True})
    assert function(client).ask(change()) == {"done": True}
    [asked] = client.asked
    assert asked["FunctionName"] == "context-memory-dev-lance"
    assert json.loads(asked["Payload"]) == change()


@pytest.mark.parametrize(
    "client",
    [
        Lambda({"failed": "StoreUnavailable"}),
        Lambda({"errorMessage": "lena"}, FunctionError="Unhandled"),
        Lambda(ReadTimeoutError(endpoint_url="https://lambda/lena")),
    ],
)
def test_every_failure_is_a_store_out_of_reach_without_names(client: Lambda) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        function(client).ask(change())
    assert "lena" not in str(caught.value)


def test_stamps_grow_with_versions_and_begin_anew_above_them_after_an_erase() -> None:
    assert stamp_of(0, 5) < stamp_of(0, 6) < stamp_of(1, 0) < stamp_of(1, 1)


def test_many_facts_go_in_several_requests_of_which_the_last_completes_them() -> None:
    asked: list[Asked] = []

    def ask(one: Asked) -> Answer:
        asked.append(one)
        return {"done": True}

    tables = LanceTables(ask=ask, lender=lambda _: LENT, model=None)
    tables.replace(IndexedScope(COMPANY, 7, [a_fact(f"Rule {number}") for number in range(FACTS_AT_ONCE + 1)]))
    assert [one["do"] == "replace" and (len(one["facts"]), one["last"]) for one in asked] == [
        (FACTS_AT_ONCE, False),
        (1, True),
    ]


def test_a_scope_without_facts_is_emptied() -> None:
    asked: list[Asked] = []

    def ask(one: Asked) -> Answer:
        asked.append(one)
        return {"done": True}

    LanceTables(ask=ask, lender=lambda _: LENT, model=None).replace(IndexedScope(COMPANY, 7, []))
    assert [one["do"] == "replace" and (one["facts"], one["last"]) for one in asked] == [([], True)]


def out_of_reach(_: Asked) -> Answer:
    raise StoreUnavailable("The function lance failed.")


def test_facts_at_hand_are_found_while_the_function_is_out_of_reach() -> None:
    backend = LanceBackend(ask=out_of_reach, lender=lambda _: LENT, named=unasked, among=InMemoryIndex)
    index = backend.over(LENA.user, [IndexedScope(LENA, 3, [a_fact("Likes tea")])], [])
    assert [match.fact.text for match in index.search(Query(text="tea"))] == ["Likes tea"]


def test_a_large_scope_cannot_be_searched_without_the_function() -> None:
    index = LanceBackend(ask=out_of_reach, lender=lambda _: LENT, named=unasked, among=InMemoryIndex).over(
        LENA.user, [IndexedScope(LENA, 3, [a_fact("Likes tea")])], [LargeScope(COMPANY, 9)]
    )
    with pytest.raises(StoreUnavailable):
        index.search(Query(text="tea"))


def test_a_scope_whose_table_is_behind_is_searched_in_its_facts_beside_what_the_others_hold() -> None:
    tea = a_fact("Likes tea", SALES)

    def ask(asked: Asked) -> Answer:
        assert asked["do"] == "search"
        assert [scope["stamp"] for scope in asked["scopes"]] == [3, 4, 9]

        return {"behind": [0], "words": [{"scope": 1, "fact": document_of(tea), "score": 2.5}], "vectors": []}

    lags = Lags()
    index = LanceBackend(ask=ask, lender=lambda _: LENT, named=unasked, among=InMemoryIndex).over(
        LENA.user,
        [IndexedScope(LENA, 3, [a_fact("Drinks tea at noon")]), IndexedScope(SALES, 4, [tea])],
        [LargeScope(COMPANY, 9)],
        lags,
    )
    found = {(match.fact.text, match.scope) for match in index.search(Query(text="tea"))}
    assert found == {("Likes tea", SALES), ("Drinks tea at noon", LENA)}
    assert lags == Lags({LENA})


def test_of_a_large_scope_whose_table_is_behind_only_what_still_stands_is_found() -> None:
    tea, gone = a_fact("Tea is served at four", COMPANY), a_fact("Tea is free", COMPANY)
    asked_of: list[tuple[object, list[str]]] = []
    lags = Lags()

    def ask(asked: Asked) -> Answer:
        assert asked["do"] == "search"
        if [scope["stamp"] for scope in asked["scopes"]] != [None]:
            return {"behind": [1], "words": [], "vectors": []}
        assert asked["scopes"][0]["folder"] == COMPANY.folder
        words: list[FoundFact] = [{"scope": 0, "fact": document_of(one), "score": 2.5} for one in (gone, tea)]
        return {"behind": [], "words": words, "vectors": []}

    def named(_user: object, scope: SharedScope, ids: Iterable[str]) -> list[Fact]:
        asked_of.append((scope, sorted(ids)))
        return [tea]

    index = LanceBackend(ask=ask, lender=lambda _: LENT, named=named, among=InMemoryIndex).over(
        LENA.user, [IndexedScope(LENA, 3, [])], [LargeScope(COMPANY, 9)], lags
    )
    assert [(match.fact, match.scope) for match in index.search(Query(text="tea"))] == [(tea, COMPANY)]
    assert asked_of == [(COMPANY, sorted([tea.id, gone.id]))]
    assert lags == Lags({COMPANY})
