"""Single facts of a large scope: DynamoDB may answer for some of them only."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, cast

import pytest

from context_memory.adapters.dynamodb.attributes import spelled_all
from context_memory.adapters.dynamodb.fact_items import fact_item
from context_memory.adapters.dynamodb.fact_reads import DynamoFactReads
from context_memory.adapters.dynamodb.table import Table
from context_memory.domain.errors import StoreUnavailable
from tests.support.facts import COMPANY, LENA, a_fact

FACTS = [a_fact(f"Room {number} is taken.", COMPANY) for number in range(5)]
ITEMS = {item["sk"]: spelled_all(item) for item in (fact_item(COMPANY.partition, 0, fact) for fact in FACTS)}


class Hesitant:
    """Answers for so many items of each request, and leaves the others."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self.asked: list[int] = []

    def batch_get_item(self, RequestItems: dict[str, Any]) -> dict[str, Any]:  # noqa: N803 - AWS's own name
        keys, consistent = RequestItems["companies"]["Keys"], RequestItems["companies"]["ConsistentRead"]
        assert consistent
        self.asked.append(len(keys))
        left = keys[self.at_once :]
        return {
            "Responses": {"companies": [ITEMS[key["sk"]["S"]] for key in keys[: self.at_once]]},
            "UnprocessedKeys": {"companies": {"Keys": left}} if left else {},
        }


class Signing:
    def signing(self, *_: object) -> nullcontext[None]:
        return nullcontext()


def reads(client: Hesitant) -> DynamoFactReads:
    return DynamoFactReads(
        Table(client=cast("Any", client), name="users", credentials=cast("Any", Signing())), "companies"
    )


def test_what_is_left_is_asked_for_again() -> None:
    client = Hesitant(at_once=2)
    found = reads(client).named(LENA.user, COMPANY, [fact.id for fact in FACTS])
    assert sorted(fact.id for fact in found) == sorted(fact.id for fact in FACTS)
    assert client.asked == [5, 3, 1]


def test_what_is_left_time_and_again_is_not_taken_for_deleted() -> None:
    client = Hesitant(at_once=1)
    with pytest.raises(StoreUnavailable):
        reads(client).named(LENA.user, COMPANY, [fact.id for fact in FACTS])
    assert client.asked == [5, 4, 3]


def test_nothing_is_asked_for_nothing() -> None:
    client = Hesitant(at_once=1)
    assert reads(client).named(LENA.user, COMPANY, []) == []
    assert client.asked == []
