"""Transactions of conditional writes: refusals are told by clause, collisions are waited out."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import code_of, told_as_ours
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.domain.errors import CommitRefused, StoreRejected, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from mypy_boto3_dynamodb import DynamoDBClient

    from context_memory.adapters.dynamodb.expressions import Clause

TRIES = 5
FIRST_PAUSE_SECONDS = 0.05
"""Upper bound of the first pause; each further bound is twice as long."""

_REFUSED = "ConditionalCheckFailed"
# Codes among a cancellation's reasons that say: nothing was wrong, somebody else was at it.
_COLLISIONS = frozenset(
    {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded", "RequestLimitExceeded"}
)
_random = secrets.SystemRandom()


def transact(
    client: DynamoDBClient,
    clauses: Sequence[Clause],
    *,
    token: str,
    signing: Callable[[], AbstractContextManager[None]],
    pause: Callable[[float], None],
) -> None:
    """Do all clauses or none.

    Args:
        client: DynamoDB, with credentials per request.
        clauses: at most 100, each about another item.
        token: at most 36 characters; repeating it within ten minutes does nothing twice.
        signing: signs the requests made inside.
        pause: sleeps that many seconds.

    Raises:
        CommitRefused: names the clauses whose condition failed.
        StoreUnavailable: also when it is unknown whether it was done.
        StoreRejected: a clause that could never succeed.
    """
    for retries in range(TRIES):
        pause_before(retries, pause)
        with told_as_ours(SERVICE), signing():
            reasons = _try(client, clauses, token)
        if reasons is None:
            return
        if len(reasons) != len(clauses):
            raise StoreUnavailable(f"{SERVICE} cancelled a transaction and did not say why.")
        named = zip(clauses, reasons, strict=True)
        if refused := frozenset(clause.name for clause, reason in named if reason == _REFUSED):
            raise CommitRefused(refused)
        if not _COLLISIONS.intersection(reasons):
            raise StoreRejected(f"{SERVICE} cancelled a transaction for another reason than its conditions.")
    raise given_up()


def _try(client: DynamoDBClient, clauses: Sequence[Clause], token: str) -> Sequence[str] | None:
    """One try; the code of each clause when it was cancelled, None when it was done."""
    try:
        client.transact_write_items(TransactItems=[clause.operation for clause in clauses], ClientRequestToken=token)
    except ClientError as error:
        # A cancelled transaction was not done; any other failure says nothing about it.
        if code_of(error) != "TransactionCanceledException":
            raise
        reasons: Sequence[dict[str, str]] = error.response.get("CancellationReasons", ())  # type: ignore[assignment]  # botocore adds the modelled members of an error to its response
        return [reason.get("Code", "None") for reason in reasons]
    return None


def pause_before(retries: int, pause: Callable[[float], None]) -> None:
    """Wait before a further try, longer each time, so that those who collided come apart."""
    if retries:
        pause(_random.uniform(0, FIRST_PAUSE_SECONDS * 2 ** (retries - 1)))


def given_up() -> StoreUnavailable:
    """What is told of a write that collided in each of its tries."""
    return StoreUnavailable(f"{SERVICE} refused a write because of others at the same item, {TRIES} times.")
