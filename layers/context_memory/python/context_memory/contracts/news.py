"""The `detail` of an event on the bus, as docs/api.md shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.domain.news import News

SOURCE = "context-memory"
"""The `source` of every event."""


def detail_of(news: News) -> dict[str, object]:
    """What an event says: ids, outcome and counts. Every field is always there."""
    return {
        "company_id": news.user.company_id,
        "user_id": news.user.user_id,
        "epoch": news.epoch,
        "turn_ids": list(news.turn_ids),
        "outcome": news.outcome and news.outcome.value,
        "reason": news.reason,
        "writer": news.writer and news.writer.value,
        "revision": news.revision,
        "counts": dict(news.counts),
        "time": news.at.isoformat(timespec="seconds"),
        "step": news.step and dict(news.step),
    }
