"""News as events of EventBridge. It answers 200 also when it took only some of a request's entries."""

from __future__ import annotations

import json
import time
from itertools import batched
from typing import TYPE_CHECKING

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.contracts.news import SOURCE, detail_of
from context_memory.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_events.type_defs import PutEventsRequestEntryTypeDef

    from context_memory.domain.news import News

_MOST_ENTRIES = 10
"""Entries of one request."""
TRIES = 3
FIRST_PAUSE_SECONDS = 0.2
"""Before the second try of entries that were not taken; each further pause is twice as long."""


class EventBridgeNews:
    """`NewsStand` over one event bus.

    Args:
        client: EventBridge, with credentials per request.
        bus: name of the bus.
        own_role: signs with the function's own role (`AwsClients.own_role`).
        pause: sleeps that many seconds.
    """

    def __init__(
        self,
        *,
        client: EventBridgeClient,
        bus: str,
        own_role: Callable[[], AbstractContextManager[None]],
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._bus = bus
        self._own_role = own_role
        self._pause = pause

    def publish(self, news: Sequence[News]) -> None:
        """Publish all of it.

        Raises:
            StoreUnavailable: the bus did not answer, throttled or denied, or goes on refusing some of it.
        """
        for few in batched(map(self._entry, news), _MOST_ENTRIES, strict=False):
            self._put(few)

    def _entry(self, news: News) -> PutEventsRequestEntryTypeDef:
        return {
            "Time": news.at,
            "Source": SOURCE,
            "DetailType": news.kind.value,
            "Detail": json.dumps(detail_of(news)),
            "EventBusName": self._bus,
        }

    def _put(self, entries: Sequence[PutEventsRequestEntryTypeDef]) -> None:
        """Put up to ten entries, those again that were not taken: throttled, or lost inside."""
        left = entries
        for retries in range(TRIES):
            if retries:
                self._pause(FIRST_PAUSE_SECONDS * 2 ** (retries - 1))
            left = self._not_taken(left)
            if not left:
                return
        raise StoreUnavailable(f"EventBridge did not take {len(left)} of {len(entries)} events, {TRIES} times.")

    def _not_taken(self, entries: Sequence[PutEventsRequestEntryTypeDef]) -> list[PutEventsRequestEntryTypeDef]:
        with told_as_ours("EventBridge"), self._own_role():
            answer = self._client.put_events(Entries=entries)
        if not answer["FailedEntryCount"]:
            return []
        answered = zip(entries, answer["Entries"], strict=True)
        return [entry for entry, result in answered if "ErrorCode" in result]
