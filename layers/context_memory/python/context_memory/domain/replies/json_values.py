"""JSON as models write it: in fences, between remarks, with commas too many, or cut off."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPENS = re.compile(r"[\[{]")
_STRING_OR_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])', re.DOTALL)
_MOST_STARTS = 200
"""Brackets from which a value is tried to be read: prose may be full of them."""
_DECODER = json.JSONDecoder(strict=False)


def json_values(text: str) -> Iterator[object]:
    """Every object or array in `text`, in order, those inside others aside; what stands between them is passed over."""
    text = _STRING_OR_COMMA.sub(lambda found: found[1] or "", text)
    at = 0
    for _ in range(_MOST_STARTS):
        opening = _OPENS.search(text, at)
        if opening is None:
            return
        try:
            value, at = _DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            at = opening.end()
        else:
            yield value
