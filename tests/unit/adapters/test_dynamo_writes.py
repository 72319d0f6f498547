from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, cast

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError

from context_memory.adapters.dynamodb.acceptance import accept
from context_memory.adapters.dynamodb.expressions import Clause, Expression
from context_memory.adapters.dynamodb.settlement import clauses_of, token_of
from context_memory.adapters.dynamodb.table import Table
from context_memory.adapters.dynamodb.transactions import TRIES
from context_memory.adapters.dynamodb.turn_items import open_item, turn_item
from context_memory.adapters.dynamodb.writes import Writes
from context_memory.domain.errors import CommitRefused, ContextMemoryError, StoreRejected, StoreUnavailable
from context_memory.domain.outcomes import Outcome
from tests.support.records import LENA, pointer, stored, turn_record, unchanged

if TYPE_CHECKING:
    from context_memory.ports.users import Settlement

CLAUSES = [Clause(name, cast("Any", {"Delete": name})) for name in ("profile", "settings", "turn", "turn")]


class NobodyInParticular:
    def signing(self, *_: object) -> nullcontext[None]:
        return nullcontext()


class ScriptedClient:
    """Answers each write with the next fault of its script, and with success when there is none left."""

    def __init__(self, *faults: Exception) -> None:
        self.faults = list(faults)
        self.asked: list[dict[str, Any]] = []

    def transact_write_items(self, **arguments: object) -> dict[str, Any]:
        return self._answer(arguments)

    def update_item(self, **arguments: object) -> dict[str, Any]:
        return self._answer(arguments)

    def get_item(self, **_: object) -> dict[str, Any]:
        return {}

    def _answer(self, arguments: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(arguments)
        if self.faults:
            raise self.faults.pop(0)
        return {"Attributes": {"attempts": {"N": "1"}}}


def fault(code: str, status: int = 400, **more: object) -> ClientError:
    response: Any = {
        "Error": {"Code": code, "Message": "acme#lena"},
        "ResponseMetadata": {"HTTPStatusCode": status, "HTTPHeaders": {}},
        **more,
    }
    return ClientError(response, "TransactWriteItems")


def cancelled(*codes: str) -> ClientError:
    reasons = [{"Code": code, "Message": "acme#lena"} for code in codes]
    return fault("TransactionCanceledException", CancellationReasons=reasons)


def writes_over(client: ScriptedClient, pauses: list[float] | None = None) -> Writes:
    table = Table(client=cast("Any", client), name="users", credentials=cast("Any", NobodyInParticular()))
    return Writes(table=table, pause=(pauses if pauses is not None else []).append)


def transact(*faults: Exception) -> tuple[ScriptedClient, list[float], ContextMemoryError | None]:
    client, pauses = ScriptedClient(*faults), list[float]()
    try:
        writes_over(client, pauses).transact(LENA, CLAUSES, token="token")
    except ContextMemoryError as error:
        return client, pauses, error
    return client, pauses, None


def test_the_clauses_that_failed_are_named() -> None:
    _, _, error = transact(cancelled("ConditionalCheckFailed", "None", "None", "ConditionalCheckFailed"))
    assert isinstance(error, CommitRefused)
    assert error.clauses == {"profile", "turn"}
    assert "lena" not in str(error)
    assert error.__context__ is None


@pytest.mark.parametrize(
    "code", ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded", "RequestLimitExceeded"]
)
def test_a_collision_is_waited_out_under_the_same_token(code: str) -> None:
    client, pauses, error = transact(cancelled("None", code, "None", "None"), cancelled(code, "None", "None", "None"))
    assert error is None
    assert [asked["ClientRequestToken"] for asked in client.asked] == ["token"] * 3
    assert len(pauses) == 2
    assert 0 <= pauses[0] <= 0.05
    assert 0 <= pauses[1] <= 0.1


def test_collisions_without_end_are_the_worlds_fault() -> None:
    client, _, error = transact(*[cancelled("TransactionConflict", "None", "None", "None")] * TRIES)
    assert isinstance(error, StoreUnavailable)
    assert len(client.asked) == TRIES


def test_a_failed_condition_outweighs_a_collision() -> None:
    client, _, error = transact(cancelled("ConditionalCheckFailed", "TransactionConflict", "None", "None"))
    assert isinstance(error, CommitRefused)
    assert error.clauses == {"profile"}
    assert len(client.asked) == 1


@pytest.mark.parametrize("code", ["ValidationError", "ItemCollectionSizeLimitExceeded"])
def test_a_cancellation_for_another_reason_is_our_mistake(code: str) -> None:
    _, _, error = transact(cancelled(code, "None", "None", "None"))
    assert isinstance(error, StoreRejected)


def test_a_cancellation_that_names_no_reason_is_no_refusal_of_a_clause() -> None:
    _, _, error = transact(cancelled())
    assert type(error) is StoreUnavailable


@pytest.mark.parametrize(
    "unknown",
    [
        ReadTimeoutError(endpoint_url="acme#lena"),
        EndpointConnectionError(endpoint_url="acme#lena"),
        fault("InternalServerError", 500),
        fault("ServiceUnavailable", 503),
        fault("ThrottlingException"),
        fault("TransactionInProgressException"),
        fault("IdempotentParameterMismatchException"),
        fault("ExpiredTokenException"),
        fault("AccessDeniedException"),
    ],
    ids=lambda error: error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__,
)
def test_whether_it_was_done_is_unknown_and_not_tried_again_here(unknown: Exception) -> None:
    client, _, error = transact(unknown)
    assert type(error) is StoreUnavailable
    assert "lena" not in str(error)
    assert len(client.asked) == 1


def test_an_update_whose_condition_fails_changes_nothing_and_says_so() -> None:
    client = ScriptedClient(fault("ConditionalCheckFailedException"))
    assert (
        writes_over(client).update(LENA, "TURN#1", Expression(change="ADD #attempts :one", values={"one": 1})) is None
    )


def test_an_update_that_collides_with_a_transaction_is_tried_again() -> None:
    client = ScriptedClient(fault("TransactionConflictException"))
    change = Expression(change="ADD #attempts :one", values={"one": 1})
    assert writes_over(client).update(LENA, "TURN#1", change) == {"attempts": 1}
    endless = ScriptedClient(*[fault("TransactionConflictException")] * TRIES)
    with pytest.raises(StoreUnavailable):
        writes_over(endless).update(LENA, "TURN#1", change)


def test_an_update_that_gets_no_answer_may_have_been_done() -> None:
    with pytest.raises(StoreUnavailable):
        writes_over(ScriptedClient(fault("InternalServerError", 500))).update(LENA, "TURN#1", Expression())


def test_a_turn_that_was_in_the_way_and_has_vanished_is_no_answer() -> None:
    client = ScriptedClient(cancelled("ConditionalCheckFailed", "None", "None"))
    with pytest.raises(StoreUnavailable):
        accept(writes_over(client), LENA, turn_record())


def test_a_stored_change_has_one_token_however_often_it_is_sent() -> None:
    record = turn_record()
    token = token_of(stored(record, version_id="v"))
    assert token == token_of(stored(record, version_id="v"))
    assert len(token) <= 36
    others = {
        token_of(stored(record, version_id="w")),
        token_of(stored(record, turn_count=2, version_id="v")),
        token_of(stored(turn_record(epoch=1), epoch=1, version_id="v")),
    }
    assert len(others | {token}) == 4


def test_an_outcome_without_change_never_meets_the_token_of_another() -> None:
    record = turn_record()
    tokens = {token_of(unchanged(record)), token_of(unchanged(record)), token_of(unchanged(record, reason="again"))}
    assert len(tokens) == 3


def kinds(settlement: Settlement) -> list[tuple[str, str]]:
    table = writes_over(ScriptedClient()).table
    return [(clause.name, *clause.operation) for clause in clauses_of(table, settlement, "token")]


def test_a_stored_change_is_these_operations_in_one_transaction() -> None:
    assert kinds(stored(turn_record("turn-1"), turn_record("turn-2"))) == [
        ("profile", "Put"),
        ("settings", "ConditionCheck"),
        ("turn", "Update"),
        ("open", "Delete"),
        ("turn", "Update"),
        ("open", "Delete"),
        ("seen", "Update"),
        ("revision", "Put"),
    ]


def test_dropped_turns_touch_neither_settings_nor_what_was_seen() -> None:
    dropped = unchanged(turn_record(), outcome=Outcome.DROPPED_ERASED, consolidated_through=None, check_settings=False)
    assert kinds(dropped) == [("turn", "Update"), ("open", "Delete")]


@pytest.mark.parametrize("settlement", [unchanged(turn_record()), stored(turn_record(), base=pointer(1))])
def test_no_update_of_a_turn_can_create_one(settlement: Settlement) -> None:
    table = writes_over(ScriptedClient()).table
    conditions = [
        clause.operation["Update"]["ConditionExpression"]
        for clause in clauses_of(table, settlement, "token")
        if clause.name == "turn"
    ]
    stands = "attribute_exists(#pk) AND #epoch = :epoch AND attribute_not_exists(#profile_outcome)"
    assert conditions == [f"{stands} AND attribute_not_exists(#teaches)"]


def test_a_turn_and_its_open_item_expire_together_after_sixty_days() -> None:
    record = turn_record()
    sixty_days_later = int(record.accepted_at.timestamp()) + 60 * 24 * 3600
    assert turn_item(LENA, record)["expires_at"] == sixty_days_later
    assert open_item(LENA, record)["expires_at"] == sixty_days_later


def test_an_unfinished_turn_has_no_outcome_attribute() -> None:
    assert not {"profile_outcome", "facts_outcome", "revision", "reason"} & turn_item(LENA, turn_record()).keys()
