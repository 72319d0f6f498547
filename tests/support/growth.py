"""How the time of a reading grows with the length of what is read.

No test says how many seconds something may take: machines differ, and a busy one takes longer.
What is meant is that a text eight times as long takes about eight times as long to read, and not 64 times.
The processor's time of this thread is counted, which neighbours lengthen little, and the best of some tries is taken.
"""

from __future__ import annotations

import gc
from math import inf
from time import thread_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

TIMES_LONGER = 8
LIKE_THE_LENGTH = 24.0
"""Between 8, which is how a reader grows with the length, and 64, which is how one grows with its square."""

TRIES = range(2, 7)
"""As many tries as are enough if they look well, and as many as there are at most: more only take noise away."""


def growth[Text](read: Callable[[Text], object], of: Callable[[int], Text], length: int) -> float:
    """Return how many times as long `read` takes for `of(8 * length)` as for `of(length)`, in processor time.

    `length` must be such that reading takes a millisecond or so: far above the clock's grain, and short enough that a
    quadratic reader fails within seconds. What `of` takes is not counted, and no garbage is collected meanwhile.
    """
    shorter, longer = of(length), of(TIMES_LONGER * length)
    best, best_of_longer = inf, inf
    for tried in range(1, TRIES.stop):
        best = min(best, _seconds(read, shorter))
        best_of_longer = min(best_of_longer, _seconds(read, longer))
        if tried >= TRIES.start and best_of_longer < LIKE_THE_LENGTH * best:
            break
    return best_of_longer / best


def repeated(piece: str) -> Callable[[int], str]:
    """Return what makes a text of nothing but this piece, up to a length in characters.

    It never ends within a piece: half a piece at the end may well be read otherwise.
    """
    return lambda length: piece * (length // len(piece))


def _seconds[Text](read: Callable[[Text], object], text: Text) -> float:
    collecting = gc.isenabled()
    gc.disable()
    try:
        began = thread_time()
        read(text)
        return thread_time() - began
    finally:
        if collecting:
            gc.enable()
