"""What the commit notes about a profile's text, so that load can trim it by numbers alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from context_memory.domain.budget.plan import Frame
from context_memory.domain.profile import Section, fold
from context_memory.domain.rendering import bullet_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SECTIONS = tuple(Section)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Tokens in one encoding: the whole file, its prompt section, the frames of both, and each bullet.

    `prompt_frame` is what a trimmed prompt section costs at most beside its bullets.
    """

    total: int
    prompt: int
    prompt_frame: int
    frame: Frame
    bullets: tuple[int, ...]

    @classmethod
    def largest(cls, sizes: Sequence[Sizes]) -> Sizes:
        """The largest of every figure: a bound for an encoding that nobody counted in."""
        return cls(
            total=max(each.total for each in sizes),
            prompt=max(each.prompt for each in sizes),
            prompt_frame=max(each.prompt_frame for each in sizes),
            frame=Frame(
                fixed=max(each.frame.fixed for each in sizes),
                placeholder=max(each.frame.placeholder for each in sizes),
                marker=max(each.frame.marker for each in sizes),
            ),
            bullets=tuple(map(max, zip(*(each.bullets for each in sizes), strict=True))),
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """One bullet: its section, where its list item stands (byte offsets), when it goes, the day it was last written."""

    section: Section
    start: int
    end: int
    rank: int
    written: date


@dataclass(frozen=True, slots=True)
class BudgetIndex:
    """The notes on one text: where its body begins (byte offset), its bullets, and sizes by encoding."""

    body: int
    entries: tuple[Entry, ...]
    sizes: Mapping[str, Sizes]

    def sizes_in(self, encoding: str) -> Sizes:
        """Sizes in an encoding; the largest that are known when it is another one."""
        return self.sizes.get(encoding) or Sizes.largest(tuple(self.sizes.values()))

    def written_on(self, text: str) -> Mapping[tuple[Section, str], date]:
        """When each bullet was last written, by its section and folded text.

        Args:
            text: the file that this index was built from.
        """
        file = text.encode()
        return {
            (entry.section, fold(bullet_of(file[entry.start : entry.end].decode()))): entry.written
            for entry in self.entries
        }

    def to_json(self) -> str:
        """Compact JSON; sections are numbers in the order of the file, days are ordinals."""
        entries = [
            [_SECTIONS.index(entry.section), entry.start, entry.end, entry.rank, entry.written.toordinal()]
            for entry in self.entries
        ]
        sizes = {
            encoding: [
                [each.total, each.prompt, each.prompt_frame],
                [each.frame.fixed, each.frame.placeholder, each.frame.marker],
                each.bullets,
            ]
            for encoding, each in self.sizes.items()
        }
        return json.dumps({"body": self.body, "entries": entries, "sizes": sizes}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> BudgetIndex:
        """What `to_json` spelled."""
        read = json.loads(text)
        return cls(
            body=read["body"],
            entries=tuple(
                Entry(_SECTIONS[section], start, end, rank, date.fromordinal(day))
                for section, start, end, rank, day in read["entries"]
            ),
            sizes={
                encoding: Sizes(total, prompt, prompt_frame, Frame(*frame), tuple(bullets))
                for encoding, ((total, prompt, prompt_frame), frame, bullets) in read["sizes"].items()
            },
        )
