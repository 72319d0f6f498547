"""Names that people shorten, spelled out, so that "I'm from the US" backs "From the United States."

In capitals some short names are words of a language as well ("US", "IT", "EU"): `in_capitals` tells which of a text's
short words are written as names.
"""

from __future__ import annotations

import re

# Per name: what is read with its capitals ("usa" is Spanish for "uses"), and what is read in any case.
_NAMES = {
    "United States": (r"U\.S\.A\.|U\.S\.|USA|US", r"(?<=the )usa?|united states of america|"
                      r"vereinigten? staaten(?: von amerika)?|[ée]tats[- ]unis|estados unidos|stati uniti"),
    "United Kingdom": (r"U\.K\.", r"uk|vereinigte[sn]? k[öo]nigreich|royaume[- ]uni|reino unido|regno unito"),
    "United Arab Emirates": (r"U\.A\.E\.", r"uae"),
    "European Union": (r"E\.U\.|EU", r"europ[äa]ische[nr]? union|union europ[ée]enne|uni[óo]n europea|unione europea"),
    "New York": (r"N\.Y\.C\.|NY", r"nyc|new york city"),
    "Los Angeles": (r"L\.A\.|LA", r"(?!)"),
    "San Francisco": (r"SF", r"(?!)"),
    "New Zealand": (r"NZ", r"neuseeland"),
}  # fmt: skip
_SPELLINGS = tuple(
    (name, re.compile(rf"(?<!\w)(?:(?-i:{capital})|(?:{anyhow}))(?!\w)", re.IGNORECASE))
    for name, (capital, anyhow) in _NAMES.items()
)
_IN_CAPITALS = re.compile(r"(?<![\w'\u2019])[A-Z]{2,4}(?![\w'\u2019])")
_NO_NAMES = frozenset({"am", "ok"})  # written in capitals although they name nothing
_SHOUTED_FROM_WORDS = 4


def spelled_out(text: str) -> str:
    """`text` with the short and the foreign names of countries and cities in their English spelling."""
    if _is_shouted(text):
        return text
    for name, spelling in _SPELLINGS:
        text = spelling.sub(name, text)
    return text


def in_capitals(text: str) -> frozenset[str]:
    """The words of two to four letters that `text` writes in capitals, folded; none where it is all in capitals."""
    return frozenset() if _is_shouted(text) else frozenset(map(str.casefold, _IN_CAPITALS.findall(text))) - _NO_NAMES


def _is_shouted(text: str) -> bool:
    return text.isupper() and len(text.split()) >= _SHOUTED_FROM_WORDS
