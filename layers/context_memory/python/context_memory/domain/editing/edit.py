"""A user's edit: what they wrote is what they want, section by section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.editing.submitted import check_bounds, check_bullets, read_submitted
from context_memory.domain.errors import UnknownHeading
from context_memory.domain.profile import Bullets, Section, fold
from context_memory.domain.reading import canonical_bullet, with_everything
from context_memory.domain.reading.headings import section_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def edited_markdown(text: str, *, owner: str) -> Bullets:
    """The body that a user wrote as Markdown. What stands before the first heading goes to the end of Work Context.

    Raises:
        UnknownHeading: a heading is none of the six.
        InvalidInput: it names another owner, or is beyond the bounds of `submitted`.
    """
    document = read_submitted(text, owner=owner, field="memory")
    if document.unknown:
        raise UnknownHeading("memory", document.unknown[0][0])
    return _each_once(with_everything(document))


def edited_sections(sections: Sequence[tuple[str, Sequence[str]]]) -> Bullets:
    """The body that a user wrote section by section: headings with bullets; a section that is left out is empty.

    Raises:
        UnknownHeading: a heading is none of the six.
        InvalidInput: beyond the bounds of `submitted`.
    """
    typed = [text for _, texts in sections for text in texts]
    check_bounds("\n".join(typed), field="sections")
    check_bullets(typed, field="sections")
    body: dict[Section, list[str]] = {}
    for position, (heading, texts) in enumerate(sections):
        section = section_of(heading)
        if section is None:
            raise UnknownHeading(f"sections.{position}.heading", heading)
        body.setdefault(section, []).extend(filter(None, map(canonical_bullet, texts)))
    return _each_once(Bullets.of(body))


def _each_once(bullets: Bullets) -> Bullets:
    """A section holds each text once: two that differ in white space only are one."""
    return Bullets.of({section: _first_of_each(texts) for section, texts in bullets.sections()})


def _first_of_each(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple({fold(text): text for text in reversed(tuple(texts))}[key] for key in dict.fromkeys(map(fold, texts)))
