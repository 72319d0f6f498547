"""Cutting a text that is too long for a prompt: beginning and end stay, the gap is marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.domain.tokens import Tokenizer

GAP = "\n[… left out …]\n"

# Tokens that cover more text than this are so rare that a text of as many characters is not worth counting whole.
_CHARACTERS_OF_A_LONG_TOKEN = 16
_CHARACTERS_COUNTED_WITHOUT_CARE = 20_000


def clip(text: str, limit: int, tokenizer: Tokenizer) -> str:
    """`text` in at most `limit` tokens: itself if it fits, else its head and its tail around `GAP`.

    A text is counted only as far as it can matter, so that a megabyte costs no more than its two ends. Where not even
    the gap fits, the head alone is left.
    """
    window = limit * _CHARACTERS_OF_A_LONG_TOKEN
    if _fits(text, limit, window, tokenizer):
        return text
    room = limit - tokenizer.count(GAP)
    while room > 1:
        tail = room // 2
        clipped = (
            tokenizer.head(text[:window], room - tail).rstrip() + GAP + tokenizer.tail(text[-window:], tail).lstrip()
        )
        # Joined, three pieces may split into other tokens than each alone.
        excess = tokenizer.count(clipped) - limit
        if excess <= 0:
            return clipped
        room -= excess
    return tokenizer.head(text[:window], limit) if limit > 0 else ""


def _fits(text: str, limit: int, window: int, tokenizer: Tokenizer) -> bool:
    # A token covers at least one byte, and a character has at most four.
    if 4 * len(text) <= limit or len(text.encode("utf-8", "surrogatepass")) <= limit:
        return True
    if len(text) > max(2 * window, _CHARACTERS_COUNTED_WITHOUT_CARE):
        return False
    return tokenizer.count(text) <= limit
