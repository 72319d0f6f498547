"""Versions of a memory as callers name them: `"<epoch>-<turn_count>-<8 hex>"`, of which a change compares two numbers.

The hex digits stand for what an answer shows beside the memory, such as pins: whoever reads notices that they changed,
whoever writes does not mind.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

type Version = tuple[int, int]
"""Epoch and turn count: what a change of the memory moves on from. `(0, 0)` is nobody's memory yet."""

_SPELLED = re.compile(r'"([0-9]{1,10})-([0-9]{1,10})(?:-[0-9a-f]{8})?"')


def version_etag(epoch: int, turn_count: int, *, beside: str) -> str:
    """The validator of a memory; `beside` are 8 hex digits."""
    return f'"{epoch}-{turn_count}-{beside}"'


def versions_in(etags: Iterable[str]) -> frozenset[Version]:
    """The versions that these validators name; what is none of ours names nothing and matches nothing."""
    found = (_SPELLED.fullmatch(etag) for etag in etags)
    return frozenset((int(one[1]), int(one[2])) for one in found if one)
