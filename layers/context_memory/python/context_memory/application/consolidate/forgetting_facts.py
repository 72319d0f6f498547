"""A wish to forget holds for both memories: the facts that it means go in the very transaction that ends its turn.

So a run that dies in between has taken nothing out, and comes again to the same facts: which ones a word means hangs on
what stands beside them. The head of the facts moves with every wish, so that nobody who read them before stores what is
forgotten now. What goes is known as forgotten before it goes, so that no older material brings it back.

What a turn taught that this one replaces goes in the same transaction, and may be learned again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.commit.storing import Overtaken
from context_memory.application.consolidate.gathered import grounds_text, newest
from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.compacting.parting import apart
from context_memory.domain.facts.heeding import Heeded
from context_memory.domain.facts.history import texts_behind, without_past
from context_memory.domain.facts.pointing import Pointing, pointing, told_by
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.reconcile import Grounds
from context_memory.domain.reconcile.support import Support
from context_memory.ports.facts import MOST_CHANGES, FactsChange

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.application.consolidate.task import Ending
    from context_memory.application.consolidate.withdrawing import Withdrawing
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
    withdrawing: Withdrawing
    clock: Clock
    telemetry: Telemetry

    def __call__(
        self, user: UserKey, settings: UserSettings, turns: tuple[GatheredTurn, ...], ending: Ending
    ) -> Ending:
        """The end, with the change that belongs into the turn's settlement; none where the facts stay as they are.

        More than fit into that go before: then the wish means so many that none of them hangs on another.

        Raises:
            Overtaken: others changed the facts, or memory was erased or switched off meanwhile.
            Unavailable: some of it may still stand: come again.
        """
        replaced = self.withdrawing.replaced_by(user, turns) if ending.outcome.success else frozenset()
        if not (ending.forget or ending.forgotten or replaced):
            return ending
        self.withdrawing.end_extractions(user, settings.epoch, replaced)
        stored = self.store.facts(user, UserScope(user))
        left = self.withdrawing.withdrawn(stored.facts, replaced).applied_to(stored.facts)
        wished = _wished(left, turns, ending)
        gone = _meant(left, wished, ending)
        if ending.forget and not gone:  # nothing is found that it means, and yet kept texts may speak of it
            self.forgetting.let_go.all_until(user, settings.epoch)
        self.forgetting.remember(user, settings.epoch, gone, newest(turns))
        change = self._change(user, settings.epoch, stored, replaced, gone)
        while len(change.puts) + len(change.drops) > _AT_ONCE:
            self._do(change)
            stored = self.store.facts(user, UserScope(user))
            change = self._change(user, settings.epoch, stored, replaced, gone)
        heeded = _heeded(change, stored, wished) if ending.forget else None
        if not (change.puts or change.drops or ending.forget):
            return ending
        self.telemetry.count("facts_written_total", len(change.drops), result="deleted")
        return replace(ending, facts=change, heeded=heeded)

    def _do(self, change: FactsChange) -> None:
        try:
            self.store.change(change)
        except CommitRefused as refused:
            raise Overtaken(refused.clauses) from refused
        self.telemetry.count("facts_written_total", len(change.drops), result="deleted")

    def _change(
        self, user: UserKey, epoch: int, stored: Facts, replaced: frozenset[str], gone: frozenset[str]
    ) -> FactsChange:
        """As much as one transaction holds; what comes back goes first, for what goes remembers it."""
        left = self.withdrawing.withdrawn(stored.facts, replaced).applied_to(stored.facts)
        found = apart(left, lambda fact: fact.text in gone)
        staying = {one: fact for one, fact in found.items() if fact.text not in gone}
        trimmed = {fact.id: fact for fact in without_past(staying.values(), lambda past: past.text in gone)}
        before = {fact.id: fact for fact in stored.facts}
        changed = [fact for one, fact in (staying | trimmed).items() if before.get(one) != fact]
        puts = sorted(changed, key=lambda fact: fact.id in before)[:MOST_CHANGES]
        drops = frozenset([one for one in before if one not in staying][: MOST_CHANGES - len(puts)])
        return FactsChange(
            user=user,
            base=stored.head,
            epoch=epoch,
            at=self.clock.now(),
            puts=tuple(puts),
            drops=drops,
            count=stored.count_after(puts, drops),
        )


def _wished(facts: Sequence[Fact], turns: tuple[GatheredTurn, ...], ending: Ending) -> tuple[Pointing, ...]:
    """What the words of a wish come to; none without a wish.

    Which facts a word means hangs on how many hold it, and on whether one says just that, be it a bullet that goes: the
    merged ones are looked at as they are, and as they were.
    """
    if not ending.forget:
        return ()
    wish = grounds_text(turns)
    support = Support.of(Grounds(wish, newest(turns), forget=True))
    as_they_were = apart(facts, lambda _: True).values()
    return tuple(pointing([*_texts(some), *ending.forgotten], wish, support) for some in (facts, as_they_were))


def _meant(facts: Sequence[Fact], wished: tuple[Pointing, ...], ending: Ending) -> frozenset[str]:
    """Texts, present and past, that are to be forgotten; a fact goes with one that was merged into it."""
    known = frozenset(_texts(facts)).union(_texts(apart(facts, lambda _: True).values()))
    meant = told_by(known, ending.forgotten).union(*(one.meant & known for one in wished))
    return meant | {fact.text for fact in facts if not meant.isdisjoint(texts_behind(fact))}


def _heeded(change: FactsChange, stored: Facts, wished: tuple[Pointing, ...]) -> Heeded:
    """What was made of a wish, for the model that comes to it when the turn's facts are extracted."""
    beside = frozenset[str]().union(*(one.beside for one in wished))
    standing = {fact.id: fact for fact in (*stored.facts, *change.puts) if fact.id not in change.drops}
    spared = frozenset(one for one, fact in standing.items() if fact.text in beside)
    return Heeded(spared, wholly=any(one.wholly for one in wished))


def _texts(facts: Iterable[Fact]) -> list[str]:
    return [text for fact in facts for text in (fact.text, *(past.text for past in fact.supersedes))]
