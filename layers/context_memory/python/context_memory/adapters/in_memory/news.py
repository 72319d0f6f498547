"""A bus that keeps everything that was ever put on it."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.news import News


class InMemoryNews:
    """`NewsStand`; `published` is what a listener has got, in order."""

    def __init__(self, *, steps: Steps) -> None:
        self.published: list[News] = []
        self._steps = steps
        self._lock = Lock()

    def publish(self, news: Sequence[News]) -> None:
        """Publish all of it; nothing is done for none."""
        if news:
            with self._steps.step("news.publish"), self._lock:
                self.published += news
