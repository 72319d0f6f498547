"""The frame around memory in a prompt: a title, a paragraph of ours, and tags that nobody can close from inside."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

SUFFIX_DIGITS = 8
TAGS_BYTES = len("<memory->\n\n</memory->\n") + 2 * SUFFIX_DIGITS


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands before the opening tag, in our own words."""

    title: str
    paragraph: str

    @property
    def opening(self) -> str:
        """Title and paragraph with their line ends."""
        return f"{self.title}\n\n{self.paragraph}\n\n"

    def around(self, body: str) -> str:
        """The frame with `body` in it, the same bytes for the same body.

        The tags carry a part of the body's digest, so that nobody can write a closing tag into it.
        """
        suffix = suffix_for(body, hashlib.sha256(body.encode()).hexdigest())
        return f"{self.opening}<memory-{suffix}>\n{body}\n</memory-{suffix}>"


def suffix_for(body: str, digest: str) -> str:
    """The first eight digits of `digest`, or the next eight while `body` holds a tag with them."""
    groups = (digest[start : start + SUFFIX_DIGITS] for start in range(0, len(digest), SUFFIX_DIGITS))
    return next(group for group in groups if f"memory-{group}" not in body)
