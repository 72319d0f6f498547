"""Which lines are quoted, as mails and chats mark it."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from context_memory.domain.language.invisible import as_seen

if TYPE_CHECKING:
    from collections.abc import Sequence

_QUOTE_MARK = re.compile(r"\s*(?:>|&gt;)")
# ">100 people report to me" compares.
_COMPARISON = re.compile(r"\s*(?:>|&gt;)[\d=]")


def is_quoted(line: str) -> bool:
    """Whether a line by itself is quoted: it begins with a quote mark that does not compare."""
    seen = as_seen(line)
    return bool(_QUOTE_MARK.match(seen)) and not _COMPARISON.match(seen)


def quoted_lines(lines: Sequence[str]) -> list[bool]:
    """For every line whether it is quoted; one that compares is quoted too when a neighbour with a mark is quoted."""
    quoted: list[bool] = []
    for is_marked, group in groupby(lines, key=lambda line: bool(_QUOTE_MARK.match(as_seen(line)))):
        run = list(group)
        quoted.extend([is_marked and any(map(is_quoted, run))] * len(run))
    return quoted
