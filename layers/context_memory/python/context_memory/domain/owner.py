"""Whose file is this? Asked at every load, so without the YAML reader for the ids that need no quoting."""

from __future__ import annotations

import re

from context_memory.domain.errors import ProfileNotUtf8

_PLAIN = re.compile(rb"\A---\nuser_id: ([^\s'\"|>&*!%#{}\[\],:][^\s:#]*)\n")


def check_owner(body: bytes, user_id: str) -> None:
    """Let a committed file pass unless its frontmatter names somebody else than `user_id`.

    Raises:
        ProfileUnreadable: `ProfileOwnerMismatch`, or whatever else keeps it from being read.
    """
    plain = _PLAIN.match(body)
    if plain and plain[1] == user_id.encode():
        try:
            body.decode()
        except UnicodeDecodeError:
            # Without the cause: it would carry the file's bytes.
            raise ProfileNotUtf8("The stored profile is no UTF-8 text.") from None
        return
    from context_memory.domain.reading import read_committed  # noqa: PLC0415 - quoted ids pay for the YAML reader alone

    read_committed(body, owner=user_id)
