"""What travels through queues and schedules: ids and kinds, never text.

What cannot be read is told without a word of it: an error that nobody catches stands in the log.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from context_memory.domain.errors import InvalidInput
from context_memory.domain.ids import UserKey


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


class Heal(_Message):
    """Look for turns that nobody works on, and for versions that nothing names."""

    job: Literal["heal"]


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


Job = Annotated[Heal | Redrive | Inspect | Pseudonym, Field(discriminator="job")]
_JOB: TypeAdapter[Heal | Redrive | Inspect | Pseudonym] = TypeAdapter(Job)


def parse_job(event: object) -> Heal | Redrive | Inspect | Pseudonym:
    """Read a job of `maintain`.

    Raises:
        InvalidInput: it is none.
    """
    try:
        return _JOB.validate_python(event)
    except ValidationError:
        raise InvalidInput("job", "must be a job of maintain, with its ids and nothing else") from None  # as above
