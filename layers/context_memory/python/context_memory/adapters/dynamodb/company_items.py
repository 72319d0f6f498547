"""Items of the company table as values: `<company>##company` and `<company>##spaces`. No user's key holds `##`.

An attribute that an item does not have was written by a release that did not know it: its default counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb.attributes import spelled_all
from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.domain.company_settings import (
    DEFAULTS,
    CompanySettings,
    MemoryUse,
    Retention,
    Special,
    StoredSettings,
)
from context_memory.domain.ids import decode, encode
from context_memory.domain.spaces import Backend, Cadence, RecallSettings, SpaceSettings, StoredSpace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from context_memory.adapters.dynamodb.attributes import Plain

SETTINGS = "SETTINGS"
_NO_SPACE = SpaceSettings()
_SPECIAL = frozenset(Special)


def company_key(company_id: str) -> dict[str, AttributeValueTypeDef]:
    """Key of a company's settings."""
    return spelled_all({"pk": f"{company_id}##company", "sk": SETTINGS})


def spaces_of(company_id: str) -> str:
    """Partition of a company's spaces."""
    return f"{company_id}##spaces"


def space_key(company_id: str, space_id: str) -> dict[str, AttributeValueTypeDef]:
    """Key of a space."""
    return spelled_all({"pk": spaces_of(company_id), "sk": encode(space_id, "space_id")})


def company_values(settings: CompanySettings) -> dict[str, Plain]:
    """Attributes of a company's settings."""
    return {
        "max_tokens": settings.max_tokens,
        "legacy": settings.legacy,
        "revision_days": settings.retention.revision_days,
        "revisions": settings.retention.revisions,
        "allowed_special": [kind.value for kind in sorted(settings.allowed_special)],
        "inherit_memory": settings.inherit_memory,
        "expire_after_months": settings.expire_after_months,
        "use_memory": {"read": settings.use_memory.read, "write": settings.use_memory.write},
        "facts_cap": settings.facts_cap,
        "keep_turns_days": settings.keep_turns_days,
    }


def stored_company(item: Mapping[str, Any]) -> StoredSettings:
    """A company's settings; an item that only says that the company is closed has the defaults."""
    no, retention = DEFAULTS, DEFAULTS.retention
    return StoredSettings(
        settings=CompanySettings(
            max_tokens=item.get("max_tokens", no.max_tokens),
            legacy=item.get("legacy", no.legacy),
            retention=Retention(
                revision_days=item.get("revision_days", retention.revision_days),
                revisions=item.get("revisions", retention.revisions),
            ),
            # A kind that only a newer release knows is not allowed here.
            allowed_special=frozenset(Special(kind) for kind in item.get("allowed_special", ()) if kind in _SPECIAL),
            inherit_memory=item.get("inherit_memory", no.inherit_memory),
            expire_after_months=item.get("expire_after_months"),
            use_memory=MemoryUse(**item.get("use_memory", {})),
            facts_cap=item.get("facts_cap", no.facts_cap),
            keep_turns_days=item.get("keep_turns_days", no.keep_turns_days),
        ),
        version=item.get("version", 0),
        closed=item.get("closed", False),
        closed_by=item.get("closed_by"),
    )


def closing(walk: str) -> Expression:
    """Closes a company, whatever has closed it before."""
    return Expression(change="SET #closed = :closed, #closed_by = :walk", values={"closed": True, "walk": walk})


def opening(written: Expression, *, closed_by: str | None) -> Expression:
    """The same write, which also opens the company where nothing else than `closed_by` has closed it."""
    closed_by_no_other = "attribute_not_exists(#closed_by) OR #closed_by IN (:nobody, :closed_by)"
    return Expression(
        condition=" AND ".join(filter(None, (f"({closed_by_no_other})", written.condition))),
        change=f"{written.change}, #closed = :closed, #closed_by = :nobody",
        values={**written.values, "closed": False, "closed_by": closed_by, "nobody": None},
    )


def space_values(settings: SpaceSettings) -> dict[str, Plain]:
    """Attributes of a space."""
    return {
        "context_memory": settings.context_memory,
        "web_search": settings.web_search,
        "use_orchestrator_language_model": settings.use_orchestrator_language_model,
        "language_model": settings.language_model,
        "max_tokens": settings.max_tokens,
        "consolidation_gate_enabled": settings.consolidation_gate_enabled,
        "recall": {
            "enabled": settings.recall.enabled,
            "write_back": settings.recall.write_back,
            "pruning": settings.recall.pruning,
            "compaction": settings.recall.compaction,
            "backend": settings.recall.backend.value,
            "cadence": settings.recall.cadence.value,
        },
    }


def stored_space(item: Mapping[str, Any]) -> StoredSpace:
    """A registered space."""
    no = space_values(_NO_SPACE)
    values = {name: item.get(name, default) for name, default in no.items()}
    return StoredSpace(
        space_id=decode(item["sk"], "space_id"),
        settings=SpaceSettings(**values | {"recall": _recall(values["recall"])}),
        version=item["version"],
    )


def _recall(value: bool | Mapping[str, Any]) -> RecallSettings:  # noqa: FBT001 - the attribute of an earlier release
    """Settings of recall; an earlier release kept nothing but whether it was on."""
    if isinstance(value, bool):
        return RecallSettings(enabled=value)
    no = RecallSettings()
    return RecallSettings(
        enabled=value.get("enabled", no.enabled),
        write_back=value.get("write_back", no.write_back),
        pruning=value.get("pruning", no.pruning),
        compaction=value.get("compaction", no.compaction),
        backend=Backend(value.get("backend", no.backend)),
        cadence=Cadence(value.get("cadence", no.cadence)),
    )
