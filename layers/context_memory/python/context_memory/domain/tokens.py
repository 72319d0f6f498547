"""What the rules need of a tokenizer."""

from __future__ import annotations

from typing import Protocol


class Tokenizer(Protocol):
    """Counts and cuts text as one encoding does. Text that looks like a special token is plain text, never an error."""

    @property
    def encoding(self) -> str:
        """Name of the encoding, such as `o200k_base`."""

    def count(self, text: str) -> int:
        """Number of tokens of `text`."""

    def head(self, text: str, limit: int) -> str:
        """The longest beginning of `text` that has at most `limit` tokens."""

    def tail(self, text: str, limit: int) -> str:
        """The longest end of `text` that has at most `limit` tokens."""
