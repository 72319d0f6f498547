"""What EventBridge can answer besides "taken"."""

from __future__ import annotations

import json
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from context_memory.adapters.eventbridge import EventBridgeNews
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.news import News, NewsKind
from tests.support.records import LENA

AT = datetime(2026, 6, 17, 12, tzinfo=UTC)
THROTTLED = {"ErrorCode": "ThrottlingException", "ErrorMessage": "slow down"}
LOST = {"ErrorCode": "InternalFailure", "ErrorMessage": "sorry"}
TAKEN = {"EventId": "11111111-1111-1111-1111-111111111111"}


class Bus:
    """Answers requests with what is queued for each of their entries, then takes everything."""

    def __init__(self, *answers: list[dict[str, str]] | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[list[int]] = []
        self.paused: list[float] = []

    def put_events(self, *, Entries: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: N803 - EventBridge's spelling
        self.asked.append([json.loads(entry["Detail"])["revision"] for entry in Entries])
        answer = self.answers.pop(0) if self.answers else [TAKEN] * len(Entries)
        if isinstance(answer, Exception):
            raise answer
        return {"FailedEntryCount": sum("ErrorCode" in one for one in answer), "Entries": answer}

    def publish(self, revisions: range) -> None:
        client = cast("Any", self)
        stand = EventBridgeNews(client=client, bus="news", own_role=nullcontext, pause=self.paused.append)
        stand.publish([News(kind=NewsKind.UPDATED, user=LENA, epoch=0, at=AT, revision=n) for n in revisions])


def test_only_what_was_not_taken_is_sent_again_after_a_pause() -> None:
    bus = Bus([TAKEN, THROTTLED, TAKEN, LOST], [TAKEN, LOST])
    bus.publish(range(4))
    assert bus.asked == [[0, 1, 2, 3], [1, 3], [3]]
    assert bus.paused == [0.2, 0.4]


def test_what_is_never_taken_is_told_and_nothing_of_it_said() -> None:
    bus = Bus([THROTTLED], [THROTTLED], [THROTTLED])
    with pytest.raises(StoreUnavailable, match=r"^EventBridge did not take 1 of 1 events, 3 times\.$"):
        bus.publish(range(1))


def test_requests_hold_ten_events_at_most() -> None:
    bus = Bus()
    bus.publish(range(23))
    assert [len(asked) for asked in bus.asked] == [10, 10, 3]


@pytest.mark.parametrize(
    "fault",
    [
        ClientError({"Error": {"Code": "AccessDeniedException", "Message": "lena may not"}}, "PutEvents"),
        ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "PutEvents"),
        ReadTimeoutError(endpoint_url="https://events"),
    ],
    ids=["denied", "throttled", "silent"],
)
def test_a_bus_that_does_not_take_the_request_is_the_worlds_fault(fault: Exception) -> None:
    with pytest.raises(StoreUnavailable, match=r"^EventBridge"):
        Bus(fault).publish(range(1))
