"""Whether memory works for a turn, and if not, why: one pure function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.domain.state import UserSettings


SMALLEST_CAP, LARGEST_CAP = 500, 8000
"""Tokens that a company may let its profiles have at most: from, to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorFlags:
    """What the operator switched for a company; `daily_tokens` is its budget where it has one of its own.

    `decided` is False of a company that the operator has never named: it is off, but nobody has switched it off.
    """

    context_memory: bool = False
    context_memory_with_web_search: bool = False
    daily_tokens: int | None = None
    decided: bool = True


NEVER_NAMED = OperatorFlags(decided=False)
"""The flags of a company that the operator has never named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanySettings:
    """What a company's administrators set.

    `max_tokens`: cap of its profiles. `legacy`: whether files at the legacy place are read.
    """

    max_tokens: int = 2000
    legacy: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSettings:
    """A company's settings and how often they were written; version 0 is a company that never wrote any."""

    settings: CompanySettings
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyFlags:
    """All that is switched and set for a company: the operator's flags, and the settings of its administrators."""

    context_memory: bool = False
    context_memory_with_web_search: bool = False
    daily_tokens: int | None = None
    decided: bool = True
    legacy: bool = False
    max_tokens: int = 2000

    @classmethod
    def of(cls, flags: OperatorFlags, settings: CompanySettings) -> CompanyFlags:
        """Both together."""
        return cls(
            context_memory=flags.context_memory,
            context_memory_with_web_search=flags.context_memory_with_web_search,
            daily_tokens=flags.daily_tokens,
            decided=flags.decided,
            legacy=settings.legacy,
            max_tokens=settings.max_tokens,
        )


@dataclass(frozen=True, slots=True)
class SpaceSettings:
    """What is registered about a space."""

    context_memory: bool = True
    web_search: bool = False
    max_tokens: int | None = None
    consolidation_gate_enabled: bool = True
    language_model: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What the request itself says: `wanted` is its `use_memory` for this direction, `web_search` None if unsaid."""

    wanted: bool = True
    web_search: bool | None = None


OPERATORS_REASONS = frozenset({"company_off", "space_unknown", "web_search"})
"""Reasons that hang on the operator's flags, which reach one process after the other."""


def disabled_reason(
    flags: CompanyFlags, space: SpaceSettings | None, settings: UserSettings, asked: Asked
) -> str | None:
    """The first condition that fails, or None when memory works for this turn.

    `flags_unavailable` and `blank` are the callers' to find: the one is raised, the other needs the messages.
    """
    web_search = bool(asked.web_search) or (space is not None and space.web_search)
    reasons = {
        "company_off": not flags.context_memory,
        "space_off": space is not None and not space.context_memory,
        # Where web search excludes memory, a space nobody registered must say whether it searches.
        "space_unknown": not flags.context_memory_with_web_search and space is None and asked.web_search is None,
        "web_search": not flags.context_memory_with_web_search and web_search,
        "user_off": not settings.context_memory,
        "erase_running": settings.erase_running,
        "use_memory": not asked.wanted,
    }
    return next((reason for reason, fails in reasons.items() if fails), None)
