"""What tests of the models' adapters share: a clock that steps, and what no error may hold."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import ContextMemoryError
from context_memory.ports.models import ModelRequest

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = "sk-invented-0123456789"
CANARY = "Lena moved to Basel; canary-7d41"
ASK = ModelRequest(
    purpose="gate",
    model="small-1",
    system="You decide.",
    user=CANARY,
    max_output_tokens=100,
    turns=("t1", "t=3A2"),
    seconds_left=30.0,
)


@dataclass
class SteppingClock:
    """Real time, plus what was slept: pauses are counted and not waited for."""

    pauses: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        return datetime(2026, 6, 17, 11, 40, tzinfo=UTC)

    def monotonic(self) -> float:
        return time.monotonic() + sum(self.pauses)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


def refused(call: Callable[[], object]) -> ContextMemoryError:
    """The error of a call that must fail; it may hold neither the text, nor the key, nor a vendor's error."""
    with pytest.raises(ContextMemoryError) as caught:
        call()
    error = caught.value
    assert CANARY not in repr(error)
    assert KEY not in repr(error)
    assert error.__cause__ is None
    assert error.__context__ is None
    return error
