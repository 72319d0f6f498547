"""Facts as people send them, and as they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from context_memory.contracts.body import Body
from context_memory.domain.errors import InvalidInput
from context_memory.domain.facts.admitting import LONGEST_KEYWORD, LONGEST_RAW_TEXT, MOST_KEYWORDS, Written
from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.files.json_lines import json_lines
from context_memory.domain.facts.files.lines import MOST_LINES, entries
from context_memory.domain.facts.files.markdown import markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.files.lines import Line

EXPORT_FORMAT = "context-memory/facts"
_Text = Annotated[str, Field(min_length=1, max_length=LONGEST_RAW_TEXT)]
_Keyword = Annotated[str, Field(min_length=1, max_length=LONGEST_KEYWORD)]
_Keywords = Annotated[tuple[_Keyword, ...], Field(max_length=MOST_KEYWORDS)]
_Tier = Literal["core", "contextual", "archival"]


class NewFactBody(Body):
    """A fact to be stored; contextual where no tier is given."""

    text: _Text
    tier: _Tier | None = None
    keywords: _Keywords = ()

    def written(self) -> Written:
        """What it asks for."""
        return Written(text=self.text, tier=self.tier and Tier(self.tier), keywords=self.keywords)


class FactBody(Body):
    """What a fact is to say, or of which tier it is to be; what is left out stays."""

    text: _Text | None = None
    tier: _Tier | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.text is None and self.tier is None:
            raise ValueError("must have text or tier")
        return self

    @property
    def wanted_tier(self) -> Tier | None:
        """The tier that is asked for."""
        return self.tier and Tier(self.tier)


class FactsFileBody(Body):
    """A file of facts: an export as it is, JSON lines, or Markdown bullets under headings that name tiers."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    facts: Annotated[list[Any], Field(max_length=MOST_LINES)] | None = None
    jsonl: str | None = None
    markdown: str | None = None
    user_id: str | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if sum(value is not None for value in (self.facts, self.jsonl, self.markdown)) != 1:
            raise ValueError("must have exactly one of facts, jsonl and markdown")
        return self

    def lines(self, owner: str | None = None) -> Sequence[Line]:
        """The lines of the file.

        Raises:
            InvalidInput: too many; or the file names another owner than `owner`.
        """
        if owner is not None and self.user_id not in {None, owner}:
            raise InvalidInput("user_id", "must be the user's own: the file names another owner")
        if self.jsonl is not None:
            return json_lines(self.jsonl, "jsonl")
        if self.markdown is not None:
            return markdown(self.markdown, "markdown")
        return entries(self.facts or (), "facts")
