"""What changed between two states of a profile, bullet by bullet."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from enum import StrEnum

_CHANGED_RATIO = 0.5


class Kind(StrEnum):
    """What happened to a bullet."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Change:
    """One bullet's change: `before` is "" when added, `after` when removed."""

    kind: Kind
    section: str
    before: str
    after: str


def sections(body: str | None) -> dict[str, list[str]]:
    """The bullets of a body by heading, in order; lines of a bullet stay together."""
    found: dict[str, list[str]] = {}
    bullets: list[str] = []
    for line in (body or "").splitlines():
        if line.startswith("## "):
            bullets = found.setdefault(line[3:].strip(), [])
        elif line.startswith("- "):
            bullets.append(line[2:])
        elif line.startswith("  ") and bullets:
            bullets[-1] += f"\n{line[2:]}"
    return found


def difference(before: str | None, after: str | None) -> list[Change]:
    """The changes from one body to another, in the order of the newer one's sections."""
    old, new = sections(before), sections(after)
    return [
        change
        for heading in dict.fromkeys([*new, *old])
        for change in _within(heading, old.get(heading, []), new.get(heading, []))
    ]


def _within(heading: str, old: list[str], new: list[str]) -> list[Change]:
    gone = [bullet for bullet in old if bullet not in new]
    changes: list[Change] = []
    for bullet in (bullet for bullet in new if bullet not in old):
        if match := _nearest(bullet, gone):
            gone.remove(match)
            changes.append(Change(Kind.CHANGED, heading, match, bullet))
        else:
            changes.append(Change(Kind.ADDED, heading, "", bullet))
    return [*changes, *(Change(Kind.REMOVED, heading, bullet, "") for bullet in gone)]


def _nearest(bullet: str, gone: list[str]) -> str | None:
    """The vanished bullet that reads most like this one, if any reads enough like it."""
    ratios = {other: difflib.SequenceMatcher(None, other.split(), bullet.split()).ratio() for other in gone}
    best = max(ratios, key=lambda other: ratios[other], default=None)
    return best if best is not None and ratios[best] >= _CHANGED_RATIO else None
