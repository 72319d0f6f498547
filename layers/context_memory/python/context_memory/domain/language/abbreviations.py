"""Names that people shorten, spelled out: "I'm from the US" is ground for a bullet on the United States.

In capitals some short names are words of a language as well ("US", "IT", "EU"): `in_capitals` tells which of a text's
short words are written as names.
"""

from __future__ import annotations

import re

# Per name: what is read with its capitals only ("usa" is Spanish for "uses"), and what is read in any case.
_NAMES = {
    "United States": (
        r"U\.S\.A\.|U\.S\.|USA|US",
        r"(?<=the )usa?|united states of america|vereinigten? staaten|[ée]tats[- ]unis|estados unidos|stati uniti",
    ),
    "United Kingdom": (r"U\.K\.", r"uk|vereinigte[sn]? k[öo]nigreich|royaume[- ]uni|reino unido|regno unito"),
    "United Arab Emirates": (r"U\.A\.E\.", r"uae"),
    "European Union": (r"E\.U\.|EU", r"europ[äa]ische[nr]? union|union europ[ée]enne|uni[óo]n europea|unione europea"),
    "New York": (r"N\.Y\.C\.|NY", r"nyc|new york city"),
    "Los Angeles": (r"L\.A\.|LA", None),
    "San Francisco": (r"SF", None),
    "New Zealand": (r"NZ", r"neuseeland"),
}
_SPELLED = tuple(_NAMES)
_SPELLINGS = re.compile(
    "|".join(
        rf"(?P<name{at}>(?<!\w)(?:(?-i:{capital}){f'|{anyhow}' if anyhow else ''})(?!\w))"
        for at, (capital, anyhow) in enumerate(_NAMES.values())
    ),
    re.IGNORECASE,
)
_IN_CAPITALS = re.compile(r"(?<![\w'\u2019])[A-Z]{2,4}(?![\w'\u2019])")
_NO_NAMES = frozenset({"am", "ok"})  # written in capitals although they name nothing
_SHOUTED_FROM_WORDS = 4


def spelled_out(text: str) -> str:
    """`text` with the short and the foreign names of countries and cities in their English spelling."""
    return text if _is_shouted(text) else _SPELLINGS.sub(_spelled, text)


def in_capitals(text: str) -> frozenset[str]:
    """The words of two to four letters that `text` writes in capitals, folded; none where it is all in capitals."""
    found = _IN_CAPITALS.findall(text)
    return frozenset(map(str.casefold, found)) - _NO_NAMES if found and not _is_shouted(text) else frozenset()


def _spelled(match: re.Match[str]) -> str:
    return _SPELLED[int((match.lastgroup or "").removeprefix("name"))]


def _is_shouted(text: str) -> bool:
    return text.isupper() and len(text.split()) >= _SHOUTED_FROM_WORDS
