"""A small index, as a commit would store it."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from context_memory.domain.budget import build_index
from context_memory.domain.profile import Bullets, Profile
from context_memory.domain.rendering import render

if TYPE_CHECKING:
    from context_memory.domain.budget import BudgetIndex


class _Letters:
    """A tokenizer to which every letter is a token."""

    encoding = "letters"

    def count(self, text: str) -> int:
        return len(text)

    def head(self, text: str, limit: int) -> str:
        return text[:limit]

    def tail(self, text: str, limit: int) -> str:
        return text[max(len(text) - limit, 0) :]


@cache
def small_index() -> BudgetIndex:
    """The index of a profile with two bullets."""
    profile = Profile("lena", Bullets(work=("Leads the Zürich office",), skills=("Speaks 日本語",)), turn_count=1)
    return build_index(profile, render(profile), [_Letters()], {}, date(2026, 3, 2))
