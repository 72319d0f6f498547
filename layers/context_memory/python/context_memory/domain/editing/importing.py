"""A file that a user brings along: everything in it is kept, and what they have already stays.

A bullet of the file that says nothing new (all its words and numbers stand in one bullet of the same section) is left
out; one that says all of a bullet and more takes its place; every other one is added at its section's end. So nothing
is lost, and importing a file twice changes nothing the second time. Pinned bullets stay as they are.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.domain.editing.submitted import read_submitted
from context_memory.domain.pairing import facts
from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.reading import with_everything

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.domain.pairing import Fact


class Mode(StrEnum):
    """What becomes of what is there: it stays, or the file stands in its place."""

    MERGE = "merge"
    REPLACE = "replace"


def imported_markdown(text: str, *, owner: str, field: str) -> Bullets:
    """The body that a file holds. What stands under other headings, or none, goes to the end of Work Context.

    Lines without a letter or digit (rules of tables, ornaments) are left out.

    Raises:
        InvalidInput: it names another owner, or is beyond the bounds of `submitted`.
    """
    document = read_submitted(text, owner=owner, field=field)
    unknown = ((heading, _telling(texts)) for heading, texts in document.unknown)
    return with_everything(
        replace(
            document,
            bullets=Bullets.of({section: _telling(texts) for section, texts in document.bullets.sections()}),
            preamble=_telling(document.preamble),
            unknown=tuple(unknown),
        )
    )


def with_import(base: Bullets, incoming: Bullets, mode: Mode, pins: frozenset[str]) -> Bullets:
    """The body after the import of `incoming`."""
    standing = facts(base)
    pinned = frozenset(fact for fact in standing if pin_of(fact.section, fact.text) in pins)
    if mode is Mode.REPLACE:
        standing = tuple(fact for fact in standing if fact in pinned)
    body = {section: [fact for fact in standing if fact.section is section] for section in Section}
    for new in facts(incoming):
        _take_in(body[new.section], new, pinned)
    return Bullets.of({section: (fact.text for fact in found) for section, found in body.items()})


def _take_in(section: list[Fact], new: Fact, pinned: frozenset[Fact]) -> None:
    if any(old.key == new.key or old.holds(new) for old in section):
        return
    outdone = [place for place, old in enumerate(section) if old not in pinned and new.holds(old)]
    if not outdone:
        section.append(new)
        return
    section[outdone[0]] = new
    for place in reversed(outdone[1:]):
        del section[place]


def _telling(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text for text in texts if any(map(str.isalnum, text)))
