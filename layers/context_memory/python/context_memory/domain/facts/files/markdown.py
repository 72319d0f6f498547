"""Markdown: bullets under headings that name tiers.

# core
- Answers in German.

# contextual
- Works at Novartis
  in Basel.

Bullets before any heading, and under headings that name no tier, are contextual. A line that is indented, or follows
its bullet at once, belongs to it. Whatever else stands there brings no fact, and is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from context_memory.domain.facts.admitting import Unfit, Written
from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.files.lines import Line, bounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_BULLET = re.compile(r"[ \t]*[-*+](?:[ \t]+(.*))?")
_RULE = re.compile(r"[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_LINE_END = re.compile(r"\r\n?|\n")
_DEEPEST_HEADING, _LOWEST_HEADING = 3, 6
"""Blanks that a heading may be indented by, and signs that it may begin with."""
_TIERS = {tier.value: tier for tier in Tier}


@dataclass(slots=True)
class _Bullet:
    """A bullet in the making: where it begins, and what its lines say."""

    number: int
    tier: Tier | None
    parts: list[str] = field(default_factory=list)


def markdown(text: str, name: str) -> Sequence[Line]:
    """The facts of a file, in its order.

    Args:
        text: the file.
        name: of the field that it was sent in.

    Raises:
        InvalidInput: too many.
    """
    lines = _LINE_END.split(text.removeprefix("\ufeff"))
    return bounded(sorted(_read(lines), key=lambda line: line.number), name)


def _read(lines: Iterable[str]) -> list[Line]:
    tier: Tier | None = None
    bullets: list[_Bullet] = []
    unread: list[Line] = []
    open_bullet: _Bullet | None = None
    for number, line in enumerate(lines, start=1):
        if not line.strip() or _RULE.fullmatch(line):
            open_bullet = None
        elif (heading := _heading(line)) is not None:
            tier, open_bullet = _TIERS.get(heading.casefold()), None
        elif bullet := _BULLET.fullmatch(line):
            open_bullet = _Bullet(number, tier, [bullet[1] or ""])
            bullets.append(open_bullet)
        elif open_bullet:
            open_bullet.parts.append(line.strip())
        else:
            unread.append(Line(number, Unfit.UNREADABLE))
    brought = [Line(one.number, Written(text=" ".join(one.parts).strip(), tier=one.tier)) for one in bullets]
    return [*brought, *unread]


def _heading(line: str) -> str | None:
    """What a heading says; None where the line is none."""
    said = line.lstrip(" ")
    title = said.lstrip("#")
    level = len(said) - len(title)
    if len(line) - len(said) > _DEEPEST_HEADING or not 1 <= level <= _LOWEST_HEADING or title[:1].strip():
        return None
    return title.strip().rstrip("#").strip()
