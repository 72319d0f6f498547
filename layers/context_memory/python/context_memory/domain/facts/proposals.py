"""What a model proposes to do with facts, read from its answer and not yet looked at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.domain.facts.fact import Tier


class Operation(StrEnum):
    """What becomes of a fact."""

    ADD = "add"
    CONFIRM = "confirm"
    """It was stated again."""
    SUPERSEDE = "supersede"
    """Something else is true from now on."""
    DELETE = "delete"
    """It is withdrawn, and nothing takes its place."""

    @property
    def names_a_fact(self) -> bool:
        """Whether it is about a fact that was shown."""
        return self is not Operation.ADD

    @property
    def brings_text(self) -> bool:
        """Whether it says what is to be stored."""
        return self in {Operation.ADD, Operation.SUPERSEDE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One operation with the user's words that it rests on.

    Attributes:
        quote: what the user is said to have said.
        number: under which the fact was shown; None for a new one.
        text: the new fact; empty where none is brought.
        tier: None where the model does not say.
    """

    operation: Operation
    quote: str
    number: int | None = None
    text: str = ""
    tier: Tier | None = None
    keywords: tuple[str, ...] = ()
