"""`A#SETTINGS` as an erase sees it: the fence, and what is known of the erase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import read_all, spelled_all, stamp
from context_memory.adapters.dynamodb.erasure_items import erasure_map, erasure_of
from context_memory.adapters.dynamodb.expressions import Expression, delete, put
from context_memory.adapters.dynamodb.state import ERASING
from context_memory.adapters.dynamodb.table import SERVICE
from context_memory.domain.erasing import Standing
from context_memory.domain.errors import CommitRefused

if TYPE_CHECKING:
    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.erasing import Erasure
    from context_memory.domain.ids import UserKey

_TOKENS = UUID("4b8e7c2e-6c5f-4a34-8f0e-52f5d8a7b9c3")
_READ = ("sk", "epoch", "context_memory", "erasure")
_SETTINGS = "settings"
_REFUSED = frozenset({_SETTINGS})
_NO_ERASE = "(attribute_not_exists(#erase_state) OR #erase_state <> :erasing)"


class DynamoTombstones:
    """`Tombstones` over DynamoDB; the port says what each method promises.

    Args:
        writes: of the user table.
    """

    def __init__(self, writes: Writes) -> None:
        self._writes = writes

    def standing(self, user: UserKey) -> Standing:
        """Where the user stands, from one query: between both keys lies nothing of turns."""
        table = self._writes.table
        with told_as_ours(SERVICE), table.credentials.signing(user, table.reading_as):
            found = table.client.query(
                TableName=table.name,
                KeyConditionExpression="pk = :pk AND sk BETWEEN :profile AND :settings",
                ExpressionAttributeValues=spelled_all(
                    {":pk": user.partition, ":profile": keys.PROFILE, ":settings": keys.SETTINGS}
                ),
                ProjectionExpression=", ".join(f"#{name}" for name in _READ),
                ExpressionAttributeNames={f"#{name}": name for name in _READ},
                ConsistentRead=True,
            )
        items = {item["sk"]: item for item in map(read_all, found["Items"])}
        settings: dict[str, Any] = items.get(keys.SETTINGS, {})
        return Standing(
            epoch=settings.get("epoch", 0),
            context_memory=settings.get("context_memory", True),
            has_profile=keys.PROFILE in items,
            erasure=erasure_of(settings["erasure"]) if "erasure" in settings else None,
        )

    def fence(self, user: UserKey, before: Standing, erasure: Erasure, *, context_memory: bool) -> None:
        """Move the epoch and remove pointer, pins and deny rules: the item is written anew, with nothing else in it."""
        tombstone: dict[str, Plain] = {
            "pk": user.partition,
            "sk": keys.SETTINGS,
            "epoch": erasure.epoch,
            "context_memory": context_memory,
            "erased_at": stamp(erasure.requested_at),
            "erase_state": ERASING,
            "erasure": erasure_map(erasure),
        }
        # The new switch rests on the old one, so that is compared, too; where nothing is written, memory is on.
        never_set = "attribute_not_exists(#pk) OR " if before.context_memory and not before.epoch else ""
        not_off = "attribute_not_exists(#context_memory) OR " if before.context_memory else ""
        as_read = Expression(
            condition=f"{never_set}(#epoch = :before AND ({not_off}#context_memory = :switch) AND {_NO_ERASE})",
            values={"before": before.epoch, "switch": before.context_memory, "erasing": ERASING},
        )
        table = self._writes.table
        clauses = [put(_SETTINGS, table, tombstone, as_read), delete("profile", table, user, keys.PROFILE)]
        token = str(uuid5(_TOKENS, f"{user.partition}\0{erasure.receipt_id}"))
        self._writes.transact(user, clauses, token=token)

    def advance(self, user: UserKey, before: Erasure, after: Erasure) -> None:
        """Write `after` on top of `before`; a final one lifts the fence."""
        lifted = "" if after.running else " REMOVE #erase_state"
        step = Expression(
            condition="#erasure.#receipt_id = :receipt_id AND #erasure.#step = :step",
            change=f"SET #erasure = :after{lifted}",
            values={"receipt_id": before.receipt_id, "step": before.step, "after": erasure_map(after)},
        )
        # The client tries again by itself when an answer is lost: then what stands is this very step.
        if self._writes.update(user, keys.SETTINGS, step) is None and self.standing(user).erasure != after:
            raise CommitRefused(_REFUSED)

    def switch(self, user: UserKey, epoch: int, *, on: bool) -> None:
        """Turn memory off for after the running erase, or on where none runs."""
        switched = Expression(
            condition="#epoch = :epoch" + (f" AND {_NO_ERASE}" if on else ""),
            change="SET #context_memory = :on",
            values={"epoch": epoch, "on": on} | ({"erasing": ERASING} if on else {}),
        )
        if self._writes.update(user, keys.SETTINGS, switched) is None:
            raise CommitRefused(_REFUSED)
