"""Payloads of turns."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.ids import UserKey
    from context_memory.ports.system import Clock


class InMemoryTurnPayloads:
    """`TurnPayloads`; `name` is how its steps are called."""

    def __init__(self, *, steps: Steps, clock: Clock, name: str = "payloads") -> None:
        self._steps = steps
        self._name = name
        self._clock = clock
        self._payloads: dict[tuple[UserKey, str, str], tuple[bytes, datetime]] = {}
        self._lock = Lock()

    def put(self, user: UserKey, turn_id: str, sha256: str, body: bytes) -> None:
        """Store a payload; storing the same again changes nothing."""
        with self._steps.step(f"{self._name}.put"), self._lock:
            self._payloads[user, turn_id, sha256] = (body, self._clock.now())

    def get(self, user: UserKey, turn_id: str, sha256: str) -> bytes | None:
        """The payload, or None."""
        with self._steps.step(f"{self._name}.get"), self._lock:
            body, _ = self._payloads.get((user, turn_id, sha256), (None, None))
            return body

    def delete(self, user: UserKey, turn_id: str, sha256: str) -> None:
        """Remove a payload; an absent one is no error."""
        with self._steps.step(f"{self._name}.delete"), self._lock:
            self._payloads.pop((user, turn_id, sha256), None)

    def delete_all(self, user: UserKey, named: Iterable[tuple[str, str]]) -> None:
        """Remove payloads by turn id and sha256."""
        with self._steps.step(f"{self._name}.delete_all"), self._lock:
            for turn_id, sha256 in named:
                self._payloads.pop((user, turn_id, sha256), None)

    def stored(self, user: UserKey) -> Sequence[tuple[str, str, datetime]]:
        """Turn id, sha256 and time of every payload of the user."""
        with self._steps.step(f"{self._name}.stored"), self._lock:
            found = self._payloads.items()
            return [(turn_id, sha256, at) for (owner, turn_id, sha256), (_, at) in found if owner == user]

    def owners(self) -> Sequence[UserKey]:
        """Users who have payloads, each once, sorted; for the directory."""
        with self._lock:
            return sorted({owner for owner, _, _ in self._payloads})
