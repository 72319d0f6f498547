"""A write is done, its answer is lost, and the client sends it again by itself: nothing may count twice.

Transactions carry a token for that, which moto does not know: the tests of the deployed stores look at those.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ConnectionClosedError

from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.scopes import SharedScope
from context_memory.ports.facts import Facts, FactsHead
from context_memory.ports.users import Waiting
from tests.support.facts import a_fact
from tests.support.records import LENA, turn_record
from tests.support.stored_facts import OWN, change, end, waiting
from tests.support.stores import at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from botocore.awsrequest import AWSPreparedRequest

    from tests.support.stores import MockedAws, Stores


@contextmanager
def first_answer_lost(aws: MockedAws) -> Iterator[list[str]]:
    """The first request made inside arrives, and its connection breaks; yields the requests' names."""
    seen: list[str] = []

    def leaving(event_name: str, request: AWSPreparedRequest, **more: Any) -> None:  # noqa: ANN401 - botocore's event arguments
        seen.append(event_name.rpartition(".")[2])
        if len(seen) == 1:
            assert aws.wire(event_name, request, **more) is not None
            raise ConnectionClosedError(endpoint_url="https://aws.invalid")

    events = aws.clients.dynamodb.meta.events
    events.register_first("before-send.dynamodb", leaving)
    try:
        yield seen
    finally:
        events.unregister("before-send.dynamodb", leaving)


def test_an_attempt_whose_answer_was_lost_is_counted_once(aws_stores: Stores, mocked_aws: MockedAws) -> None:
    record = turn_record()
    aws_stores.table.accept(LENA, record)
    with first_answer_lost(mocked_aws) as seen:
        started = aws_stores.table.start(LENA, record, at(2))
    assert seen == ["UpdateItem", "UpdateItem", "GetItem"]
    assert started is not None
    assert (started, started.attempts) == (aws_stores.table.turn(LENA, record.turn_id), 1)


def test_an_attempt_given_back_is_given_back_once(aws_stores: Stores, mocked_aws: MockedAws) -> None:
    record = turn_record()
    aws_stores.table.accept(LENA, record)
    aws_stores.table.start(LENA, record, at(2))
    started = aws_stores.table.start(LENA, record, at(3))
    assert started is not None
    with first_answer_lost(mocked_aws) as seen:
        aws_stores.table.wait(LENA, started, Waiting(reason="ModelUnavailable", gives_back=True))
    assert seen == ["UpdateItem", "UpdateItem"]
    waiting = aws_stores.table.turn(LENA, record.turn_id)
    assert waiting is not None
    assert (waiting.attempts, waiting.reason) == (1, "ModelUnavailable")


def test_facts_whose_answer_was_lost_are_stored_once(aws_stores: Stores, mocked_aws: MockedAws) -> None:
    pending = waiting(aws_stores)
    with first_answer_lost(mocked_aws) as seen:
        aws_stores.facts.change(change(Facts(), a_fact("Lives in Basel"), ends=(end(pending, added=1),)))
    assert seen == ["TransactWriteItems", "TransactWriteItems", "GetItem"]
    head = aws_stores.facts.facts(LENA, OWN).head
    assert (head.count, aws_stores.facts.pending(LENA)) == (1, [])


def test_somebody_elses_facts_are_not_taken_for_those_whose_answer_was_lost(
    aws_stores: Stores, mocked_aws: MockedAws
) -> None:
    aws_stores.facts.change(change(Facts(), a_fact("Lives in Basel")))
    with first_answer_lost(mocked_aws), pytest.raises(CommitRefused):
        aws_stores.facts.change(change(Facts(), a_fact("Lives in Basel")))


def test_shared_facts_whose_answer_was_lost_are_stored_once(aws_stores: Stores, mocked_aws: MockedAws) -> None:
    sales = SharedScope("acme", "sales")
    with first_answer_lost(mocked_aws):
        head = aws_stores.shared_facts.change(sales, FactsHead(), [a_fact("A", sales)], [], count=1)
    assert aws_stores.shared_facts.head(sales) == head


def test_an_attempt_to_extract_whose_answer_was_lost_is_counted_once(aws_stores: Stores, mocked_aws: MockedAws) -> None:
    pending = waiting(aws_stores)
    with first_answer_lost(mocked_aws) as seen:
        begun = aws_stores.facts.begin(LENA, pending)
    assert seen == ["UpdateItem", "UpdateItem", "GetItem"]
    assert begun is not None
    assert (begun.attempts, aws_stores.facts.pending(LENA)) == (1, [begun])
