"""What has been made of a wish to forget already, when somebody comes to it later."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heeded:
    """What code has made of a wish to forget, so that nobody makes more of it who comes to it later.

    Attributes:
        spared: ids of facts that hold a word of the wish which means others.
        wholly: every word of the wish has meant something.
    """

    spared: frozenset[str] = frozenset()
    wholly: bool = False


UNHEEDED = Heeded()
"""Nothing, as far as anybody knows."""
