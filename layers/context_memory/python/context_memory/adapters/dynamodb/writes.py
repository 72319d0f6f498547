"""Conditional writes of one user's items: refusals are told by clause, collisions are waited out."""

from __future__ import annotations

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
from context_memory.adapters.dynamodb.transactions import TRIES, given_up, pause_before, transact
from context_memory.adapters.sts import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from context_memory.adapters.dynamodb.expressions import Clause, Expression
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.domain.ids import UserKey

_CLAUSES = 100
"""As many as one transaction may have."""
_COLLISION_OF_AN_UPDATE = "TransactionConflictException"


@dataclass(frozen=True, slots=True, kw_only=True)
class Writes:
    """Writes to the user table.

    Args:
        table: the user table.
        pause: sleeps that many seconds.
        role: that writes.
    """

    table: Table
    pause: Callable[[float], None] = time.sleep
    role: Role = Role.WRITE

    def update(self, user: UserKey, sort_key: str, expression: Expression) -> dict[str, Any] | None:
        """Change one item if its condition holds.

        Returns:
            The item as it then stands, or None when the condition failed and nothing changed.

        Raises:
            StoreUnavailable: it may or may not have changed.
        """
        for retries in range(TRIES):
            pause_before(retries, self.pause)
            with told_as_ours(SERVICE), self.table.credentials.signing(user, self.role):
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
        raise given_up()

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
        table = self.table
        transact(
            table.client,
            clauses,
            token=token,
            signing=lambda: table.credentials.signing(user, self.role),
            pause=self.pause,
        )
