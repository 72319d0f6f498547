from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from context_memory.domain.ids import UserKey
from context_memory.domain.news import News, NewsKind
from context_memory.domain.outcomes import Outcome
from context_memory.domain.writers import Writer
from tests.support.records import LENA

if TYPE_CHECKING:
    from tests.support.stores import Stores

AT = datetime(2026, 6, 17, 12, 0, 0, 250_000, tzinfo=UTC)
STEP = {"title": "Updating your memory", "status": "completed"}


def updated(revision: int = 13, user: UserKey = LENA) -> News:
    return News(
        kind=NewsKind.UPDATED,
        user=user,
        epoch=2,
        at=AT,
        turn_ids=("t1", "t2"),
        outcome=Outcome.UPDATED,
        writer=Writer.TURN,
        revision=revision,
        counts={"added": 1, "changed": 0, "removed": 2},
        step=STEP,
    )


def test_an_event_says_ids_outcome_and_counts(stores: Stores) -> None:
    stores.news.publish([updated()])
    assert stores.heard() == [
        (
            "MemoryUpdated",
            {
                "company_id": "acme",
                "user_id": "lena",
                "epoch": 2,
                "turn_ids": ["t1", "t2"],
                "outcome": "updated",
                "reason": None,
                "writer": "turn",
                "revision": 13,
                "counts": {"added": 1, "changed": 0, "removed": 2},
                "time": "2026-06-17T12:00:00+00:00",
                "step": STEP,
            },
        )
    ]


def test_ids_arrive_as_they_are(stores: Stores) -> None:
    stores.news.publish([updated(user=UserKey("acme", "zoë/#%\u2028"))])
    assert [detail["user_id"] for _, detail in stores.heard()] == ["zoë/#%\u2028"]


def test_every_kind_of_news_is_an_event_of_its_own_type(stores: Stores) -> None:
    stores.news.publish([News(kind=kind, user=LENA, epoch=0, at=AT) for kind in NewsKind])
    kinds = ["MemoryUpdated", "MemoryUnchanged", "MemoryUpdateFailed", "MemoryErased"]
    assert [kind for kind, _ in stores.heard()] == kinds


def test_more_news_than_fit_into_one_request_all_arrive(stores: Stores) -> None:
    stores.news.publish([updated(revision) for revision in range(1, 24)])
    assert sorted(str(detail["revision"]) for _, detail in stores.heard()) == sorted(map(str, range(1, 24)))


def test_no_news_is_nothing_to_do(stores: Stores) -> None:
    stores.news.publish([])
    assert stores.heard() == []


def test_news_that_is_published_again_is_heard_again(stores: Stores) -> None:
    for _ in range(2):
        stores.news.publish([updated()])
    assert len(stores.heard()) == 2
