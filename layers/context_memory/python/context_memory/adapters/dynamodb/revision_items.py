"""`REVISION#`: what a stored change did and where it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import moment, stamp
from context_memory.adapters.dynamodb.turn_items import usage_map
from context_memory.domain.operations import Operation, OperationKind
from context_memory.domain.profile import Section
from context_memory.domain.turn import Usage
from context_memory.ports.users import Revision

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.domain.ids import UserKey


def revision_item(user: UserKey, revision: Revision) -> dict[str, Plain]:
    """The item of a revision."""
    return {
        "pk": user.partition,
        "sk": keys.revision(revision.epoch, revision.turn_count),
        "epoch": revision.epoch,
        "turn_count": revision.turn_count,
        "version_id": revision.version_id,
        "writer": revision.writer,
        "written_at": stamp(revision.written_at),
        "operations": [_operation_map(operation) for operation in revision.operations],
        "turn_ids": list(revision.turn_ids),
        "model": revision.model,
        "prompt_version": revision.prompt_version,
        "policy_version": revision.policy_version,
        "usage": [usage_map(usage) for usage in revision.usage],
    }


def revision_of(item: Mapping[str, Any]) -> Revision:
    """What a `REVISION#` item says."""
    return Revision(
        epoch=item["epoch"],
        turn_count=item["turn_count"],
        version_id=item["version_id"],
        writer=item["writer"],
        written_at=moment(item["written_at"]),
        operations=tuple(_operation(entry) for entry in item["operations"]),
        turn_ids=tuple(item["turn_ids"]),
        model=item["model"],
        prompt_version=item["prompt_version"],
        policy_version=item["policy_version"],
        usage=tuple(Usage(**usage) for usage in item["usage"]),
    )


def _operation_map(operation: Operation) -> dict[str, Plain]:
    return {
        "kind": operation.kind.value,
        "section": operation.section.value,
        "before": operation.before,
        "after": operation.after,
        "turn_id": operation.turn_id,
    }


def _operation(entry: Mapping[str, Any]) -> Operation:
    return Operation(
        kind=OperationKind(entry["kind"]),
        section=Section(entry["section"]),
        before=entry["before"],
        after=entry["after"],
        turn_id=entry["turn_id"],
    )
