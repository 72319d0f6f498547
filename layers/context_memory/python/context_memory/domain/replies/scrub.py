"""What the scrub answered: all lines clean, or lines to drop and to shorten."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import MalformedReply
from context_memory.domain.replies.body import COMPLETE
from context_memory.domain.replies.fences import unfenced_lines
from context_memory.domain.replies.reasoning import without_reasoning
from context_memory.domain.replies.replacement import only_shortens
from context_memory.domain.replies.sentinels import first_sentinel

if TYPE_CHECKING:
    from collections.abc import Sequence

_MARKS = r"[`*_\"'\u2018-\u201f]*"
_DROP = re.compile(
    rf"{_MARKS}([0-9]{{1,6}}){_MARKS}[ \t]*[:.\uff1a]?[ \t]*{_MARKS}DROP{_MARKS}[.]?{_MARKS}", re.IGNORECASE
)
_REPLACE = re.compile(r"[`*_]*([0-9]{1,6})[`*_]*[ \t]*[:\uff1a][`*_]*[ \t]+(\S.*)")


@dataclass(frozen=True, slots=True)
class ScrubReply:
    """The lines after the scrub.

    Attributes:
        lines: one entry a line that was asked about, None where it is dropped; a line not mentioned stays.
        failed: positions (from 0) of lines whose replacement says more than they did; they are as they were,
            and the scrub is to be asked once more.
        clean: whether the answer was CLEAN.
    """

    lines: tuple[str | None, ...]
    failed: frozenset[int]
    clean: bool


def read_scrub(text: str | None, *, finish_reason: str, lines: Sequence[str], final: bool = False) -> ScrubReply:
    """Read the answer about `lines`, which were numbered from 1.

    Args:
        text: the answer.
        finish_reason: `stop`, or why it ends early.
        lines: the lines the scrub was asked about.
        final: the second try; a line whose replacement fails now is dropped, and none is `failed`.

    Raises:
        MalformedReply: neither CLEAN alone nor lines about `lines`; the message holds nothing of the answer.
    """
    if finish_reason != COMPLETE:
        raise MalformedReply("The answer was cut off before its end.")
    answer = without_reasoning(text or "")
    sentinel = first_sentinel(answer, ["CLEAN"])
    if sentinel:
        if any(map(str.isalnum, sentinel.behind)):
            raise MalformedReply("CLEAN must stand alone.")
        return ScrubReply(tuple(lines), frozenset(), clean=True)
    verdicts = _verdicts(answer, len(lines))
    failed = frozenset(
        at for at, verdict in verdicts.items() if verdict is not None and not only_shortens(lines[at], verdict)
    )
    for at in failed:
        verdicts[at] = None if final else lines[at]
    kept = [verdicts.get(at, line) for at, line in enumerate(lines)]
    return ScrubReply(tuple(kept), frozenset() if final else failed, clean=False)


def _verdicts(answer: str, count: int) -> dict[int, str | None]:
    """Position to replacement, None for DROP."""
    verdicts: dict[int, str | None] = {}
    for line in unfenced_lines(answer):
        found = _DROP.fullmatch(line) or _REPLACE.fullmatch(line)
        if found is None:
            raise MalformedReply("The answer must be CLEAN, or lines such as '3 DROP' or '3: shorter text'.")
        at = int(found[1]) - 1
        if not 0 <= at < count:
            raise MalformedReply("The answer named a line that was not there.")
        if at in verdicts:
            raise MalformedReply("The answer named a line twice.")
        verdicts[at] = found[2] if found.re is _REPLACE else None
    if not verdicts:
        raise MalformedReply("The answer was empty.")
    return verdicts
