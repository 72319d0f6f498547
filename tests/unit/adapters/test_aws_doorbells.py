from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, cast

import pytest
from botocore.exceptions import ClientError

from context_memory.adapters.sqs import SqsDoorbells
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import UserKey
from context_memory.ports.queues import Doorbell
from tests.support.records import turn_record

if TYPE_CHECKING:
    from collections.abc import Callable

LENA = UserKey("acme", "lena")


class Refusing:
    """SQS that answers everything with one code."""

    def __init__(self, code: str) -> None:
        self.error = ClientError(
            cast("Any", {"Error": {"Code": code, "Message": "acme#lena"}}), "ChangeMessageVisibility"
        )

    def refuse(self, **_: object) -> None:
        raise self.error

    send_message = change_message_visibility = refuse


def doorbells(code: str, dead_letter_queue_url: str | None = "dead.fifo") -> SqsDoorbells:
    return SqsDoorbells(
        client=cast("Any", Refusing(code)),
        queue_url="turns.fifo",
        dead_letter_queue_url=dead_letter_queue_url,
        own_role=nullcontext,
    )


@pytest.mark.parametrize(
    "code",
    [
        "MessageNotInflight",
        "AWS.SimpleQueueService.MessageNotInflight",
        "ReceiptHandleIsInvalid",
        "InvalidParameterValue",
    ],
)
def test_a_doorbell_that_is_visible_again_needs_no_postponing(code: str) -> None:
    doorbells(code).postpone("receipt", 60)


@pytest.mark.parametrize("code", ["ThrottlingException", "AccessDenied", "AWS.SimpleQueueService.NonExistentQueue"])
def test_a_queue_that_does_not_take_it_is_a_fault_of_the_world(code: str) -> None:
    queue = doorbells(code)
    sends: list[Callable[[], None]] = [
        lambda: queue.ring(Doorbell(LENA, "turn-1")),
        lambda: queue.postpone("receipt", 60),
        lambda: queue.report_dead(LENA, turn_record(), "attempts"),
    ]
    for send in sends:
        with pytest.raises(StoreUnavailable) as unavailable:
            send()
        assert "lena" not in str(unavailable.value)


def test_a_function_without_dead_letter_queue_reports_no_dead_turn_unnoticed() -> None:
    with pytest.raises(ValueError, match="dead-letter queue"):
        doorbells("none", dead_letter_queue_url=None).report_dead(LENA, turn_record(), "attempts")
