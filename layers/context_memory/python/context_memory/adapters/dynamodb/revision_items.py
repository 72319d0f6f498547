"""`REVISION#`: what a stored change did and where it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.attributes import moment, stamp
from context_memory.adapters.dynamodb.condemnations import condemnation_map, condemnation_of
from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.adapters.dynamodb.turn_items import usage_map
from context_memory.domain.operations import Operation, OperationKind
from context_memory.domain.profile import Section
from context_memory.domain.revision import Revision, Source
from context_memory.domain.turn import Usage
from context_memory.domain.writers import Writer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

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
        "writer": revision.writer.value,
        "written_at": stamp(revision.written_at),
        "sources": [_source_map(source) for source in revision.sources],
        "model": revision.model,
        "prompt_version": revision.prompt_version,
        "policy_version": revision.policy_version,
        "usage": [usage_map(usage) for usage in revision.usage],
        "reason": revision.reason,
        "restored": revision.restored,
        "unlearned": condemnation_map(revision.unlearned) if revision.unlearned else None,
        "let_go": list(revision.let_go),
        "moved_legacy": revision.moved_legacy,
        **_redactable(revision),
    }


def redacted(revision: Revision) -> Expression:
    """Writes what a redaction takes out of a revision over its item, unless it is gone."""
    values = _redactable(revision)
    return Expression(
        condition="attribute_exists(#pk)",
        change=f"SET {', '.join(f'#{name} = :{name}' for name in values)}",
        values=values,
    )


def _redactable(revision: Revision) -> dict[str, Plain]:
    return {
        "operations": [_operation_map(operation) for operation in revision.operations],
        "redacted_at": _stamp(revision.redacted_at),
        "version_gone": revision.version_gone,
    }


def revision_of(item: Mapping[str, Any]) -> Revision:
    """What a `REVISION#` item says."""
    return Revision(
        epoch=item["epoch"],
        turn_count=item["turn_count"],
        version_id=item["version_id"],
        writer=Writer(item["writer"]),
        written_at=moment(item["written_at"]),
        operations=tuple(_operation(entry) for entry in item["operations"]),
        sources=_sources(item),
        model=item["model"],
        prompt_version=item["prompt_version"],
        policy_version=item["policy_version"],
        usage=tuple(Usage(**usage) for usage in item["usage"]),
        reason=item.get("reason"),
        restored=item.get("restored"),
        unlearned=condemnation_of(item["unlearned"]) if item.get("unlearned") else None,
        let_go=tuple(item.get("let_go", ())),
        moved_legacy=item.get("moved_legacy", False),
        redacted_at=_moment(item.get("redacted_at")),
        version_gone=item.get("version_gone", False),
    )


def _source_map(source: Source) -> dict[str, Plain]:
    return {
        "turn_id": source.turn_id,
        "chat_id": source.chat_id,
        "occurred_at": _stamp(source.occurred_at),
        "supersedes_turn_id": source.supersedes_turn_id,
    }


def _sources(item: Mapping[str, Any]) -> tuple[Source, ...]:
    """The turns of a revision; items of earlier releases name them by their ids alone."""
    if "sources" not in item:
        return tuple(Source(turn_id) for turn_id in item["turn_ids"])
    return tuple(
        Source(
            turn_id=entry["turn_id"],
            chat_id=entry["chat_id"],
            occurred_at=_moment(entry["occurred_at"]),
            supersedes_turn_id=entry.get("supersedes_turn_id"),
        )
        for entry in item["sources"]
    )


def _stamp(at: datetime | None) -> str | None:
    return None if at is None else stamp(at)


def _moment(text: str | None) -> datetime | None:
    return None if text is None else moment(text)


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
