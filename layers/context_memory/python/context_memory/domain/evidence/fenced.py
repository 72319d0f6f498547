"""Which lines are quoted or stand in a code fence, as people type them rather than as the standard has them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from context_memory.domain.evidence.quoted import is_quoted
from context_memory.domain.language.invisible import as_seen

_OPENING = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")
_TICKS = re.compile("`{3,}")


def fenced_lines(text: str) -> list[tuple[str, bool]]:
    """The lines of `text`, each with whether it is part of a fenced block (its fences included).

    A block that is never closed reaches to the end. A fence with an info string inside a block opens an inner one.
    Three backticks in the middle of a line, closed on a later line, enclose a block as well; such lines are split.
    A text whose last line opens a block of nothing was meant to end in one: a fence among the pasted lines had
    closed it early, so all from the first fence on is taken as one block.
    """
    lines = text.rstrip().splitlines()
    last_ticks = max((at for at, line in enumerate(lines) if _TICKS.search(line)), default=-1)
    scan = _Scan()
    for at, line in enumerate(lines):
        scan.read(line, more_ticks_follow=at < last_ticks)
    return scan.result(lines[-1] if lines else "")


@dataclass(slots=True)
class _Scan:
    """One pass over the lines; `fences` are the open block fences, innermost last."""

    marked: list[tuple[str, bool]] = field(default_factory=list)
    fences: list[str] = field(default_factory=list)
    in_ticks: bool = False
    starts: list[int] = field(default_factory=list)

    def read(self, line: str, *, more_ticks_follow: bool) -> None:
        """Mark one line."""
        if self.in_ticks:
            self._read_within_ticks(line)
        elif self.fences:
            self._read_within_fence(line)
        elif opening := _OPENING.match(as_seen(line)):
            self._open(opening["fence"])
            self.marked.append((line, True))
        else:
            self._read_outside(line, more_ticks_follow=more_ticks_follow)

    def result(self, last_line: str) -> list[tuple[str, bool]]:
        """The marked lines, once all are read."""
        ends_where_one_opens = bool(self.starts) and self.starts[-1] == len(self.marked) - 1
        lone_ticks_at_the_end = not self.in_ticks and _unpaired(last_line) and last_line.endswith("```")
        if self.starts and ((self.fences and ends_where_one_opens) or lone_ticks_at_the_end):
            first = self.starts[0]
            self.marked[first:] = [(line, True) for line, _ in self.marked[first:]]
        return self.marked

    def _open(self, fence: str) -> None:
        self.starts.append(len(self.marked))
        self.fences.append(fence)

    def _read_within_fence(self, line: str) -> None:
        self.marked.append((line, True))
        bare, fence = line.strip(), self.fences[-1]
        if len(bare) >= len(fence) and set(bare) == {fence[0]}:
            self.fences.pop()
        elif (inner := _OPENING.match(line)) and inner["fence"][0] == fence[0] and inner["info"].strip():
            self.fences.append(inner["fence"])

    def _read_within_ticks(self, line: str) -> None:
        closing = _TICKS.search(line)
        end = closing.end() if closing else len(line)
        self.marked.append((line[:end], True))
        if closing:
            self.marked.append((line[end:], False))
            self.in_ticks = False

    def _read_outside(self, line: str, *, more_ticks_follow: bool) -> None:
        runs = list(_TICKS.finditer(line))
        if is_quoted(line) or not (_unpaired(line) and more_ticks_follow):
            self.marked.append((line, False))
            return
        self.marked.append((line[: runs[-1].start()], False))
        self.starts.append(len(self.marked))
        self.marked.append((line[runs[-1].start() :], True))
        self.in_ticks = True


def _unpaired(line: str) -> bool:
    return len(_TICKS.findall(line)) % 2 == 1
