"""What travels through queues and schedules: ids and kinds, never text.

What cannot be read is told without a word of it: an error that nobody catches stands in the log.
"""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from context_memory.domain.errors import InvalidInput
from context_memory.domain.facts.scopes import SharedScope
from context_memory.domain.ids import UserKey, company
from context_memory.domain.jobs import JOB_ID, CompanyJob, JobKind, MergeJob, ScopeJob, UserJob, WalkJob

if TYPE_CHECKING:
    from context_memory.domain.jobs import Job


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _OfUser(_Message):
    company_id: str
    user_id: str

    @classmethod
    def parse(cls, body: str) -> Self:
        """Read the body of a message.

        Raises:
            InvalidInput: it is no doorbell.
        """
        try:
            return cls.model_validate_json(body)
        except ValidationError:
            raise InvalidInput("message", "must be a doorbell") from None  # the cause would quote ids

    @property
    def user(self) -> UserKey:
        """Whom it is about."""
        return UserKey(self.company_id, self.user_id)


class DoorbellMessage(_OfUser):
    """Somebody should look at this user's open turns."""

    kind: Literal["turns"] = "turns"


class FactsDoorbellMessage(_OfUser):
    """Somebody should look at this user's turns whose facts are still to be extracted."""

    kind: Literal["facts"] = "facts"


class Heal(_Message):
    """Look for turns that nobody works on, and for versions that nothing names."""

    job: Literal["heal"]


class Compactions(_Message):
    """Look for old facts in every company."""

    job: Literal["compactions"]


class Summaries(_Message):
    """Look for kept turns whose end comes, in every company."""

    job: Literal["summaries"]


class Redrive(_OfUser):
    """Give a dead turn another life."""

    job: Literal["redrive"]
    turn_id: str


class Inspect(_OfUser):
    """Say where a user's turns are, for a support case."""

    job: Literal["inspect"]


class Pseudonym(_OfUser):
    """Say which hash stands for a user in log lines and audit records."""

    job: Literal["pseudonym"]


class ReplayErasure(_OfUser):
    """Erase a user again, if the ledger knows of an erase that the table does not."""

    job: Literal["replay_erasure"]


class ForUser(_OfUser):
    """Work about one user that was put off."""

    job: Literal["erase", "follow_up", "condense", "redact", "tidy", "legacy", "embed", "check_facts"]
    epoch: Annotated[int, Field(strict=True, ge=0)] | None = None
    turn_count: Annotated[int, Field(strict=True, ge=0)] | None = None
    off: bool = False
    due: date | None = None
    mark: Annotated[str, Field(pattern=r"^[0-9a-f]{1,64}$")] | None = None

    def work(self) -> UserJob:
        """What it asks for."""
        return UserJob(
            kind=JobKind(self.job),
            user=self.user,
            epoch=self.epoch,
            turn_count=self.turn_count,
            off=self.off,
            due=self.due,
            mark=self.mark,
        )


class ForCompany(_Message):
    """Work about a company as such."""

    job: Literal["expire"]
    company_id: str

    def work(self) -> CompanyJob:
        """What it asks for."""
        return CompanyJob(kind=JobKind(self.job), company_id=company(self.company_id))


class Walk(_Message):
    """The next stretch of a walk through a company."""

    job: Literal["walk"]
    company_id: str
    job_id: Annotated[str, Field(pattern=JOB_ID)]

    def work(self) -> WalkJob:
        """What it asks for."""
        return WalkJob(company_id=company(self.company_id), job_id=self.job_id)


class MergeOn(_Message):
    """What is next of a merge of two users' facts."""

    job: Literal["merge"]
    company_id: str
    job_id: Annotated[str, Field(pattern=JOB_ID)]
    due: date | None = None
    mark: Annotated[str, Field(pattern=r"^[0-9a-f]{1,64}$")] | None = None

    def work(self) -> MergeJob:
        """What it asks for."""
        return MergeJob(company_id=company(self.company_id), job_id=self.job_id, due=self.due, mark=self.mark)


class Publish(_Message):
    """Facts that a company shares, in all of it or in one space, are to be found as they are."""

    job: Literal["publish"]
    company_id: str
    space_id: str | None = None
    due: date | None = None
    mark: Annotated[str, Field(pattern=r"^[0-9a-f]{1,64}$")] | None = None

    def work(self) -> ScopeJob:
        """What it asks for."""
        return ScopeJob(scope=SharedScope(self.company_id, self.space_id), due=self.due, mark=self.mark)


type Asked = Heal | Compactions | Summaries | Redrive | Inspect | Pseudonym | ReplayErasure
"""What `maintain` is asked by whoever invokes it: the clock, and operators."""
type _Work = ForUser | ForCompany | Walk | MergeOn | Publish
type _Any = Heal | Compactions | Summaries | Redrive | Inspect | Pseudonym | ReplayErasure | _Work
_MESSAGE: TypeAdapter[_Any] = TypeAdapter(Annotated[_Any, Field(discriminator="job")])


def parse_job(event: object) -> Asked | Job:
    """Read a job of `maintain`, as an invocation carries it.

    Raises:
        InvalidInput: it is none.
    """
    try:
        message = _MESSAGE.validate_python(event)
    except ValidationError:
        raise InvalidInput("job", "must be a job of maintain, with its ids and nothing else") from None  # as above
    return message.work() if isinstance(message, ForUser | ForCompany | Walk | MergeOn | Publish) else message


def parse_queued(body: str) -> Job:
    """Read a message of the jobs' queue.

    Raises:
        InvalidInput: it is none, or asks for what only an invocation may.
    """
    try:
        job = parse_job(json.loads(body))
    except ValueError:
        raise InvalidInput("message", "must be a job as JSON") from None  # as above
    if not isinstance(job, UserJob | CompanyJob | WalkJob | MergeJob | ScopeJob):
        raise InvalidInput("job", "must be one that can be put off")
    return job
