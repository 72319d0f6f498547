"""Embeddings as facts keep them: unit vectors in one byte a dimension, with the name of the model that made them."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_STEPS = 127
"""The largest component that a byte holds."""
_ROUNDED = 128.5
_SIGNED = bytes((value - 128) % 256 for value in range(256))
_USUAL = 30
"""Length of a vector for each dimension's root: so vectors of one model have one length, and few reach `_STEPS`."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One embedding.

    Attributes:
        model: who made it; vectors of different models are never compared.
        values: a signed byte for each dimension; the direction counts, the length does not.
    """

    model: str
    values: bytes

    @property
    def components(self) -> array[int]:
        """The dimensions as small integers."""
        return array("b", self.values)

    @property
    def dimensions(self) -> int:
        """How many there are."""
        return len(self.values)


def quantised(model: str, components: Iterable[float]) -> Vector:
    """Keep the direction of a vector in one byte a dimension; a vector of zeros stays one."""
    values = list(components)
    largest = max(max(values, default=0.0), -min(values, default=0.0))
    length = math.sqrt(math.sumprod(values, values))
    scale = min(_STEPS / largest, _USUAL * math.sqrt(len(values)) / length) if length else 0.0
    # Rounded as numbers above 0, which is twice as fast, and brought back to signed bytes all at once.
    return Vector(model, bytes([int(value * scale + _ROUNDED) for value in values]).translate(_SIGNED))


def cosine(one: Vector, other: Vector) -> float:
    """Cosine of the angle between two vectors of one model; 0 where one of them points nowhere.

    Raises:
        ValueError: they are of different models, or of different size.
    """
    if one.model != other.model or one.dimensions != other.dimensions:
        raise ValueError("Vectors of different models cannot be compared.")
    first, second = one.components, other.components
    length = math.sqrt(math.sumprod(first, first) * math.sumprod(second, second))
    return math.sumprod(first, second) / length if length else 0.0


def between(vectors: Iterable[Vector | None]) -> Vector | None:
    """The direction in the middle of several; None where one is missing, or they cannot be compared."""
    known = list(vectors)
    first = known[0] if known else None
    if first is None or any(
        one is None or (one.model, one.dimensions) != (first.model, first.dimensions) for one in known
    ):
        return None
    columns = zip(*(_of_length_one(one) for one in known if one), strict=True)
    return quantised(first.model, [sum(column) for column in columns])


def _of_length_one(vector: Vector) -> list[float]:
    components = vector.components
    length = math.sqrt(math.sumprod(components, components))
    return [value / length if length else 0.0 for value in components]
