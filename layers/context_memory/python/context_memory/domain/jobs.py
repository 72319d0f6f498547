"""Work that is done later, by `maintain`: ids and kinds, never text."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.domain.facts.scopes import SharedScope

if TYPE_CHECKING:
    from datetime import date, datetime

    from context_memory.domain.ids import UserKey

JOB_ID = r"^[A-Za-z0-9-]{1,64}$"
"""What the id of a walk looks like."""
LONGEST_DELAY_SECONDS = 900
"""Of a message, as SQS has it; what must wait longer is sent again."""


class JobKind(StrEnum):
    """What can be put off. All but the last four are about one user; `walk` is a walk's next stretch."""

    ERASE = "erase"
    FOLLOW_UP = "follow_up"
    CONDENSE = "condense"
    REDACT = "redact"
    TIDY = "tidy"
    LEGACY = "legacy"
    EMBED = "embed"
    CHECK_FACTS = "check_facts"
    EXPIRE = "expire"
    WALK = "walk"
    MERGE = "merge"
    PUBLISH = "publish"


WITH_ID = frozenset({JobKind.WALK, JobKind.MERGE})
"""Kinds that are about something with an id of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserJob:
    """Work about one user.

    Attributes:
        epoch: the epoch that it is about; of an erase the one that it opens. None: whatever counts then.
        turn_count: the revision that it follows up; of a redaction that goes on the last one that was looked at.
        off: of an erase whether memory is off after it.
        due: the day of the agenda's entry that asks for it, no part of what makes it this job; None: none does.
        mark: that entry's, likewise.
    """

    kind: JobKind
    user: UserKey
    epoch: int | None = None
    turn_count: int | None = None
    off: bool = False
    due: date | None = field(default=None, compare=False)
    mark: str | None = field(default=None, compare=False)

    @property
    def entry(self) -> AgendaEntry | None:
        """The entry to strike once the work is done, as it was when it was rung for."""
        if self.due is None:
            return None
        company_id = self.user.company_id
        return AgendaEntry(company_id=company_id, kind=self.kind, due=self.due, user=self.user, mark=self.mark)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyJob:
    """Work about a company as such: `expire`, which sets a walk off."""

    kind: JobKind
    company_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkJob:
    """The next stretch of a walk through a company's users; what it does stands in the company table."""

    company_id: str
    job_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeJob:
    """What is next of a merge of two users' facts, or of its undoing; how far it is stands in the company table.

    `due` and `mark` are those of the agenda's entry that asks for it, as of a `UserJob`.
    """

    company_id: str
    job_id: str
    due: date | None = field(default=None, compare=False)
    mark: str | None = field(default=None, compare=False)

    @property
    def entry(self) -> AgendaEntry | None:
        """The entry to strike once the merge is at rest."""
        if self.due is None:
            return None
        return AgendaEntry(
            company_id=self.company_id, kind=JobKind.MERGE, due=self.due, job_id=self.job_id, mark=self.mark
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeJob:
    """`publish`: facts that a company shares, in all of it or in one space, are to be found as they are.

    `due` and `mark` are those of the agenda's entry that asks for it, as of a `UserJob`.
    """

    scope: SharedScope
    due: date | None = field(default=None, compare=False)
    mark: str | None = field(default=None, compare=False)

    @property
    def entry(self) -> AgendaEntry | None:
        """The entry to strike once the work is done, as it was when it was rung for."""
        if self.due is None:
            return None
        company_id, space_id = self.scope.company_id, self.scope.space_id
        return AgendaEntry(company_id=company_id, kind=JobKind.PUBLISH, due=self.due, space_id=space_id, mark=self.mark)


type Job = UserJob | CompanyJob | WalkJob | MergeJob | ScopeJob
"""All that the queue of jobs carries."""


def job_body(job: Job) -> dict[str, str | int | bool]:
    """A job as its message spells it; `contracts.messages.parse_queued` reads it back."""
    if isinstance(job, WalkJob):
        return {"job": "walk", "company_id": job.company_id, "job_id": job.job_id}
    if isinstance(job, CompanyJob):
        return {"job": job.kind.value, "company_id": job.company_id}
    day = {"due": job.due.isoformat()} if job.due else {}
    mark = {"mark": job.mark} if job.mark else {}
    if isinstance(job, MergeJob):
        return {"job": "merge", "company_id": job.company_id, "job_id": job.job_id, **day, **mark}
    if isinstance(job, ScopeJob):
        space = {"space_id": job.scope.space_id} if job.scope.space_id is not None else {}
        return {"job": "publish", "company_id": job.scope.company_id, **space, **day, **mark}
    counts = {"epoch": job.epoch, "turn_count": job.turn_count}
    ids = {"job": job.kind.value, "company_id": job.user.company_id, "user_id": job.user.user_id}
    off: dict[str, bool] = {"off": True} if job.off else {}
    return ids | {name: count for name, count in counts.items() if count is not None} | day | mark | off


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaEntry:
    """Something that must be looked at on a day or soon after.

    Attributes:
        user: whom it is about; None when it is about the whole company.
        job_id: the walk or the merge, of an entry of the kind `walk` or `merge`.
        space_id: the space, of an entry of the kind `publish` that is not about the whole company.
        rung_at: when the queue was last told of it; no part of what makes it this entry.
        mark: which noting it is of, as the agenda gives it out; None: whichever.
    """

    company_id: str
    kind: JobKind
    due: date
    user: UserKey | None = None
    job_id: str | None = None
    space_id: str | None = None
    rung_at: datetime | None = field(default=None, compare=False)
    mark: str | None = field(default=None, compare=False)

    def job(self) -> Job:
        """The work that it asks for, about whatever epoch and revision count when it is begun."""
        if self.job_id is not None and self.kind is JobKind.MERGE:
            return MergeJob(company_id=self.company_id, job_id=self.job_id, due=self.due, mark=self.mark)
        if self.job_id is not None:
            return WalkJob(company_id=self.company_id, job_id=self.job_id)
        if self.kind is JobKind.PUBLISH:
            return ScopeJob(scope=SharedScope(self.company_id, self.space_id), due=self.due, mark=self.mark)
        if self.user is not None:
            return UserJob(kind=self.kind, user=self.user, due=self.due, mark=self.mark)
        return CompanyJob(kind=self.kind, company_id=self.company_id)
