from __future__ import annotations

import re

import pytest

# Parts text as encodings do: marks keep the line ends behind them, long words fall into several tokens.
_TOKEN = re.compile(r"\s*[\r\n]+|[^\s\w]{1,3}[\r\n]*|\w{1,4}|\s")


class PatternTokenizer:
    """A small tokenizer without vocabulary."""

    encoding = "pattern"

    def count(self, text: str) -> int:
        return len(_TOKEN.findall(text))

    def head(self, text: str, limit: int) -> str:
        return "".join(_TOKEN.findall(text)[: max(limit, 0)])

    def tail(self, text: str, limit: int) -> str:
        return "".join(_TOKEN.findall(text)[-limit:]) if limit > 0 else ""


class ByteTokenizer:
    """The most expensive encoding there can be: a token a byte."""

    encoding = "bytes"

    def count(self, text: str) -> int:
        return len(text.encode())

    def head(self, text: str, limit: int) -> str:
        return text.encode()[: max(limit, 0)].decode(errors="ignore")

    def tail(self, text: str, limit: int) -> str:
        return text.encode()[-limit:].decode(errors="ignore") if limit > 0 else ""


@pytest.fixture(scope="session")
def tokenizer() -> PatternTokenizer:
    return PatternTokenizer()


@pytest.fixture(scope="session")
def byte_tokenizer() -> ByteTokenizer:
    return ByteTokenizer()
