"""What users send about their own memory: edits, files, pins and rules, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from context_memory.contracts.body import Body, Strict
from context_memory.domain import deny_rules
from context_memory.domain.editing.edit import edited_markdown, edited_sections
from context_memory.domain.editing.importing import imported_markdown
from context_memory.domain.errors import InvalidInput
from context_memory.domain.facts.files.lines import MOST_LINES, entries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.facts.files.lines import Line
    from context_memory.domain.ids import UserKey
    from context_memory.domain.profile import Bullets

_MOST_PINS = 1000
_MOST_SECTIONS = 100
_LONGEST_RAW_PHRASE = 1000  # white space and hidden characters in it do not count


class EditedSection(Strict):
    """One section as a page of ours sends it."""

    heading: str
    bullets: list[str]


class EditBody(Body):
    """The whole memory as the user wants it: Markdown, or section by section."""

    memory: str | None = None
    sections: Annotated[list[EditedSection], Field(max_length=_MOST_SECTIONS)] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.memory is None) == (self.sections is None):
            raise ValueError("must have exactly one of memory and sections")
        return self

    def bullets(self, user: UserKey) -> Bullets:
        """The body that `user` wants.

        Raises:
            InvalidInput: it cannot be read as theirs.
        """
        if self.sections is not None:
            return edited_sections([(section.heading, section.bullets) for section in self.sections])
        return edited_markdown(self.memory or "", owner=user.user_id)


class ImportBody(Body):
    """A file: plain Markdown, or what an export has put out, of which memory and facts are read."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    memory: str
    format: Literal["context-memory/export"] | None = None
    version: Literal[1] | None = None
    user_id: str | None = None
    facts: Annotated[list[Any], Field(max_length=MOST_LINES)] | None = None

    def fact_lines(self) -> Sequence[Line] | None:
        """The facts of the file, one a line; None where it has no list of them."""
        return None if self.facts is None else entries(self.facts, "facts")

    def bullets(self, user: UserKey) -> Bullets:
        """The body that the file holds.

        Raises:
            InvalidInput: it names another owner, or cannot be read in good time.
        """
        if self.user_id not in {None, user.user_id}:
            raise InvalidInput("user_id", "must be the user's own: the file names another owner")
        return imported_markdown(self.memory, owner=user.user_id, field="memory")


class PinsBody(Body):
    """The bullets that are to be pinned, by their ids, and no others."""

    pins: Annotated[list[Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]], Field(max_length=_MOST_PINS)]


class DenyRulesBody(Body):
    """What is never to be remembered."""

    phrases: list[Annotated[str, Field(max_length=_LONGEST_RAW_PHRASE)]] = Field(default=[])
    kinds: list[Literal["health", "religion", "politics", "family", "location"]] = Field(default=[])

    def rules(self) -> tuple[tuple[str, ...], frozenset[str]]:
        """Phrases and kinds.

        Raises:
            InvalidInput: names the phrase that cannot be one, by its place.
        """
        return deny_rules.checked(self.phrases, self.kinds)


class SettingsBody(Body):
    """Memory on or off; off erases for good, which `confirm` says is known."""

    context_memory: bool
    confirm: bool = False
