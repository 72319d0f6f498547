"""Single facts that people add, change and delete."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.expecting import expected_version
from context_memory.application.facts.shelves import Overtaken
from context_memory.domain.errors import Contended, InvalidInput, UnknownFact
from context_memory.domain.facts.admitting import Unfit, Written
from context_memory.domain.facts.fact import LONGEST_TEXT
from context_memory.domain.facts.history import in_place_of, says, texts_behind, without_past
from context_memory.domain.facts.writing import Pen
from context_memory.domain.language.gist import gist
from context_memory.ports.facts import MOST_CHANGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.application.facts.shelves import Shelf, Standing
    from context_memory.application.facts.vectors import Vectors
    from context_memory.domain.facts.admitting import Admissible
    from context_memory.domain.facts.fact import Fact, Tier
    from context_memory.ports.facts import FactsHead
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

TRIES = 5
_EMBEDDING_SECONDS = 2.0
_SAID = {
    Unfit.UNREADABLE: "must say something that can be seen",
    Unfit.TOO_LONG: f"must have at most {LONGEST_TEXT} characters",
    Unfit.OURS: "must not repeat what models are told",
    Unfit.SECRET: "must not hold a number or a key that is never remembered",
    Unfit.DENY_RULE: "must not hold what the user never wants remembered",
    Unfit.FORGOTTEN: "must not say what the user asked to forget",
}


@dataclass(frozen=True, slots=True)
class Kept:
    """A fact as it stands after a change; `head` tells the version, `new` whether nothing like it stood before."""

    fact: Fact
    head: FactsHead
    new: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """The use cases behind `…/facts` and `…/facts/{fact_id}`; `tokens` counts a text.

    Whoever names versions (`expected`) is told when another one stands.
    """

    tokens: Callable[[str], int]
    vectors: Vectors
    clock: Clock
    telemetry: Telemetry

    def show(self, shelf: Shelf, one: str) -> Kept:
        """One fact.

        Raises:
            UnknownFact: it does not stand.
            Unavailable: a store is out of reach.
        """
        seen = shelf.one(one)
        if not seen.facts:
            raise UnknownFact("No such fact.")
        return Kept(seen.facts[0], seen.head)

    def add(self, shelf: Shelf, written: Written, *, expected: frozenset[str] | None = None) -> Kept:
        """Store a fact; one that says the same is confirmed, as it was written last.

        Raises:
            InvalidInput: it may not be stored; names the field.
            VersionConflict: none of the expected versions stands.
            MemorySwitchedOff, EraseRunning, Contended, Unavailable.
        """

        def attempt() -> Kept:
            one = shelf.named(written.text)
            standing = shelf.look((one,))
            expected_version(expected, lambda: standing.facts.head.version)
            text, pen = _admitted(standing, written), self._pen(shelf, standing)
            stands = standing.fact(one)
            if stands is None and standing.facts.head.count >= standing.cap:
                raise InvalidInput("text", f"must wait until another fact goes: at most {standing.cap} are kept")
            fact = pen.confirmed(stands, written, text) if stands else pen.new(written, text)
            return self._store(shelf, standing, fact, "confirmed" if stands else "added")

        return self._tried(attempt)

    def change(
        self, shelf: Shelf, one: str, text: str | None, tier: Tier | None, *, expected: frozenset[str] | None = None
    ) -> Kept:
        """Let a fact say `text`, of `tier`; None leaves either. Another text is another fact, in its place.

        Raises:
            UnknownFact: it does not stand, nor what it was to become.
            As `add`.
        """

        def attempt() -> Kept:
            target = one if text is None else shelf.named(text)
            standing = shelf.look((one, target))
            stands, known = standing.fact(one), standing.fact(target)
            if stands is None:
                return _changed_before(standing, one, known)
            expected_version(expected, lambda: standing.facts.head.version)
            pen = self._pen(shelf, standing)
            written = Written(text=stands.text if text is None else text, tier=tier or stands.tier)
            admitted = _admitted(standing, written)
            new = pen.confirmed(known, written, admitted) if known else pen.new(written, admitted)
            if target == one:
                return self._store(shelf, standing, new, "confirmed")
            new = replace(new, uses=new.uses + stands.uses)
            if shelf.keeps_history:
                new = in_place_of(new, stands, pen.now)
            # Of a merged fact also what it was merged from, which nobody brings back any more.
            if gone := [text for text in texts_behind(stands) if gist(text) != gist(new.text)]:
                shelf.forget(standing, gone, pen.now)
            return self._store(shelf, standing, new, "superseded", drops=frozenset({one}))

        return self._tried(attempt)

    def delete(self, shelf: Shelf, one: str, *, expected: frozenset[str] | None = None) -> None:
        """Remove a fact for good, with its history and with what histories of others say of it.

        Raises:
            UnknownFact: it does not stand.
            VersionConflict, MemorySwitchedOff, EraseRunning, Contended, Unavailable.
        """

        def attempt() -> None:
            standing = shelf.look((one,))
            stands, now = standing.fact(one), self.clock.now()
            if stands is None:
                raise UnknownFact("No such fact.")
            expected_version(expected, lambda: standing.facts.head.version)
            others = [fact for fact in standing.facts.facts if fact.id != one]
            puts = without_past(others, says(stands.text))[: MOST_CHANGES - 1]
            shelf.forget(standing, texts_behind(stands), now)
            shelf.write(standing, puts, frozenset({one}), at=now)
            self.telemetry.count("facts_written_total", result="deleted")

        self._tried(attempt)

    def _pen(self, shelf: Shelf, standing: Standing) -> Pen:
        return Pen(scope=shelf.scope, epoch=standing.epoch, now=self.clock.now(), tokens=self.tokens)

    def _store(
        self, shelf: Shelf, standing: Standing, fact: Fact, result: str, *, drops: frozenset[str] = frozenset()
    ) -> Kept:
        puts = self.vectors([fact], seconds=_EMBEDDING_SECONDS)
        head = shelf.write(standing, puts, drops, at=self.clock.now())
        shelf.told([fact.text], self.clock.now())
        self.telemetry.count("facts_written_total", result=result)
        return Kept(puts[0], head, new=result == "added")

    def _tried[T](self, attempt: Callable[[], T]) -> T:
        lost: Overtaken | None = None
        for _ in range(TRIES):
            try:
                return attempt()
            except Overtaken as race:
                lost = race
        raise Contended("Others keep changing these facts.") from lost


def _admitted(standing: Standing, written: Written) -> Admissible:
    admitted = standing.gate.admit(written)
    if isinstance(admitted, Unfit):
        raise InvalidInput("text", _SAID[admitted])
    return admitted


def _changed_before(standing: Standing, one: str, known: Fact | None) -> Kept:
    """What a change came to that was made before, and whose answer was lost."""
    if known is None or all(past.id != one for past in known.supersedes):
        raise UnknownFact("No such fact.")
    return Kept(known, standing.facts.head)
