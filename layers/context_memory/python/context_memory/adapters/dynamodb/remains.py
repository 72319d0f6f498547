"""What is left of a user in the user table: every item of an older epoch, and every one that knows none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import read_all, spelled_all
from context_memory.adapters.dynamodb.expressions import Expression, delete
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.domain.erasing import Remnant
from context_memory.domain.errors import CommitRefused
from context_memory.ports.erasing import Found

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Executor

    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey

PAGE = 500
"""Items looked at for one batch."""
TOGETHER = 25
"""Items deleted in one transaction: four megabytes hold so many of the largest that we write."""
_KINDS = {
    keys.PROFILE: Remnant.PROFILE,
    keys.SEEN: Remnant.SEEN,
    keys.OPEN: Remnant.OPEN,
    keys.REVISIONS: Remnant.REVISIONS,
    keys.FORGOTTEN: Remnant.FORGOTTEN,
    keys.TURNS: Remnant.TURNS,
    keys.KEPT: Remnant.TURNS,
    keys.FACTS: Remnant.FACTS,
    keys.MOVED: Remnant.FACTS,
    keys.EXTRACTIONS: Remnant.EXTRACTIONS,
    keys.PROMPTS: Remnant.PROMPTS,
}
_OLD = "(attribute_not_exists(#epoch) OR #epoch < :epoch)"


class DynamoItemRemains:
    """`Remains` over the user table.

    Deleted in transactions, which alone can say "unless it has been written anew in the new epoch".

    Args:
        writes: of the user table.
        executor: deletes several transactions of a batch at once.
    """

    def __init__(self, writes: Writes, executor: Executor) -> None:
        self._writes = writes
        self._executor = executor

    def found(self, user: UserKey, epoch: int) -> Iterator[list[Found]]:
        """Items of older epochs, but the tombstone."""
        last: dict[str, Any] | None = {}
        while last is not None:
            page, last = self._page(user, epoch, last)
            if page:
                yield page

    def delete(self, user: UserKey, epoch: int, batch: list[Found]) -> None:
        """Remove what is still of an older epoch."""
        together = [batch[at : at + TOGETHER] for at in range(0, len(batch), TOGETHER)]
        for done in [self._executor.submit(self._delete_together, user, epoch, some) for some in together]:
            done.result()

    def _page(self, user: UserKey, epoch: int, last: dict[str, Any]) -> tuple[list[Found], dict[str, Any] | None]:
        table = self._writes.table
        start: dict[str, Any] = {"ExclusiveStartKey": last} if last else {}
        with told_as_ours(SERVICE), table.credentials.signing(user, table.reading_as):
            answer = table.client.query(
                TableName=table.name,
                KeyConditionExpression="pk = :pk",
                FilterExpression=_OLD,
                ProjectionExpression="sk",
                ExpressionAttributeNames={"#epoch": "epoch"},
                ExpressionAttributeValues=spelled_all({":pk": user.partition, ":epoch": epoch}),
                ConsistentRead=True,
                Limit=PAGE,
                **start,
            )
        names = [read_all(item)["sk"] for item in answer["Items"]]
        return [Found(_kind(name), name) for name in names if name != keys.SETTINGS], answer.get("LastEvaluatedKey")

    def _delete_together(self, user: UserKey, epoch: int, some: Sequence[Found]) -> None:
        old = Expression(condition=_OLD, values={"epoch": epoch})
        left = {found.key for found in some}
        while left:
            clauses = [delete(name, self._writes.table, user, name, old) for name in sorted(left)]
            try:
                self._writes.transact(user, clauses, token=str(uuid4()))
            except CommitRefused as refused:  # written anew since: those are not of before any more
                left -= refused.clauses
            else:
                return


def _kind(sort_key: str) -> Remnant:
    return next((kind for beginning, kind in _KINDS.items() if sort_key.startswith(beginning)), Remnant.OTHERS)
