"""Deciding on the facts as they stand, and storing that with the turns' end in one transaction.

The model is asked once. When others changed the facts meanwhile, what was proposed is checked and decided anew over
what stands now: two identical write-backs at once store a fact, and confirm it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.extract.concluding import ITEMS_PER_TURN, Figures
from context_memory.domain.errors import CommitRefused, Contended
from context_memory.domain.facts.deciding import Case, decide
from context_memory.domain.facts.history import says, without_past
from context_memory.domain.facts.pruning import within_cap
from context_memory.domain.facts.scopes import UserScope
from context_memory.ports.facts import MOST_CHANGES, MOST_ITEMS, FactsChange, FactsHead

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from context_memory.application.extract.checking import Checking
    from context_memory.application.extract.concluding import Conclusion
    from context_memory.application.extract.embedding import Embedding
    from context_memory.application.extract.report import Report
    from context_memory.application.extract.work import Work
    from context_memory.domain.facts.deciding import Decided
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.proposals import Proposal
    from context_memory.domain.tokens import Tokenizer
    from context_memory.ports.facts import ExtractionEnd, Facts, FactStore
    from context_memory.ports.system import Clock


_BESIDE = 3
"""Items of a transaction beside facts and turns: settings, the head, and whether kept texts were closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What was stored, and how it was decided."""

    change: FactsChange
    decided: Decided
    figures: Figures


class Overtaken(Exception):
    """The turns have ended elsewhere, or memory was erased, switched off or given other rules: look again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Storing:
    """Stores what one answer is worth; `tries` says how often others may come first.

    `following` is told of changes that stand. `summary`: facts are made of several turns together (`Case.summary`).
    """

    store: FactStore
    checking: Checking
    tokenizer: Tokenizer
    clock: Clock
    embedding: Embedding
    following: Callable[[Work, FactsChange], None]
    tries: int
    summary: bool = False

    def store_all(
        self,
        work: Work,
        shown: Mapping[int, Fact],
        proposals: Sequence[Proposal],
        report: Report,
        conclusion: Conclusion,
    ) -> Stored:
        """Store what `proposals` come to, with its conclusion; `report` is told what is refused at the last moment.

        Raises:
            Overtaken: nothing was stored.
            Contended: others kept being faster.
            StoreUnavailable: it is unknown whether it was stored: come again and see.
        """
        for _ in range(self.tries):
            stored = self.store.facts(work.user, UserScope(work.user))
            screened = self.checking.check_again(work, shown, stored.facts, proposals)
            decided = decide(self._case(work, stored, shown), screened.kept)
            decided.refused.update(screened.refused)
            if work.grounds.forget:
                self._forget(work, decided)
            refused = report.refused.total() + len(report.malformed)
            change, figures = self._change(work, stored, decided, conclusion, refused=refused)
            try:
                self.store.change(change)
            except CommitRefused as clash:
                left = conclusion.after(clash.clauses)
                if left is None:
                    raise Overtaken from clash
                conclusion = left
            else:
                report.kept = len(screened.kept)
                report.refused.update(decided.refused)
                self.following(work, change)
                return Stored(change=change, decided=decided, figures=figures)
        raise Contended("Others keep changing these facts.")

    def _forget(self, work: Work, decided: Decided) -> None:
        """What the user asked to forget in this turn is not only gone: no history tells it, and nothing older does.

        It is known as forgotten before it goes, as where a wish names in words what it means.

        Raises:
            StoreUnavailable: it may not be known; nothing was stored.
        """
        gone = [fact.text for fact in decided.withdrawn]
        self.checking.forgetting.remember(work.user, work.settings.epoch, gone, work.turns[-1].turn.occurred_at)
        for text in gone:
            decided.standing |= {fact.id: fact for fact in without_past(decided.standing.values(), says(text))}

    def end_without(self, work: Work, ends: tuple[ExtractionEnd, ...]) -> tuple[ExtractionEnd, ...]:
        """End turns that leave the facts as they are.

        Raises:
            Overtaken: they have ended elsewhere, or memory was erased or switched off.
        """
        change = FactsChange(
            user=work.user, base=FactsHead(), epoch=work.settings.epoch, at=self.clock.now(), ends=ends
        )
        try:
            self.store.change(change)
        except CommitRefused as clash:
            raise Overtaken from clash
        return ends

    def _case(self, work: Work, stored: Facts, shown: Mapping[int, Fact]) -> Case:
        return Case(
            scope=UserScope(work.user),
            epoch=work.settings.epoch,
            facts=stored.facts,
            shown=shown,
            turns=work.said,
            now=self.clock.now(),
            tokens=self.tokenizer.count,
            summary=self.summary,
        )

    def _change(
        self, work: Work, stored: Facts, decided: Decided, conclusion: Conclusion, *, refused: int
    ) -> tuple[FactsChange, Figures]:
        before = {fact.id: fact for fact in stored.facts}
        room = min(MOST_CHANGES, MOST_ITEMS - ITEMS_PER_TURN * len(work.turns) - _BESIDE)
        fitting = within_cap(
            decided.standing,
            added=decided.added,
            cap=work.flags.facts_cap,
            pruning=work.turns[-1].recall.pruning,
            at_most=room - len(_changed(before, decided.standing)) - len(before.keys() - decided.standing.keys()),
        )
        decided.leave_out(fitting.refused)
        puts, drops = _changed(before, fitting.standing), before.keys() - fitting.standing.keys()
        change = FactsChange(
            user=work.user,
            base=stored.head,
            epoch=work.settings.epoch,
            at=self.clock.now(),
            puts=self.embedding.embedded(puts),
            drops=frozenset(drops),
            count=len(fitting.standing),
            rules=work.settings.rules,
        )
        figures = Figures(refused=refused, pruned=fitting.pruned)
        return conclusion.of(change, work, decided, figures), figures


def _changed(before: Mapping[str, Fact], standing: Mapping[str, Fact]) -> list[Fact]:
    return [fact for one, fact in standing.items() if before.get(one) != fact]
