# ruff: noqa: RUF001 - quotation marks are spelled as they are
"""Words that stand between quotation marks: in titles and names the commonest word means something.

"To Live" is a book, though "live" says nothing of anybody. Only words with a capital letter count, or of a script that
has none: who asks what "work" means has named nothing.
"""

from __future__ import annotations

import re

from context_memory.domain.language.words import content_words

_LONGEST = 80  # characters between two marks; what is longer is no title
_MARKS = tuple(zip('"“„„«»‹‘「『《〈', '"”“”»«›’」』》〉', strict=True))
_QUOTED = re.compile(
    "|".join(rf"{opening}([^{opening}{closing}\n]{{1,{_LONGEST}}}){closing}" for opening, closing in _MARKS)
    + rf"|(?<!\w)'([^'\n]{{1,{_LONGEST}}})'(?!\w)"
)


def quoted_words(text: str) -> frozenset[str]:
    """Content words of the names and titles that `text` quotes."""
    quoted = (next(filter(None, found.groups())) for found in _QUOTED.finditer(text))
    return frozenset[str]().union(*(content_words(word) for title in quoted for word in _named(title)))


def _named(title: str) -> list[str]:
    return [word for word in title.split() if not word[:1].islower()]
