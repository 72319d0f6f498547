"""Which heading means which section, however it is spelled."""

from __future__ import annotations

import html
import re

from context_memory.domain.profile import Section

_WORD = re.compile(r"[^\W_]+")
_WHOLLY_EMPHASISED = re.compile(r"(\*{1,3}|_{1,3})(.+)\1:?")
_MARKED = re.compile(r"^ {0,3}#{1,4}[ \t](.*)$", re.MULTILINE)
_AROUND = " \t*_`:："  # noqa: RUF001 - the full-width colon is meant
DEEPEST_HEADING = 4


def _key(text: str) -> tuple[str, ...]:
    """The words of a heading; case, marks, a number in front and "and" do not tell headings apart."""
    words = [word for word in _WORD.findall(html.unescape(text).casefold()) if word != "and"]
    while words and words[0].isdigit():
        del words[0]
    return tuple(words)


_TITLE = _key("User Memory")
_SECTIONS = {_key(section.value): section for section in Section} | {
    _key("Followups"): Section.FOLLOW_UPS,
    _key("Open Questions / Follow-ups"): Section.FOLLOW_UPS,  # the older heading
    _key("Open Questions / Followups"): Section.FOLLOW_UPS,
}


def section_of(heading: str) -> Section | None:
    """The section that a heading names, None when it is none of the six."""
    return _SECTIONS.get(_key(heading))


def is_title(heading: str) -> bool:
    """Whether a heading is the title of the file."""
    return _key(heading) == _TITLE


def is_ours(heading: str) -> bool:
    """Whether a heading is the title or names a section."""
    return is_title(heading) or section_of(heading) is not None


def holds_our_heading(text: str) -> bool:
    """Whether a line of `text` is one of our headings, marked with hashes."""
    return any(is_ours(found[1]) for found in _MARKED.finditer(text))


def emphasised_heading(line: str) -> str | None:
    """The text of a line that is wholly emphasised and one of our headings in all but form."""
    found = _WHOLLY_EMPHASISED.fullmatch(line.strip())
    return found[2] if found and is_ours(found[2]) else None


def plain(heading: str) -> str:
    """A heading's text without emphasis and colon."""
    return html.unescape(heading).strip(_AROUND)
