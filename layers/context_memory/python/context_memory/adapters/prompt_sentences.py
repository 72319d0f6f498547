"""What of our own prompts would be recognised if a model handed it back as memory (R7)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from context_memory.domain.profile import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

SHORTEST_SENTENCE = 20

# A line break ends a sentence only before a blank line, a list item, a heading or a table row.
_BLOCKS = re.compile(r"\n[ \t]*(?=\n|[-*+•#|>]|\d{1,2}[.)][ \t])")
# A semicolon ends none: what stands between two is often a list of ordinary words that a user may say as well.
_WIDE_ENDS = "\u3002\uff01\uff1f"  # the full-width full stop, exclamation mark and question mark
_ENDS = re.compile(rf"(?<=[.!?])\s+|(?<=[{_WIDE_ENDS}])")
_EDGES = " \t\n-*+#|<>\"'`_“”„«»()[]{}.:;,!?…" + _WIDE_ENDS
_NUMBER = re.compile(r"^\s*\d{1,2}[.)]\s+")
_MARKS = re.compile(r"[*`]+|\b_+|_+\b")
_CANARY = re.compile(r"\bprompt mark: (\w+(?:-\w+)+)", re.IGNORECASE)


def sentences(text: str) -> Iterator[str]:
    """Sentences of at least 20 characters, folded, each with and without its Markdown marks.

    The full stop and other marks at either end are left out: a model would not copy them faithfully either.
    """
    for block in _BLOCKS.split(text):
        for sentence in _ENDS.split(fold(_NUMBER.sub("", block.strip(_EDGES)))):
            for spelling in {sentence, _MARKS.sub("", sentence)}:
                bare = fold(spelling).strip(_EDGES).casefold()
                if len(bare) >= SHORTEST_SENTENCE:
                    yield bare


def canaries(text: str) -> Iterator[str]:
    """The words behind `Prompt mark:`, planted in prompts so that a copy gives itself away."""
    return (found[1].casefold() for found in _CANARY.finditer(text))
