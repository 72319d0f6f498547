"""What is asked of recall. A test holds these models against those who read the bodies (contracts/recall.py)."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from context_memory.contracts.recall import MOST_EPHEMERAL
from context_memory.contracts.turns import Id
from context_memory.domain.facts.fact import LONGEST_TEXT
from context_memory.domain.recall.question import FEWEST_TOKENS, HITS, MOST_HITS, MOST_TOKENS, TOKENS
from context_memory.domain.spaces import Backend


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Worker(_Asked):
    """What a worker says that an agent has sent out."""

    inherit_memory: bool | None = None


class MemoryWanted(_Asked):
    """Whether memory is read where the company's default is another; writing is no business of a recall."""

    read: bool | None = None
    write: bool | None = None


class RecallAsked(_Asked):
    """A question for facts."""

    query: str
    space_id: Id
    chat_id: Id | None = None
    prompt_id: Id | None = None
    parent_turn_id: Id | None = None
    max_hits: Annotated[int, Field(ge=1, le=MOST_HITS)] | None = HITS
    max_injected_tokens_est: Annotated[int, Field(ge=FEWEST_TOKENS, le=MOST_TOKENS)] | None = TOKENS
    ephemeral: (
        Annotated[
            list[Annotated[str, Field(max_length=LONGEST_TEXT)]],
            Field(max_length=MOST_EPHEMERAL),
        ]
        | None
    ) = None
    backend: Annotated[Backend, Field(strict=False)] | None = None
    disable_recall: bool | None = None
    as_subagent: Worker | None = None
    use_memory: MemoryWanted | None = None
    web_search: bool | None = None


class CitationsAsked(_Asked):
    """An answer whose markers are to be resolved."""

    answer: str
    prompt_id: Id
