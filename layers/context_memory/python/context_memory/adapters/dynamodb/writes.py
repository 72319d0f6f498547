"""Conditional writes of one user's items: refusals are told by clause, collisions are waited out."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from itertools import batched
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from botocore.exceptions import ClientError

from context_memory.adapters.aws_errors import code_of, told_as_ours
from context_memory.adapters.dynamodb.attributes import read_all
from context_memory.adapters.dynamodb.expressions import delete
from context_memory.adapters.dynamodb.keys import key
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.adapters.sts import Role
from context_memory.domain.errors import CommitRefused, StoreRejected, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from context_memory.adapters.dynamodb.expressions import Clause, Expression
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.domain.ids import UserKey

TRIES = 5
FIRST_PAUSE_SECONDS = 0.05
"""Upper bound of the first pause; each further bound is twice as long."""

_CLAUSES = 100
"""As many as one transaction may have."""
_REFUSED = "ConditionalCheckFailed"
# Codes among a cancellation's reasons that say: nothing was wrong, somebody else was at it.
_COLLISIONS = frozenset(
    {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded", "RequestLimitExceeded"}
)
_COLLISION_OF_AN_UPDATE = "TransactionConflictException"
_random = secrets.SystemRandom()


@dataclass(frozen=True, slots=True, kw_only=True)
class Writes:
    """Writes to the user table with the write role.

    Args:
        table: the user table.
        pause: sleeps that many seconds.
    """

    table: Table
    pause: Callable[[float], None] = time.sleep

    def update(self, user: UserKey, sort_key: str, expression: Expression) -> dict[str, Any] | None:
        """Change one item if its condition holds.

        Returns:
            The item as it then stands, or None when the condition failed and nothing changed.

        Raises:
            StoreUnavailable: it may or may not have changed.
        """
        for retries in range(TRIES):
            self._pause_before(retries)
            with told_as_ours(SERVICE), self.table.credentials.signing(user, Role.WRITE):
                try:
                    answer = self.table.client.update_item(
                        TableName=self.table.name,
                        Key=key(user, sort_key),
                        ReturnValues="ALL_NEW",
                        **expression.arguments(),
                    )
                    return read_all(answer["Attributes"])
                except ClientError as error:
                    if code_of(error) == "ConditionalCheckFailedException":
                        return None
                    if code_of(error) != _COLLISION_OF_AN_UPDATE:
                        raise
        raise _given_up()

    def delete(self, user: UserKey, sort_keys: Iterable[str]) -> None:
        """Remove items; absent ones are no error. Some may be gone when it fails.

        Raises:
            StoreUnavailable: it is unknown which are gone.
        """
        for chosen in batched(sorted(sort_keys), _CLAUSES, strict=False):
            self.transact(user, [delete("item", self.table, user, one) for one in chosen], token=str(uuid4()))

    def transact(self, user: UserKey, clauses: Sequence[Clause], *, token: str) -> None:
        """Do all clauses or none.

        Args:
            user: whose items these are.
            clauses: at most 100, each about another item.
            token: at most 36 characters; repeating it within ten minutes does nothing twice.

        Raises:
            CommitRefused: names the clauses whose condition failed.
            StoreUnavailable: also when it is unknown whether it was done.
            StoreRejected: a clause that could never succeed.
        """
        for retries in range(TRIES):
            self._pause_before(retries)
            reasons = self._try(user, clauses, token)
            if reasons is None:
                return
            if len(reasons) != len(clauses):
                raise StoreUnavailable(f"{SERVICE} cancelled a transaction and did not say why.")
            named = zip(clauses, reasons, strict=True)
            if refused := frozenset(clause.name for clause, reason in named if reason == _REFUSED):
                raise CommitRefused(refused)
            if not _COLLISIONS.intersection(reasons):
                raise StoreRejected(f"{SERVICE} cancelled a transaction for another reason than its conditions.")
        raise _given_up()

    def _try(self, user: UserKey, clauses: Sequence[Clause], token: str) -> Sequence[str] | None:
        """One try; the code of each clause when it was cancelled, None when it was done."""
        with told_as_ours(SERVICE), self.table.credentials.signing(user, Role.WRITE):
            try:
                self.table.client.transact_write_items(
                    TransactItems=[clause.operation for clause in clauses], ClientRequestToken=token
                )
            except ClientError as error:
                # A cancelled transaction was not done; any other failure says nothing about it.
                if code_of(error) != "TransactionCanceledException":
                    raise
                reasons: Sequence[dict[str, str]] = error.response.get("CancellationReasons", ())  # type: ignore[assignment]  # botocore adds the modelled members of an error to its response
                return [reason.get("Code", "None") for reason in reasons]
        return None

    def _pause_before(self, retries: int) -> None:
        if retries:
            self.pause(_random.uniform(0, FIRST_PAUSE_SECONDS * 2 ** (retries - 1)))


def _given_up() -> StoreUnavailable:
    return StoreUnavailable(f"{SERVICE} refused a write because of others at the same item, {TRIES} times.")
