"""A text as a detector reads it: compatibility forms unified, invisible characters gone, every place known."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shadow:
    """`text` is what detectors search; `places` says for each of its characters where it stands in the original."""

    text: str
    places: tuple[int, ...]

    @classmethod
    def of(cls, original: str) -> Shadow:
        """Unify full-width and other compatibility forms, and leave out format characters, place by place."""
        characters: list[str] = []
        places: list[int] = []
        for place, char in enumerate(original):
            unified = "" if unicodedata.category(char) == "Cf" else unicodedata.normalize("NFKC", char)
            characters.append(unified)
            places.extend([place] * len(unified))
        return cls("".join(characters), tuple(places))

    def original(self, span: tuple[int, int]) -> tuple[int, int]:
        """Where a span of the shadow (start, end; not empty) stands in the original."""
        start, end = span
        return self.places[start], self.places[end - 1] + 1
