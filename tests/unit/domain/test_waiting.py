from __future__ import annotations

import pytest

from context_memory.domain.waiting import Patience


@pytest.mark.parametrize(
    ("received", "asked", "seconds"),
    [
        (1, None, 15),
        (2, None, 30),
        (7, None, 900),
        (1000, None, 900),
        (1, 1.2, 15),
        (1, 77.2, 78),
        (7, 1, 900),
        (1, 86400, 900),
    ],
)
def test_waits_double_to_a_quarter_of_an_hour_and_are_never_shorter_than_asked(
    received: int, asked: float | None, seconds: int
) -> None:
    assert Patience().seconds(received, asked) == seconds
