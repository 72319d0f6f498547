"""Counting and cutting text as OpenAI's encodings do.

The vocabulary comes from the folder that `TIKTOKEN_CACHE_DIR` names; without it tiktoken would go to the network.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from typing import TYPE_CHECKING

import tiktoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Some millions of blanks in a row overflow the stack of tiktoken's pattern matcher, so it never sees more than this.
WINDOW = 50_000
_BORDER_SEARCH = 2_000
_SURROGATE = re.compile("[\ud800-\udfff]")


class TiktokenTokenizer:
    """A `Tokenizer` for one encoding, such as `o200k_base`; its vocabulary (some 80 MB) is loaded at first use.

    Text that spells a special token is plain text. A lone surrogate counts as the replacement character, and becomes
    it where text is cut. Counts are exact, but for runs of over 48,000 characters without a word's end.
    """

    def __init__(self, encoding: str = "o200k_base") -> None:
        self._encoding = encoding

    @property
    def encoding(self) -> str:
        """Name of the encoding."""
        return self._encoding

    @cached_property
    def _vocabulary(self) -> tiktoken.Encoding:
        return tiktoken.get_encoding(self._encoding)

    def count(self, text: str) -> int:
        """Number of tokens of `text`."""
        return sum(len(self._tokens(window)) for window in windows(text))

    def head(self, text: str, limit: int) -> str:
        """The beginning of `text` up to the last token border within `limit` tokens; never half a character."""
        tokens: list[int] = []
        for window in windows(text):
            tokens += self._tokens(window)
            if len(tokens) > limit:
                return self._first_within(limit, (tokens[:kept] for kept in range(limit, 0, -1)))
        return text

    def tail(self, text: str, limit: int) -> str:
        """The end of `text` from the first token border within `limit` tokens; never half a character."""
        tokens: list[int] = []
        for window in reversed(tuple(windows(text))):
            tokens = self._tokens(window) + tokens
            if len(tokens) > limit:
                return self._first_within(limit, (tokens[-kept:] for kept in range(limit, 0, -1)))
        return text

    def _tokens(self, text: str) -> list[int]:
        return self._vocabulary.encode_ordinary(text)

    def _first_within(self, limit: int, cuts: Iterable[list[int]]) -> str:
        """The first cut whose text, read by itself, still has at most `limit` tokens: half characters leave gaps."""
        texts = (self._vocabulary.decode_bytes(cut).decode(errors="ignore") for cut in cuts)
        return next((text for text in texts if self.count(text) <= limit), "")


def windows(text: str, size: int = WINDOW) -> Iterator[str]:
    """Cut `text` into pieces of at most `size` characters, where possible at borders that every encoding respects."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    start = 0
    while len(text) - start > size:
        end = _border(text, start + size, max(start, start + size - _BORDER_SEARCH))
        yield text[start:end]
        start = end
    yield text[start:]


def _border(text: str, latest: int, earliest: int) -> int:
    """The last place up to `latest` where a word ends and the next character cannot belong to it."""
    borders = (at for at in range(latest, earliest, -1) if text[at - 1].isalpha() and _ends_a_word(text[at]))
    return next(borders, latest)


def _ends_a_word(character: str) -> bool:
    # An apostrophe does not: `don't` is cut as a whole.
    return character in "\n\r\t" or (character != "'" and unicodedata.category(character)[0] in "PSZ")
