"""What a store said, kept for a while: it need not be asked for each request, nor be within reach at each moment."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

PAUSE_SECONDS = 5.0
"""How long a store is left alone after it did not answer, while what is known serves."""
MOST = 2_000
"""How many answers are kept; of more, those that nobody has wanted for longest go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ages:
    """How old an answer may be, in seconds, before it is asked for again; and how old while nobody answers."""

    fresh_seconds: float
    stale_seconds: float


@dataclass(frozen=True, slots=True)
class _Answer[Value]:
    """An answer, when it was given, and when to ask again."""

    value: Value
    at: float
    ask_at: float


class Kept[Key: Hashable, Value]:
    """Answers by key. That there is nothing to know is an answer, too.

    Args:
        ask: asks the store.
        ages: how long answers serve.
        monotonic: seconds that never run backwards.
        most: how many answers are kept.
    """

    def __init__(
        self,
        ask: Callable[[Key], Value],
        ages: Ages,
        *,
        monotonic: Callable[[], float] = time.monotonic,
        most: int = MOST,
    ) -> None:
        self._ask = ask
        self._ages = ages
        self._monotonic = monotonic
        self._most = most
        self._answers: dict[Key, _Answer[Value]] = {}
        self._lock = Lock()  # held over requests: of several who ask at once, one asks the store

    def fresh(self, key: Key) -> bool:
        """Whether `get` would ask nobody."""
        answer = self._answers.get(key)
        return answer is not None and self._monotonic() < answer.ask_at

    def get(self, key: Key) -> Value:
        """What the store says, or said not long ago.

        Raises:
            Unavailable: it does not answer, and what it said before is too old, or nothing.
        """
        with self._lock:
            answer = self._answers.get(key)
            if answer is None or self._monotonic() >= answer.ask_at:
                answer = self._asked(key, answer)
            self._answers.pop(key, None)
            self._answers[key] = answer  # behind all others: the first is the one that nobody wanted for longest
            if len(self._answers) > self._most:
                del self._answers[next(iter(self._answers))]
            return answer.value

    def _asked(self, key: Key, known: _Answer[Value] | None) -> _Answer[Value]:
        now = self._monotonic()
        try:
            value = self._ask(key)
        except Unavailable:
            if known is None or now - known.at > self._ages.stale_seconds:
                raise
            return _Answer(known.value, known.at, self._monotonic() + min(PAUSE_SECONDS, self._ages.fresh_seconds))
        return _Answer(value, now, now + self._ages.fresh_seconds)
