"""Whether memory works for a turn, and if not, why: one pure function."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.domain.company_settings import CompanySettings

if TYPE_CHECKING:
    from datetime import timedelta

    from context_memory.domain.spaces import SpaceSettings
    from context_memory.domain.state import UserSettings


class Reason(StrEnum):
    """Why memory does not work for a turn. Of several the first is told."""

    FLAGS_UNAVAILABLE = "flags_unavailable"
    COMPANY_OFF = "company_off"
    SPACE_OFF = "space_off"
    SPACE_UNKNOWN = "space_unknown"
    WEB_SEARCH = "web_search"
    USER_OFF = "user_off"
    ERASE_RUNNING = "erase_running"
    RECALL_OFF = "recall_off"
    USE_MEMORY = "use_memory"
    DISABLED = "disabled"
    SUBAGENT = "subagent"
    BLANK = "blank"


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
class CompanyFlags(CompanySettings):
    """All that is switched and set for a company: the operator's flags, and the settings of its administrators.

    `closed`: the company is being erased.
    """

    context_memory: bool = False
    context_memory_with_web_search: bool = False
    daily_tokens: int | None = None
    decided: bool = True
    closed: bool = False

    @classmethod
    def of(cls, flags: OperatorFlags, settings: CompanySettings, *, closed: bool = False) -> CompanyFlags:
        """Both together."""
        return cls(
            context_memory=flags.context_memory,
            context_memory_with_web_search=flags.context_memory_with_web_search,
            daily_tokens=flags.daily_tokens,
            decided=flags.decided,
            closed=closed,
            max_tokens=settings.max_tokens,
            legacy=settings.legacy,
            retention=settings.retention,
            allowed_special=settings.allowed_special,
            inherit_memory=settings.inherit_memory,
            expire_after_months=settings.expire_after_months,
            use_memory=settings.use_memory,
            facts_cap=settings.facts_cap,
            keep_turns_days=settings.keep_turns_days,
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """What the request itself says.

    `wanted` is its `use_memory` for this direction, `web_search` None if unsaid; `blank` says that the user said
    nothing. `inherits` is False of a worker that has no part in the memory of the user, `recalls` says that facts are
    asked for, and `disabled` that the request wants none all the same.
    """

    wanted: bool = True
    web_search: bool | None = None
    blank: bool = False
    inherits: bool = True
    recalls: bool = False
    disabled: bool = False


OPERATORS_REASONS = frozenset({Reason.COMPANY_OFF, Reason.SPACE_UNKNOWN, Reason.WEB_SEARCH})
"""Reasons that hang on the operator's flags, which reach one process after the other."""


def disabled_reason(
    flags: CompanyFlags | None, space: SpaceSettings | None, settings: UserSettings | None, asked: Asked
) -> Reason | None:
    """The first condition that fails, or None when memory works for this turn.

    Args:
        flags: the company's; None when nobody knows them, which is not "off".
        space: what is registered about the space; None when nothing is.
        settings: the user's; None as long as they are not read: then only what holds for all users is looked at.
        asked: what the request says.
    """
    if flags is None:
        return Reason.FLAGS_UNAVAILABLE
    searches = bool(asked.web_search) or (space is not None and space.web_search)
    excludes_search = not flags.context_memory_with_web_search
    fails = {
        Reason.COMPANY_OFF: flags.closed or not flags.context_memory,
        Reason.SPACE_OFF: space is not None and not space.context_memory,
        # Where web search excludes memory, a space nobody registered must say whether it searches.
        Reason.SPACE_UNKNOWN: excludes_search and space is None and asked.web_search is None,
        Reason.WEB_SEARCH: excludes_search and searches,
    }
    if settings is not None:
        fails |= {
            Reason.USER_OFF: not settings.context_memory,
            Reason.ERASE_RUNNING: settings.erase_running,
            Reason.RECALL_OFF: asked.recalls and space is not None and not space.recall.enabled,
            Reason.USE_MEMORY: not asked.wanted,
            Reason.DISABLED: asked.disabled,
            Reason.SUBAGENT: not asked.inherits,
            Reason.BLANK: asked.blank,
        }
    return next((reason for reason in Reason if fails.get(reason)), None)


def may_change(
    reason: Reason | None, flags: CompanyFlags, settings: UserSettings, *, age: timedelta, spread: timedelta
) -> bool:
    """Whether a turn that memory does not work for waits for the operator, unless its user wants nothing kept.

    Whoever accepted the turn may have known newer switches; and a company that was never named has not been switched
    off by anybody, as after an update from a release without switches.

    Args:
        reason: why memory does not work for it.
        flags: the company's.
        settings: the user's.
        age: since the turn was accepted.
        spread: how long switches take to reach every process.
    """
    if reason not in OPERATORS_REASONS or settings.erase_running or not settings.context_memory:
        return False
    return not flags.decided or age < spread
