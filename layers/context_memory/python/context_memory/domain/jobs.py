"""Work that is done later, by `maintain`: ids and kinds, never text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from context_memory.domain.ids import UserKey


class JobKind(StrEnum):
    """What can be put off. All but the last are about one user."""

    ERASE = "erase"
    FOLLOW_UP = "follow_up"
    CONDENSE = "condense"
    REDACT = "redact"
    TIDY = "tidy"
    LEGACY = "legacy"
    EXPIRE = "expire"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserJob:
    """Work about one user.

    Attributes:
        epoch: the epoch that it is about; of an erase the one that it opens. None: whatever counts then.
        turn_count: the revision that it follows up.
    """

    kind: JobKind
    user: UserKey
    epoch: int | None = None
    turn_count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkJob:
    """The next stretch of a walk through a company's users; what it does stands in the company table."""

    company_id: str
    job_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaEntry:
    """Something that must be looked at on a day or soon after; `user` is None when it is about the whole company."""

    company_id: str
    kind: JobKind
    due: date
    user: UserKey | None = None
