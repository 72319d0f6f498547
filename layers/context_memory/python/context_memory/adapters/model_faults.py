"""How a model's endpoint fails, in this service's words, whatever client asked it.

    what the endpoint does                      what it is here
    ------------------------------------------  -----------------------------------
    time-out, connection, 408, 409, 425, 429    ModelUnavailable, tried again
    5xx, a body that is no answer               ModelServerError, tried again
    400, 413, 422                               ModelRejected, by kind
    any other 4xx, an unknown model or key      ModelAccessDenied

Nothing of the endpoint's words is kept: they may quote the prompt or the key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from context_memory.domain.errors import ModelAccessDenied, ModelRejected, ModelServerError, ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from context_memory.adapters.model_complaints import Complaint

_BUSY = frozenset({408, 409, 425, 429})
_REJECTED = frozenset({400, 413, 422})
_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?")
_FIRST_PAUSE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Fault:
    """A failed try.

    Attributes:
        error: what to raise in the end.
        again: whether another try may go better.
        parameters: optional parameters that the endpoint does not take.
    """

    error: ModelUnavailable | ModelRejected
    again: bool = False
    parameters: frozenset[str] = frozenset()

    @property
    def retry_after(self) -> float | None:
        """Seconds that the endpoint asked to be left alone, if it did."""
        return self.error.retry_after if isinstance(self.error, ModelUnavailable) else None

    def pause(self, tries: int, jitter: Callable[[], float]) -> float:
        """Seconds until the next try: what the endpoint asked for, else twice as long each time, less some jitter.

        Args:
            tries: how many there were.
            jitter: a number from 0 to 1 that keeps clients from coming back in step.
        """
        if self.retry_after is not None:
            return self.retry_after
        return _FIRST_PAUSE_SECONDS * 2.0 ** (tries - 1) * (1 - jitter() / 2)


def timed_out() -> Fault:
    """The call took longer than it may."""
    return Fault(ModelUnavailable("The model did not answer in time."), again=True)


def no_answer() -> Fault:
    """The endpoint said 200 and then something that is no answer to the question."""
    return Fault(ModelServerError("The model's endpoint answered with something else."), again=True)


def out_of_reach() -> Fault:
    """There is no connection to the endpoint."""
    return Fault(ModelUnavailable("The model is out of reach."), again=True)


def fault_of_status(status: int, complaint: Complaint, wait: float | None = None) -> Fault:
    """Sort an HTTP status with what its body complains of; `wait` is what `Retry-After` asked for, in seconds."""
    if status in _BUSY:
        return Fault(ModelUnavailable(f"The model asked to wait ({status}).", wait), again=True)
    if status in _REJECTED and not complaint.access:
        kind = "length" if status == 413 else complaint.kind  # noqa: PLR2004 - its name is its number
        return Fault(ModelRejected(kind), parameters=complaint.parameters)
    if 400 <= status < 500:  # noqa: PLR2004 - the class of 4xx
        return Fault(ModelAccessDenied(f"The model's endpoint refuses the key or the model ({status}).", wait))
    return Fault(ModelServerError(f"The model's endpoint failed ({status}).", wait), again=True)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that the endpoint asks to be left alone; None when it does not say, or not understandably."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if _SECONDS.fullmatch(value):
            return float(value) * unit
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    # "-0000" parses as naive and means UTC.
    return max(0.0, ((date if date.tzinfo else date.replace(tzinfo=UTC)) - now).total_seconds())
