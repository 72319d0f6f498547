"""Which certain secrets a text holds, and the text with them masked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.last_line import accounts, identities, keys, vendor_keys
from context_memory.domain.last_line.shadow import Shadow

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

MASK = "█████"  # the same for every kind and length: it says that something was here, and nothing of it


def _numbers(kinds: tuple[identities.NumberKind, ...]) -> Callable[[str], Iterator[tuple[int, int]]]:
    def find(text: str) -> Iterator[tuple[int, int]]:
        return (span for kind in kinds for span in kind.find(text))

    return find


DETECTORS: dict[str, Callable[[str], Iterator[tuple[int, int]]]] = {
    "iban": accounts.ibans,
    "card": accounts.cards,
    **{name: _numbers(kinds) for name, kinds in identities.NUMBER_KINDS.items()},
    "vendor_key": vendor_keys.vendor_keys,
    "pem_block": keys.private_blocks,
    "signed_token": keys.signed_tokens,
    "address_credentials": keys.address_credentials,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found in one text: hits by kind, and the text with each of them masked."""

    hits: Counter[str]
    masked: str


def inspect(text: str, allow_kinds: Collection[str] = ()) -> Finding:
    """Search `text` for every kind that is not allowed."""
    shadow = Shadow.of(text)
    hits: Counter[str] = Counter()
    spans: list[tuple[int, int]] = []
    for kind, detect in DETECTORS.items():
        if kind not in allow_kinds:
            found = {shadow.original(span) for span in detect(shadow.text)}
            hits[kind] += len(found)
            spans += found
    return Finding(+hits, _mask(text, spans))


def _mask(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Replace spans; overlapping ones become one mask."""
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if start >= done:
            parts += (text[done:start], MASK)
        done = max(done, end)
    return "".join((*parts, text[done:]))
