"""What a company's administrators set for it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SMALLEST_CAP, LARGEST_CAP = 500, 8000
"""Tokens that a company may let its profiles have at most, or a space be shown: from, to."""
LONGEST_REVISION_DAYS, MOST_REVISIONS = 365, 1000
LONGEST_ABSENCE_MONTHS = 60
FEWEST_FACTS, MOST_FACTS = 20, 2000
"""Facts that a company may let a user have at most: from, to."""
LONGEST_KEEP_DAYS = 365
"""Days that a company may keep what was said in a turn, once its facts are extracted."""


class Special(StrEnum):
    """Kinds of personal data that are remembered of nobody, unless their company allows it."""

    BELIEF = "belief"
    POLITICS = "politics"
    ETHNICITY = "ethnicity"
    ORIENTATION = "orientation"
    UNION = "union"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long revisions are kept: the newest `revisions` of a user, and none for more than `revision_days` days."""

    revision_days: int = 90
    revisions: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUse:
    """What a request that does not say otherwise does with the memory."""

    read: bool = True
    write: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanySettings:
    """All that a company's administrators set.

    Attributes:
        max_tokens: cap of its profiles.
        legacy: whether files at the legacy place are read.
        retention: how long revisions are kept.
        allowed_special: kinds that may be remembered all the same.
        inherit_memory: whether work that an agent delegates has the memory of the user whose turn delegated it.
        expire_after_months: months without a turn after which a user's memory is erased; None: never.
        use_memory: what requests do with the memory that do not say it.
        facts_cap: how many facts a user may have.
        keep_turns_days: how long the text of a turn is kept at most that facts were extracted from; 0: not at all.
    """

    max_tokens: int = 2000
    legacy: bool = False
    retention: Retention = Retention()
    allowed_special: frozenset[Special] = frozenset()
    inherit_memory: bool = False
    expire_after_months: int | None = None
    use_memory: MemoryUse = MemoryUse()
    facts_cap: int = 200
    keep_turns_days: int = 0


DEFAULTS = CompanySettings()
"""The settings of a company that has set nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSettings:
    """A company's settings and how often they were written; version 0 is a company that never wrote any.

    `closed`: the company was closed to be erased, and has no memory, whatever is switched; `closed_by` names the walk.
    """

    settings: CompanySettings
    version: int = 0
    closed: bool = False
    closed_by: str | None = None


def policy_version(version: str, allowed: frozenset[Special], denied: Sequence[str] = ()) -> str:
    """Names the content policy of one user: the service's, what the company allows beyond it, what the user denies.

    A profile that was checked under another name is checked again as a whole. Of what the user denies only a hash is
    named: revisions tell the name.
    """
    rules = hashlib.sha256("\0".join(denied).encode()).hexdigest()[:8]
    return "+".join((version, *sorted(allowed), *([f"denied-{rules}"] if denied else ())))
