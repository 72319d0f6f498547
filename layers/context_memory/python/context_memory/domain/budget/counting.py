"""What pieces of the file cost, so that their sum is never less than what the whole costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.budget.plan import Frame
from context_memory.domain.profile import Section
from context_memory.domain.rendering import PLACEHOLDER, TITLE, TRUNCATION_MARKER, heading, item

if TYPE_CHECKING:
    from context_memory.domain.tokens import Tokenizer

_NEXT = "#"  # every piece is followed by a mark at the beginning of a line


def piece(tokenizer: Tokenizer, text: str) -> int:
    """Tokens of a text that ends a line, counted as it stands before another piece.

    Encodings part text where a line ends and the next one begins with a mark; what follows only decides how they take
    the line ends themselves.
    """
    return tokenizer.count(text + _NEXT) - tokenizer.count(_NEXT)


def bullet(tokenizer: Tokenizer, text: str) -> int:
    """Tokens of a bullet, in the middle of its section or at its end, whichever is more."""
    return max(piece(tokenizer, f"{item(text)}{ends}") for ends in ("\n", "\n\n"))


def frame(tokenizer: Tokenizer, head: str) -> Frame:
    """Tokens of what is no bullet; `head` is the frontmatter with its fences and the blank line behind it."""
    headings = sum(piece(tokenizer, f"{heading(section)}\n") for section in Section)
    return Frame(
        fixed=piece(tokenizer, f"{head}{TITLE}\n\n") + headings,
        placeholder=piece(tokenizer, f"{PLACEHOLDER}\n\n"),
        marker=piece(tokenizer, f"{TRUNCATION_MARKER}\n"),
    )
