"""What several answers hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""A moment with its offset from UTC."""
Count = Annotated[int, Field(ge=0)]


class Told(BaseModel):
    """An object with exactly these members."""

    model_config = ConfigDict(extra="forbid")


class Version(Told):
    """Which version of a memory it is."""

    turn_count: Count
    last_updated: Moment | None
    sha256: str
    tokens: Count


class Freshness(Told):
    """How much of what was said is in it."""

    consolidated_through: Moment | None
    pending: Count
    failed: Count


class StepEntry(Told):
    """What a step leads to."""

    type: Literal["UserMemory"]
    text: str


class Step(Told):
    """What an orchestrator may show of it; an entry and a reason only where there is one."""

    title: str
    status: Literal["running", "completed", "failed"]
    entry: StepEntry | None = None
    reason: str | None = None


class Usage(Told):
    """Tokens of one answered call of a model."""

    purpose: str
    model: str
    input_tokens: Count
    cached_tokens: Count
    output_tokens: Count
