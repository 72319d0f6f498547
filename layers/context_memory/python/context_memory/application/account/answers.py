"""What users do about their memory, as the bodies that they get. None of it is on the path of a load."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from context_memory.application.account.use import enabled
from context_memory.application.answers import facts_body, remembered_body, usage_body
from context_memory.application.steps import updating_step
from context_memory.domain.profile import pin_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from context_memory.application.account.history import Origin, Page
    from context_memory.application.account.memory import Remembered
    from context_memory.application.account.settings import OwnSettings
    from context_memory.application.changing.unlearn import Unlearning
    from context_memory.application.changing.wanted import Changed
    from context_memory.domain.facts.rewriting import Rewrite
    from context_memory.domain.kept_turns import KeptTurn
    from context_memory.domain.lineage import Step
    from context_memory.domain.operations import Operation
    from context_memory.domain.revision import Revision
    from context_memory.domain.state import UserSettings
    from context_memory.domain.turn import TurnRecord


def operation_body(operation: Operation) -> dict[str, Any]:
    """One bullet's change: what stood before, what stands after."""
    return {
        "kind": operation.kind.value,
        "section": operation.section.value,
        "before": operation.before,
        "after": operation.after,
    }


def changes_body(changed: Changed) -> dict[str, Any]:
    """What a change did, and what of the wish may not stand; the text of a secret is not told."""
    return {
        "operations": [operation_body(operation) for operation in changed.operations],
        "dropped": [
            {"section": one.section.value, "reason": one.reason.value}
            | ({} if one.text is None else {"text": one.text})
            for one in changed.dropped
        ],
        "cut": [{"section": section.value, "text": text} for section, text in changed.cut],
    }


def changed_body(remembered: Remembered, changed: Changed) -> dict[str, Any]:
    """The memory as `GET /v1/me/memory` shows it, and how it came to that."""
    return {**remembered_body(remembered), "changes": changes_body(changed)}


def preview_body(changed: Changed, etag: str) -> dict[str, Any]:
    """What would become of an import; `removed` counts by kind what the policy would take out."""
    return changes_body(changed) | {
        "removed": [{"kind": kind, "count": count} for kind, count in sorted(_removed(changed).items())],
        "tokens": changed.tokens,
        "cap": changed.standing.company.max_tokens,
        "etag": etag,
    }


def revision_body(revision: Revision) -> dict[str, Any]:
    """A stored change: who, when, why, and what it did."""
    return {
        "n": revision.turn_count,
        "writer": revision.writer.value,
        "written_at": revision.written_at.isoformat(timespec="seconds"),
        "reason": revision.reason,
        "operations": [operation_body(operation) for operation in revision.operations],
        "turns": [
            {
                "turn_id": source.turn_id,
                "chat_id": source.chat_id,
                "occurred_at": source.occurred_at and source.occurred_at.isoformat(timespec="seconds"),
            }
            for source in revision.sources
        ],
        "model": revision.model,
        "prompt_version": revision.prompt_version,
        "policy_version": revision.policy_version,
        "usage": [usage_body(usage) for usage in revision.usage],
        "restored": revision.restored,
        "restorable": not revision.version_gone,
        "redacted": revision.redacted_at is not None,
    }


def revisions_body(page: Page) -> dict[str, Any]:
    """Body of `GET /v1/me/memory/revisions`."""
    return {"revisions": [revision_body(revision) for revision in page.revisions], "next": page.following}


def origins_body(origins: Sequence[Origin]) -> dict[str, Any]:
    """Body of `GET /v1/me/memory/origins`."""
    return {
        "bullets": [
            {
                "id": pin_of(origin.section, origin.text),
                "section": origin.section.value,
                "text": origin.text,
                "chain": [_step_body(step) for step in origin.chain],
            }
            for origin in origins
        ]
    }


def _step_body(step: Step) -> dict[str, Any]:
    revision, operation = step.revision, step.operation
    turns = revision.turn_ids
    return {
        "revision": revision.turn_count,
        "kind": operation.kind.value,
        "writer": revision.writer.value,
        "written_at": revision.written_at.isoformat(timespec="seconds"),
        "turn_id": operation.turn_id or (turns[0] if len(turns) == 1 else None),
        "model": revision.model,
        "prompt_version": revision.prompt_version,
    }


def unlearning_body(unlearning: Unlearning, etag: str) -> dict[str, Any]:
    """What would become of an unlearning; `pinned` are pinned bullets that go or change all the same."""
    return changes_body(unlearning.changed) | {
        "revisions": list(unlearning.revisions),
        "pinned": sorted(unlearning.pinned),
        "etag": etag,
    }


def unlearned_facts_body(facts: Rewrite) -> dict[str, Any]:
    """What an unlearning does to facts, by number."""
    return {"facts": {"removed": len(facts.drops), "restored": len(facts.restored)}}


def settings_body(own: OwnSettings) -> dict[str, Any]:
    """Body of `GET /v1/me/settings`."""
    settings = own.settings
    state = "running" if settings.erase_running else "done"
    return {
        "context_memory": settings.context_memory,
        "enabled": enabled(own.reason),
        "reason": own.reason,
        "erase": settings.erased_at
        and {"state": state, "requested_at": settings.erased_at.isoformat(timespec="seconds")},
        "pins": sorted(settings.pins),
        "deny_rules": deny_rules_body(settings),
        "keep_turns_days": own.keep_turns_days,
    }


def deny_rules_body(settings: UserSettings) -> dict[str, Any]:
    """Body of `GET /v1/me/deny-rules`."""
    return {"phrases": list(settings.deny_phrases), "kinds": sorted(settings.deny_kinds)}


def recent_turn_body(record: TurnRecord) -> dict[str, Any]:
    """What became of one turn, without what was said in it."""
    return {
        "turn_id": record.turn_id,
        "chat_id": record.chat_id,
        "occurred_at": record.occurred_at.isoformat(timespec="seconds"),
        "accepted_at": record.accepted_at.isoformat(timespec="seconds"),
        "status": record.status.value,
        "outcome": record.outcome and record.outcome.value,
        "reason": record.reason,
        "revision": record.revision,
        "facts": facts_body(record),
        "step": updating_step(record.status, record.outcome, record.reason, stored=record.revision is not None),
    }


def kept_turn_body(turn: KeptTurn, until: datetime) -> dict[str, Any]:
    """A turn whose text is kept, without it."""
    return {
        "turn_id": turn.turn_id,
        "chat_id": turn.chat_id,
        "occurred_at": turn.occurred_at.isoformat(timespec="seconds"),
        "kept_until": until.isoformat(timespec="seconds"),
    }


def recent_turns_body(records: Sequence[TurnRecord]) -> dict[str, Any]:
    """Body of `GET /v1/me/turns`."""
    return {"turns": [recent_turn_body(record) for record in records]}


def _removed(changed: Changed) -> Counter[str]:
    """Secrets by their own kind, everything else by the reason it was dropped for; only a secret's text is not told."""
    return Counter(one.reason.value for one in changed.dropped if one.text is not None) + Counter(changed.hits)
