"""Attempts at extractions: counted before the work begins, given back when something else was at fault."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from context_memory.domain.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.application.extract.gathered import Gathered
    from context_memory.domain.ids import UserKey
    from context_memory.ports.facts import FactStore, PendingExtraction
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Begins attempts and takes them back; what cannot be taken back now is owed."""

    store: FactStore
    telemetry: Telemetry
    owed: dict[UserKey, dict[str, PendingExtraction]] = field(default_factory=dict)
    """Attempts of this process that could not be taken back yet, as they were when they began."""

    def begin(self, user: UserKey, group: tuple[Gathered, ...]) -> tuple[Gathered, ...]:
        """The turns of a group whose attempt is counted now: those that are still pending.

        Raises:
            Unavailable: none of them has begun.
        """
        begun: list[Gathered] = []
        for gathered in group:
            try:
                pending = self.begin_one(user, gathered.pending)
            except Unavailable:
                self.give_back(user, [one.pending for one in begun])
                raise
            if pending is not None:
                begun.append(replace(gathered, pending=pending))
        return tuple(begun)

    def begin_one(self, user: UserKey, pending: PendingExtraction) -> PendingExtraction | None:
        """The extraction as it stands once its attempt is counted; None when it is pending no more.

        Raises:
            Unavailable: it has not begun.
        """
        try:
            return self.store.begin(user, pending)
        except Unavailable:
            # The attempt may have been counted, and the world's fault must not cost one.
            for counted in self.store.pending(user):
                if counted.open_key == pending.open_key and counted.attempts > pending.attempts:
                    self.store.give_back(user, counted)
            raise

    def give_back(self, user: UserKey, pending: Iterable[PendingExtraction]) -> None:
        """Take attempts back; what cannot be written now is written before anything else is done for the user."""
        self.owed.setdefault(user, {}).update({one.open_key: one for one in pending})
        try:
            self.pay(user)
        except Unavailable as error:
            self.telemetry.warning("could not give attempts back", error_type=type(error).__name__)

    def pay(self, user: UserKey) -> None:
        """Give back what is owed: a fault of the world must not cost attempts by lasting.

        Raises:
            Unavailable: something is still owed.
        """
        owed = self.owed.get(user, {})
        for key, pending in list(owed.items()):
            self.store.give_back(user, pending)
            del owed[key]
        self.owed.pop(user, None)
