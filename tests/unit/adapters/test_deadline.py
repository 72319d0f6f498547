"""A blocking call ends in time, or is left behind."""

from __future__ import annotations

import threading
import time
from contextvars import ContextVar

import pytest

from context_memory.adapters.deadline import within

WHO: ContextVar[str] = ContextVar("WHO", default="nobody")


def test_what_ends_in_time_gives_its_result() -> None:
    assert within(5, lambda: 6 * 7) == 42


def test_what_takes_longer_is_left_behind() -> None:
    released = threading.Event()
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        within(0.05, lambda: released.wait(5))
    assert time.monotonic() - started < 2
    released.set()


def test_an_error_comes_out_as_it_is() -> None:
    def fail() -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        within(5, fail)


def test_the_caller_s_context_goes_along() -> None:
    token = WHO.set("lena")
    try:
        assert within(5, WHO.get) == "lena"
    finally:
        WHO.reset(token)
