"""A hard end for a call that blocks.

An HTTP client's time-out counts the silence between two bytes, so an endpoint that drips outlives it, and so does a
name server that does not answer. The function's own time does not wait for either.
"""

from __future__ import annotations

from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def within[Result](seconds: float, call: Callable[[], Result]) -> Result:
    """Run `call` in a thread of its own, in the caller's context, and wait for it, but no longer than `seconds`.

    A call that takes longer is left to its own time-outs; what it says then, nobody hears.
    Errors of `call` are raised as they are.

    Raises:
        TimeoutError: `call` has not ended.
    """
    future: Future[Result] = Future()
    context = copy_context()

    def run() -> None:
        try:
            future.set_result(context.run(call))
        except BaseException as error:  # noqa: BLE001 - handed over whole to whoever waits
            future.set_exception(error)

    # A daemon, so that a call left behind cannot keep the process from ending.
    Thread(target=run, name="within-deadline", daemon=True).start()
    return future.result(timeout=seconds)
