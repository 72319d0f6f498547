"""What administrators read and write of their company, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from context_memory.contracts.body import Body, Strict
from context_memory.domain.company_settings import (
    DEFAULTS,
    FEWEST_FACTS,
    LARGEST_CAP,
    LONGEST_ABSENCE_MONTHS,
    LONGEST_KEEP_DAYS,
    LONGEST_REVISION_DAYS,
    MOST_FACTS,
    MOST_REVISIONS,
    SMALLEST_CAP,
    CompanySettings,
    MemoryUse,
    Retention,
    Special,
)

if TYPE_CHECKING:
    from context_memory.domain.company_settings import StoredSettings
    from context_memory.domain.enablement import OperatorFlags
    from context_memory.domain.spending import Standing


def _repeatable(schema: dict[str, Any]) -> None:
    """What is named twice counts once."""
    schema.pop("uniqueItems", None)


class RetentionBody(Strict):
    """How long revisions are kept."""

    revision_days: Annotated[int, Field(ge=1, le=LONGEST_REVISION_DAYS)] = DEFAULTS.retention.revision_days
    revisions: Annotated[int, Field(ge=1, le=MOST_REVISIONS)] = DEFAULTS.retention.revisions


class MemoryUseBody(Strict):
    """What a request that does not say otherwise does with the memory."""

    read: bool = DEFAULTS.use_memory.read
    write: bool = DEFAULTS.use_memory.write


class CompanyBody(Body):
    """All settings of a company; one that is left out has its default again.

    `closed` is none of them: false opens a company that was closed to be erased, and nothing else can be said.
    """

    max_tokens: Annotated[int, Field(ge=SMALLEST_CAP, le=LARGEST_CAP)] = DEFAULTS.max_tokens
    legacy: bool = DEFAULTS.legacy
    retention: RetentionBody = RetentionBody()
    allowed_special: Annotated[frozenset[Special], Field(json_schema_extra=_repeatable)] = DEFAULTS.allowed_special
    inherit_memory: bool = DEFAULTS.inherit_memory
    expire_after_months: Annotated[int, Field(ge=1, le=LONGEST_ABSENCE_MONTHS)] | None = DEFAULTS.expire_after_months
    use_memory: MemoryUseBody = MemoryUseBody()
    facts_cap: Annotated[int, Field(ge=FEWEST_FACTS, le=MOST_FACTS)] = DEFAULTS.facts_cap
    keep_turns_days: Annotated[int, Field(ge=0, le=LONGEST_KEEP_DAYS)] = DEFAULTS.keep_turns_days
    closed: Literal[False] | None = None

    def settings(self) -> CompanySettings:
        """What it sets."""
        return CompanySettings(
            max_tokens=self.max_tokens,
            legacy=self.legacy,
            retention=Retention(revision_days=self.retention.revision_days, revisions=self.retention.revisions),
            allowed_special=self.allowed_special,
            inherit_memory=self.inherit_memory,
            expire_after_months=self.expire_after_months,
            use_memory=MemoryUse(read=self.use_memory.read, write=self.use_memory.write),
            facts_cap=self.facts_cap,
            keep_turns_days=self.keep_turns_days,
        )


def settings_document(company_id: str, stored: StoredSettings) -> dict[str, Any]:
    """What a company has set: `settings` is what a `PUT` would send."""
    settings = stored.settings
    return {
        "company_id": company_id,
        "closed": stored.closed,
        "settings": {
            "max_tokens": settings.max_tokens,
            "legacy": settings.legacy,
            "retention": {
                "revision_days": settings.retention.revision_days,
                "revisions": settings.retention.revisions,
            },
            "allowed_special": sorted(settings.allowed_special),
            "inherit_memory": settings.inherit_memory,
            "expire_after_months": settings.expire_after_months,
            "use_memory": {"read": settings.use_memory.read, "write": settings.use_memory.write},
            "facts_cap": settings.facts_cap,
            "keep_turns_days": settings.keep_turns_days,
        },
    }


def flags_document(flags: OperatorFlags) -> dict[str, Any]:
    """What the operator switched, which administrators only read."""
    return {
        "context_memory": flags.context_memory,
        "context_memory_with_web_search": flags.context_memory_with_web_search,
        "daily_tokens": flags.daily_tokens,
    }


def budget_document(standing: Standing) -> dict[str, Any]:
    """What the company may spend on the model today and has spent; `used` is null when nobody knows."""
    return {
        "daily_tokens": standing.daily_tokens,
        "used": standing.used,
        "step": standing.step.value,
        "resets_at": standing.resets_at.isoformat(timespec="seconds"),
    }
