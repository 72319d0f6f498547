"""A wish to forget holds for both memories: the facts that it means go in the very transaction that ends its turn.

So a run that dies in between has taken nothing out, and comes again to the same facts: which ones a word means hangs on
what stands beside them. The head of the facts moves with every wish, so that nobody who read them before stores what is
forgotten now. What goes is known as forgotten before it goes, so that no older material brings it back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.commit.storing import Overtaken
from context_memory.application.consolidate.gathered import grounds_text, newest
from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.pointing import pointed_at, told_by
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.reconcile import Grounds
from context_memory.domain.reconcile.support import Support
from context_memory.ports.facts import MOST_CHANGES, FactsChange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.application.consolidate.task import Ending
    from context_memory.application.forgetting import Forgetting
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import UserSettings
    from context_memory.ports.facts import Facts, FactStore
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

_AT_ONCE = 80
"""Facts that may change in the transaction that ends the turn, beside all that it holds otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetFacts:
    """Finds facts, and what facts said before, that a wish means or that say what a forgotten bullet said."""

    store: FactStore
    forgetting: Forgetting
    clock: Clock
    telemetry: Telemetry

    def __call__(
        self, user: UserKey, settings: UserSettings, turns: tuple[GatheredTurn, ...], ending: Ending
    ) -> FactsChange | None:
        """The change that belongs into the turn's settlement; None where nobody wants anything forgotten.

        More than fit into that go before: then the wish means so many that none of them hangs on another.

        Raises:
            Overtaken: others changed the facts, or memory was erased or switched off meanwhile.
            Unavailable: some of it may still stand: come again.
        """
        if not (ending.forget or ending.forgotten):
            return None
        stored = self.store.facts(user, UserScope(user))
        gone = _meant(stored.facts, turns, ending)
        if not (gone or ending.forget):
            return None
        self.forgetting.remember(user, settings.epoch, gone, newest(turns))
        change = self._change(user, settings.epoch, stored, gone)
        while len(change.puts) + len(change.drops) > _AT_ONCE:
            self._do(change)
            stored = self.store.facts(user, UserScope(user))
            change = self._change(user, settings.epoch, stored, gone)
        self.telemetry.count("facts_written_total", len(change.drops), result="deleted")
        return change

    def _do(self, change: FactsChange) -> None:
        try:
            self.store.change(change)
        except CommitRefused as refused:
            raise Overtaken(refused.clauses) from refused
        self.telemetry.count("facts_written_total", len(change.drops), result="deleted")

    def _change(self, user: UserKey, epoch: int, stored: Facts, gone: frozenset[str]) -> FactsChange:
        drops = frozenset([fact.id for fact in stored.facts if fact.text in gone][:MOST_CHANGES])
        trimmed = [_without(fact, gone) for fact in stored.facts if fact.text not in gone and _remembers(fact, gone)]
        return FactsChange(
            user=user,
            base=stored.head,
            epoch=epoch,
            at=self.clock.now(),
            puts=tuple(trimmed[: MOST_CHANGES - len(drops)]),
            drops=drops,
            count=stored.count_after((), drops),
        )


def _meant(facts: Sequence[Fact], turns: tuple[GatheredTurn, ...], ending: Ending) -> frozenset[str]:
    """Texts, present and past, that are to be forgotten."""
    texts = [text for fact in facts for text in (fact.text, *(past.text for past in fact.supersedes))]
    told = told_by(texts, ending.forgotten)
    if not ending.forget:
        return told
    wish = grounds_text(turns)
    return told | pointed_at(texts, wish, Support.of(Grounds(wish, newest(turns), forget=True)))


def _remembers(fact: Fact, gone: frozenset[str]) -> bool:
    return any(past.text in gone for past in fact.supersedes)


def _without(fact: Fact, gone: frozenset[str]) -> Fact:
    return replace(fact, supersedes=tuple(past for past in fact.supersedes if past.text not in gone))
