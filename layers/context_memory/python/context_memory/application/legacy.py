"""A file at the legacy place, shown as if it had been committed. Imported only when there is one."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from context_memory.domain.budget import build_index
from context_memory.domain.reading import read_legacy
from context_memory.domain.rendering import render
from context_memory.domain.state import ProfilePointer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.ids import UserKey
    from context_memory.domain.tokens import Tokenizer

UNCOMMITTED = ""
"""Version id and policy version of what no commit has made."""


def as_committed(body: bytes, user: UserKey, tokenizers: Sequence[Tokenizer]) -> tuple[ProfilePointer, bytes] | None:
    """The file as our own text, with the pointer that a commit would have written; None when it is blank.

    Raises:
        ProfileUnreadable: it is not this user's readable profile.
    """
    profile = read_legacy(body, owner=user.user_id)
    if profile is None:
        return None
    text = render(profile)
    pointer = ProfilePointer(
        epoch=0,
        turn_count=profile.turn_count,
        version_id=UNCOMMITTED,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        tokens=tokenizers[0].count(text),
        index=build_index(profile, text, tokenizers, {}, profile.last_updated.date()),
        policy_version=UNCOMMITTED,
        last_updated=profile.last_updated,
    )
    return pointer, text.encode()
