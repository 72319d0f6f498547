"""Reading Markdown that a user hands in, whatever it is, in a time that can be told beforehand.

The reader's time grows with lines and with depth, so both are bounded before anything is read; comparing grows with
bullets, and what looks for secrets can grow with the square of a bullet's length, so both are bounded before anything
is compared. No profile that fits a cap comes near any bound.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from context_memory.domain.errors import InvalidInput
from context_memory.domain.hygiene import LONGEST_BULLET
from context_memory.domain.reading import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.reading import Document

MOST_CHARACTERS = 200_000
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
    known = [text for _, text in document.bullets.items()]
    unknown = [text for _, texts in document.unknown for text in texts]
    check_bullets([*known, *document.preamble, *unknown], field=field)
    return document


def check_bounds(text: str, *, field: str) -> None:
    """Let a text pass that can be read quickly.

    Raises:
        InvalidInput: it is too long, has too many lines, or one that is indented too deep.
    """
    # Whoever searches a text unfolds its signs first, and one sign may stand for a whole phrase.
    if len(text) > MOST_CHARACTERS or len(unicodedata.normalize("NFKC", text)) > MOST_CHARACTERS:
        raise InvalidInput(field, f"must have at most {MOST_CHARACTERS} characters")
    if text.count("\n") + text.count("\r") > MOST_LINES:
        raise InvalidInput(field, f"must have at most {MOST_LINES} lines")
    if _TOO_DEEP.search(text):
        raise InvalidInput(field, f"must have no line that is indented by more than {DEEPEST_INDENTATION} characters")


def check_bullets(bullets: Sequence[str], *, field: str) -> None:
    """Let bullets pass that can be compared and searched quickly.

    Raises:
        InvalidInput: there are too many, or one is too long.
    """
    if any(len(bullet) > LONGEST_BULLET for bullet in bullets):
        raise InvalidInput(field, f"must have no bullet of more than {LONGEST_BULLET} characters")
    if len(bullets) > MOST_BULLETS:
        raise InvalidInput(field, f"must have at most {MOST_BULLETS} bullets")
