"""Facts of one chat, handed in with the request: ranked with the rest, kept nowhere."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import Fact, Tier, normalised

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

_DIGITS = 20
_PLAIN_PER_TOKEN = 3
"""Characters of an ASCII text that make a token at least; every other character counts as one of its own."""


def ephemeral_facts(texts: Iterable[str], now: datetime) -> tuple[Fact, ...]:
    """Facts of these texts, as of now; their tokens are estimated, for recall loads no tokenizer."""
    return tuple(
        Fact(
            id=_id(text),
            tier=Tier.EPHEMERAL,
            text=text,
            tokens=_tokens(text),
            created_at=now,
            last_confirmed_at=now,
        )
        for text in texts
    )


def _id(text: str) -> str:
    """Like a stored fact's, of a scope that no stored fact can have."""
    return hashlib.sha256(f"ephemeral\0{normalised(text)}".encode()).hexdigest()[:_DIGITS]


def _tokens(text: str) -> int:
    plain = sum(map(str.isascii, text))
    return math.ceil(plain / _PLAIN_PER_TOKEN) + len(text) - plain
