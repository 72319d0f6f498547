"""Storing what a group becomes, over the facts as they stand once the model has answered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.facts.shelves import Overtaken
from context_memory.domain.errors import Contended
from context_memory.domain.facts.compacting.merging import Press, Pressed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.application.facts.shelves import Standing
    from context_memory.application.facts.user_shelf import UserShelf
    from context_memory.domain.facts.compacting.merging import Merge
    from context_memory.domain.facts.fact import Fact
    from context_memory.ports.system import Clock

_TRIES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Storing:
    """Checks and writes the merges of a group in one transaction; `tokens` counts a text."""

    shelf: UserShelf
    tokens: Callable[[str], int]
    clock: Clock

    def store(self, merges: Sequence[Merge], group: Sequence[Fact]) -> Pressed:
        """Store what may stand; facts that were stated, changed or deleted since they were shown stay out of it.

        Raises:
            MemorySwitchedOff, EraseRunning: there is nothing to write to.
            Contended, Unavailable: nothing was stored, or it is unknown whether it was: what stands tells.
        """
        for _ in range(_TRIES):
            standing = self.shelf.look(())
            pressed = self._pressed(standing, merges, group)
            if not pressed.puts:
                return pressed
            try:
                self.shelf.write(standing, pressed.puts, pressed.drops, at=self.clock.now())
            except Overtaken:
                continue
            return pressed
        raise Contended("Others keep changing these facts.")

    def _pressed(self, standing: Standing, merges: Sequence[Merge], group: Sequence[Fact]) -> Pressed:
        stands = {fact.id: fact for fact in standing.facts.facts}
        unchanged = {number for number, fact in enumerate(group, 1) if stands.get(fact.id) == fact}
        left = [merge for merge in merges if merge.of <= unchanged]
        press = Press(
            scope=self.shelf.scope,
            # Links that the facts have may stay; that no other comes with the text is looked at word by word.
            gate=replace(standing.gate, own_links=True),
            now=self.clock.now(),
            tokens=self.tokens,
        )
        return press.press(left, group, frozenset(stands))
