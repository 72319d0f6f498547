"""A profile's body as the model sees and writes it: six headings with bullets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

IDENTITY = "Identity"
COMMUNICATION = "Communication Preferences"
WORK = "Work Context"
SKILLS = "Skills & Expertise"
FOLLOW_UPS = "Follow-ups"
TOPICS = "Recent Topics"
HEADINGS = (IDENTITY, COMMUNICATION, WORK, SKILLS, FOLLOW_UPS, TOPICS)

PIN = " [pinned]"
EMPTY = "_(empty)_"
_HEADING = re.compile(r"## +(.+?)\s*")


@dataclass(frozen=True, slots=True)
class Line:
    """One bullet: its heading and its text without the leading `- ` and the pin's mark."""

    heading: str
    text: str

    @property
    def folded(self) -> str:
        """One spelling for bullets that differ in case and white space only."""
        return " ".join(self.text.casefold().split())


@dataclass(frozen=True, slots=True)
class Body:
    """All bullets in the order of the file."""

    lines: tuple[Line, ...] = ()

    def under(self, heading: str) -> Iterator[Line]:
        """Bullets of one section."""
        return (line for line in self.lines if line.heading == heading)

    def added(self, new: Line) -> Body:
        """With one more bullet at the end of its section; unchanged when the body holds it already."""
        if any(line.folded == new.folded for line in self.lines):
            return self
        return Body(tuple(line for heading in HEADINGS for line in _section(self.lines, heading, new)))

    def changed(self, old: Line, text: str) -> Body:
        """With another text in the place of `old`, once: an equal bullet elsewhere goes."""
        new = Line(old.heading, text)
        return Body(
            tuple(new if line == old else line for line in self.lines if line == old or line.folded != new.folded)
        )

    def without(self, gone: Iterable[Line]) -> Body:
        """Without these bullets."""
        dropped = frozenset(gone)
        return Body(tuple(line for line in self.lines if line not in dropped))

    def render(self) -> str:
        """The complete body in Markdown, as the consolidation call has to answer."""
        parts = ["# User Memory"]
        for heading in HEADINGS:
            bullets = [f"- {line.text}" for line in self.under(heading)]
            parts.append("\n".join([f"## {heading}", *(bullets or [EMPTY])]))
        return "\n\n".join(parts) + "\n"


def read_body(text: str) -> Body:
    """Read a body as the chain renders it: bullets at the margin, their further lines indented."""
    lines: list[Line] = []
    heading = ""
    for raw in text.splitlines():
        if found := _HEADING.fullmatch(raw):
            heading = found[1]
        elif heading in HEADINGS and raw.startswith("- "):
            lines.append(Line(heading, raw[2:]))
        elif lines and raw.startswith("  "):
            lines[-1] = Line(lines[-1].heading, f"{lines[-1].text}\n{raw}")
    return Body(tuple(Line(line.heading, line.text.removesuffix(PIN).rstrip()) for line in lines))


def _section(lines: tuple[Line, ...], heading: str, new: Line) -> list[Line]:
    own = [line for line in lines if line.heading == heading]
    return [*own, new] if new.heading == heading else own
