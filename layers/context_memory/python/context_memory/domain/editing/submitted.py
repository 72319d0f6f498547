"""Reading Markdown that a user hands in, whatever it is, in a time that can be told beforehand.

The reader's time grows with lines and with depth, so both are bounded before anything is read; comparing grows with
bullets, so their number is bounded before anything is compared. No profile that fits a cap comes near any bound.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from context_memory.domain.errors import InvalidInput
from context_memory.domain.reading import parse

if TYPE_CHECKING:
    from context_memory.domain.reading import Document

MOST_LINES = 10_000
DEEPEST_INDENTATION = 60
"""Characters of white space at the beginning of a line."""
MOST_BULLETS = 1000

_TOO_DEEP = re.compile(rf"^[ \t]{{{DEEPEST_INDENTATION + 1}}}(?=[ \t]*[^ \t\r\n])", re.MULTILINE)


def read_submitted(text: str, *, owner: str, field: str) -> Document:
    """Read a text that `owner` handed in under the name `field`; its frontmatter counts for nothing.

    Raises:
        InvalidInput: it names another owner, or is beyond the bounds.
    """
    check_bounds(text, field=field)
    document = parse(text)
    named = (document.frontmatter or {}).get("user_id") or owner
    if named != owner:
        raise InvalidInput(field, "must be the user's own: the file names another owner")
    bullets = sum(1 for _ in document.bullets.items()) + len(document.preamble)
    check_number(bullets + sum(len(texts) for _, texts in document.unknown), field=field)
    return document


def check_bounds(text: str, *, field: str) -> None:
    """Let a text pass that can be read quickly.

    Raises:
        InvalidInput: it has too many lines, or one that is indented too deep.
    """
    if text.count("\n") + text.count("\r") > MOST_LINES:
        raise InvalidInput(field, f"must have at most {MOST_LINES} lines")
    if _TOO_DEEP.search(text):
        raise InvalidInput(field, f"must have no line that is indented by more than {DEEPEST_INDENTATION} characters")


def check_number(bullets: int, *, field: str) -> None:
    """Let a number of bullets pass that can be compared quickly.

    Raises:
        InvalidInput: there are too many.
    """
    if bullets > MOST_BULLETS:
        raise InvalidInput(field, f"must have at most {MOST_BULLETS} bullets")
