"""Telling the world what became of memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.news import News


class NewsStand(Protocol):
    """The bus on which news go out. Who publishes again until it is acknowledged has told everything at least once."""

    def publish(self, news: Sequence[News]) -> None:
        """Publish all of it; nothing is done for none.

        Raises:
            Unavailable: some of it may be out and some is not: publish all of it again.
        """
