"""What is to be unlearned, as users and administrators ask for it."""

from __future__ import annotations

from datetime import UTC
from typing import Annotated, Self

from pydantic import AwareDatetime, ConfigDict, Field, model_validator

from context_memory.contracts.body import Body
from context_memory.domain.condemnation import Condemnation

_MOST = 100
_Names = Annotated[list[Annotated[str, Field(min_length=1, max_length=200)]], Field(min_length=1, max_length=_MOST)]


class UnlearnBody(Body):
    """What fits every criterion that is given is unlearned; of a list any entry fits.

    `from` and `to` are about when turns happened: at or after, and before.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    turn_ids: _Names | None = None
    chat_ids: _Names | None = None
    since: Annotated[AwareDatetime | None, Field(alias="from")] = None
    until: Annotated[AwareDatetime | None, Field(alias="to")] = None
    models: _Names | None = None
    prompt_versions: _Names | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if all(value is None for _, value in self):
            raise ValueError("must name at least one criterion")
        if self.since is not None and self.until is not None and self.since >= self.until:
            raise ValueError("must have its from before its to")
        return self

    def condemnation(self) -> Condemnation:
        """What it asks for."""
        return Condemnation(
            turn_ids=frozenset(self.turn_ids or ()),
            chat_ids=frozenset(self.chat_ids or ()),
            since=self.since and self.since.astimezone(UTC),
            until=self.until and self.until.astimezone(UTC),
            models=frozenset(self.models or ()),
            prompt_versions=frozenset(self.prompt_versions or ()),
        )
