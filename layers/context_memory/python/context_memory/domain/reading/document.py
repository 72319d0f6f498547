"""What a text says, section by section, whoever wrote it and however."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from context_memory.domain import frontmatter
from context_memory.domain.placeholders import reads_as_placeholder
from context_memory.domain.profile import Bullets, Section
from context_memory.domain.reading.blocks import Block, Kind, blocks, is_date_line
from context_memory.domain.reading.canonical import canonical_bullet
from context_memory.domain.reading.headings import is_title, plain, section_of
from context_memory.domain.rendering import TRUNCATION_MARKER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LINE_END = re.compile(r"\r\n?")
BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Document:
    """A text that was read.

    Attributes:
        frontmatter: the fields at its head (`frontmatter.split` says of which types), None when there are none.
        bullets: what stands under the six headings.
        headed: sections whose heading is there.
        filled: those of them that also have a bullet or a placeholder.
        unknown: every other heading with its bullets, in order.
        preamble: bullets and lines before the first heading.
        truncated: whether the text ends with, or anywhere holds, the marker of a trimmed file.
    """

    frontmatter: Mapping[str, object] | None
    bullets: Bullets
    headed: frozenset[Section]
    filled: frozenset[Section]
    unknown: tuple[tuple[str, tuple[str, ...]], ...]
    preamble: tuple[str, ...]
    truncated: bool


@dataclass(slots=True)
class _Part:
    """A heading (None: nothing stands above) and the blocks below it."""

    heading: str | None
    content: list[Block] = field(default_factory=list)


def parse(text: str, *, drop_trailing_prose: bool = False) -> Document:
    """Read a profile leniently; whatever the text is, this never raises.

    Args:
        text: a stored file, an import, a user's edit, or the body in a model's answer.
        drop_trailing_prose: for answers of models: text behind the last bullet or placeholder of the final section that
            is neither bullet nor date line is a remark and is left out. Prose anywhere else is a bullet a line.
    """
    fields, body = frontmatter.split(_LINE_END.sub("\n", text.removeprefix(BYTE_ORDER_MARK)))
    before, *parts = _parts(blocks(body))
    truncated = any(_is_marker(block) for part in (before, *parts) for block in part.content)
    if drop_trailing_prose and parts:
        parts[-1].content = _without_remark(parts[-1].content)
    sections: dict[Section, tuple[str, ...]] = {}
    filled = set()
    unknown = []
    for part in parts:
        section, bullets = section_of(part.heading or ""), _bullets(part)
        if section is None:
            unknown.append((plain(part.heading or ""), bullets))
            continue
        sections[section] = sections.get(section, ()) + bullets
        if bullets or any(reads_as_placeholder(block.text) for block in part.content):
            filled.add(section)
    return Document(
        frontmatter=fields,
        bullets=Bullets.of(sections),
        headed=frozenset(sections),
        filled=frozenset(filled),
        unknown=tuple(unknown),
        preamble=_bullets(before),
        truncated=truncated,
    )


def _parts(read: Iterable[Block]) -> list[_Part]:
    """What stands before the first heading, then heading by heading. The title, wherever it stands, parts nothing."""
    parts = [_Part(None)]
    for block in read:
        if block.kind is not Kind.HEADING:
            parts[-1].content.append(block)
        elif not is_title(block.text):
            parts.append(_Part(block.text))
    return parts


def _bullets(part: _Part) -> tuple[str, ...]:
    texts = (canonical_bullet(block.text) for block in part.content if not _is_marker(block))
    return tuple(bullet for bullet in texts if bullet is not None)


def _is_marker(block: Block) -> bool:
    return block.kind is Kind.PROSE and block.text == TRUNCATION_MARKER


def _without_remark(content: list[Block]) -> list[Block]:
    """Leave out prose at the end; without any bullet or placeholder before it, it is what the section holds."""
    ends = [
        number
        for number, block in enumerate(content, start=1)
        if block.kind is Kind.BULLET or reads_as_placeholder(block.text) or is_date_line(block.text)
    ]
    if not ends:
        return content
    *kept, last = content[: ends[-1]]
    return [*kept, replace(last, text=last.firm) if last.kind is Kind.BULLET else last]
