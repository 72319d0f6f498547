"""Which bullets stay under a cap, from token counts alone: the one rule of load and of writing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.profile import Bullets, Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Frame:
    """Tokens of what is no bullet: what always stands, one placeholder and the marker, with their line ends."""

    fixed: int
    placeholder: int
    marker: int

    def tokens(self, *, filled: int) -> int:
        """Tokens of a trimmed file with `filled` sections that have bullets, without these bullets."""
        return self.fixed + self.marker + (len(Section) - filled) * self.placeholder


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bullet that may stay: its section, its tokens with its line ends, when it goes, and whether it is pinned."""

    section: Section
    tokens: int
    rank: int
    pinned: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What stays.

    Attributes:
        kept: positions of the bullets that stay, in the order of the file.
        tokens: upper bound of the trimmed file's tokens.
        room: None, or the tokens for the only bullet left, which is longer than that and has to be cut.
    """

    kept: tuple[int, ...]
    tokens: int
    room: int | None = None


def plan(candidates: Sequence[Candidate], frame: Frame, cap: int) -> Plan:
    """Let bullets go, by rank and pinned ones last of all, until the marked file fits into `cap`.

    Args:
        candidates: all bullets in the order of the file.
        frame: tokens of everything else.
        cap: tokens that the whole file may have. When not even the frame fits, nothing is kept.
    """
    kept = dict(enumerate(candidates))
    of_section = Counter(candidate.section for candidate in candidates)
    bullets = sum(candidate.tokens for candidate in candidates)
    for number, candidate in sorted(kept.items(), key=lambda entry: (entry[1].pinned, entry[1].rank)):
        frame_tokens = frame.tokens(filled=len(of_section))
        if frame_tokens + bullets <= cap:
            break
        if len(kept) == 1 and frame_tokens < cap:
            return Plan((number,), cap, room=cap - frame_tokens)
        del kept[number]
        bullets -= candidate.tokens
        of_section -= Counter({candidate.section: 1})
    return Plan(tuple(kept), frame.tokens(filled=len(of_section)) + bullets)


def together(bullets: Iterable[tuple[Section, str]]) -> Bullets:
    """Bullets that stand in a row with their sections as a body."""
    sections: dict[Section, list[str]] = {section: [] for section in Section}
    for section, bullet in bullets:
        sections[section].append(bullet)
    return Bullets.of(sections)
