"""Reading an answer of `/embeddings`: as many vectors as there were texts, all of one size, or none at all."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def read_embeddings(body: bytes, asked: int) -> Sequence[Sequence[float]] | None:
    """The vectors in the order of the texts; None when the answer is not what `asked` texts should bring.

    Entries may come in any order where each says which text it belongs to; where none does, their order counts.
    """
    try:
        data = json.loads(body)["data"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    if not isinstance(data, list) or len(data) != asked or not all(isinstance(entry, Mapping) for entry in data):
        return None
    places = [entry.get("index", place) for place, entry in enumerate(data)]
    if not all(type(place) is int for place in places) or sorted(places) != list(range(asked)):
        return None
    vectors = [_numbers(entry.get("embedding")) for _, entry in sorted(zip(places, data, strict=True), key=_place)]
    sizes = {len(vector) for vector in vectors}
    return vectors if len(sizes) <= 1 and 0 not in sizes else None


def _place(entry: tuple[int, object]) -> int:
    return entry[0]


def _numbers(value: object) -> Sequence[float]:
    """The components; empty when one of them is no finite number, or nothing but zeros: it would point nowhere."""
    if not isinstance(value, list) or not all(type(one) in {int, float} for one in value):
        return ()
    try:
        usable = all(math.isfinite(one) for one in value) and any(value)
    except OverflowError:  # an integer that no float can hold
        return ()
    return value if usable else ()
