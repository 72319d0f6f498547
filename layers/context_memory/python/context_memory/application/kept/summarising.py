"""Making facts of several old turns together, in the transaction with which they are kept no more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.application.extract.checking import Checking
from context_memory.application.extract.concluding import EndKeeping
from context_memory.application.extract.embedding import Embedding
from context_memory.application.extract.proposing import SUMMARY, Proposing
from context_memory.application.extract.report import Report
from context_memory.application.extract.storing import Overtaken, Storing
from context_memory.application.extract.work import Work
from context_memory.domain.errors import ModelRejected
from context_memory.domain.facts.proposals import Operation
from context_memory.domain.facts.scopes import UserScope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from context_memory.application.asking.calls import Calls
    from context_memory.application.extract.nearest import Nearest
    from context_memory.application.extract.storing import Stored
    from context_memory.application.forgetting import Forgetting
    from context_memory.application.kept.letting_go import LetGo
    from context_memory.application.kept.reading import Readable
    from context_memory.application.taken_out import TakenOut
    from context_memory.domain.enablement import CompanyFlags
    from context_memory.domain.facts.proposals import Proposal
    from context_memory.domain.ids import UserKey
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.state import UserState
    from context_memory.domain.tokens import Tokenizer
    from context_memory.ports.facts import FactsChange, FactStore
    from context_memory.ports.models import Prompts
    from context_memory.ports.recall import Embedder
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

_BRINGS = frozenset({Operation.ADD, Operation.CONFIRM})
"""What old turns may do: what is true by now was said later."""
_RESULTS = {Operation.ADD: "added", Operation.CONFIRM: "confirmed", Operation.SUPERSEDE: "superseded"}


class Summed(StrEnum):
    """What became of a group of kept turns."""

    STORED = "stored"
    NOTHING = "nothing"
    """No fact was worth it; the turns go all the same."""
    MALFORMED = "malformed"
    REJECTED = "rejected"
    """The model would not read them."""
    OVERTAKEN = "overtaken"
    """The user asked to forget something meanwhile, or another was faster."""

    @property
    def settled(self) -> bool:
        """Whether the turns are kept no more."""
        return self in {Summed.STORED, Summed.NOTHING}


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarise:
    """Sends a group through the chain of extraction, with a prompt of its own. `extraction`, `scrub`: models.

    `written` is told of every change that stands.
    """

    store: FactStore
    extraction: str
    scrub: str
    embedder: Embedder | None
    nearest: Nearest
    prompts: Prompts
    tokenizer: Tokenizer
    forgetting: Forgetting
    taken_out: TakenOut
    let_go: LetGo
    written: Callable[[Work, FactsChange], None]
    clock: Clock
    telemetry: Telemetry
    limits: ChainLimits

    def __call__(
        self, user: UserKey, state: UserState, flags: CompanyFlags, group: tuple[Readable, ...], calls: Calls
    ) -> Summed:
        """Summarise turns that are read together.

        Raises:
            ModelUnavailable, CallBudgetSpent, StoreUnavailable, Contended: they are kept on, or it is unknown whether
                they are.
        """
        work = Work(
            user=user,
            state=state,
            flags=flags,
            turns=tuple(one.gathered for one in group),
            wishes=lambda: (),  # whoever asks to forget something has kept texts go before anything else
            deadline=calls.deadline,
        )
        summed = self._summed(work, group, calls)
        self.telemetry.count("summaries_total", outcome=summed.value)
        self.telemetry.event("read old turns together", outcome=summed.value, turns=len(group))
        if summed.settled:
            self.telemetry.count("kept_turns_total", len(group), result="summarised")
            # Behind the transaction: what dies here leaves a text that nobody keeps, and the next walk removes it.
            self.let_go.remove(user, [one.kept for one in group])
        return summed

    def _summed(self, work: Work, group: tuple[Readable, ...], calls: Calls) -> Summed:
        try:
            stored = self._stored(work, group, calls)
        except ModelRejected:
            return Summed.REJECTED
        except Overtaken:
            return Summed.OVERTAKEN
        if stored is None:
            return Summed.MALFORMED
        for operation, result in _RESULTS.items():
            if count := sum(n for (_, done), n in stored.decided.done.items() if done is operation):
                self.telemetry.count("facts_written_total", count, result=result)
        if stored.figures.pruned:
            self.telemetry.count("facts_written_total", stored.figures.pruned, result="pruned")
        return Summed.STORED if stored.change.puts else Summed.NOTHING

    def _stored(self, work: Work, group: tuple[Readable, ...], calls: Calls) -> Stored | None:
        facts = self.store.facts(work.user, UserScope(work.user))
        shown = self.nearest(work.user, facts, work.grounds.text, work.deadline)
        extracted = Proposing(
            calls=calls, model=self.extraction, limits=self.limits, tokenizer=self.tokenizer, purpose=SUMMARY
        ).propose(work, shown)
        if extracted is None:
            return None
        numbered = dict(enumerate(shown, start=1))
        checking = Checking(
            calls=calls,
            scrub=self.scrub,
            prompts=self.prompts,
            forgetting=self.forgetting,
            taken_out=self.taken_out,
            telemetry=self.telemetry,
        )
        report = Report(malformed=extracted.malformed)
        kept = checking.check(work, numbered, facts.facts, _old(extracted.proposals), report)
        conclusion = EndKeeping(turns=tuple(one.kept for one in group))
        return self._storing(checking, work).store_all(work, numbered, kept, report, conclusion)

    def _storing(self, checking: Checking, work: Work) -> Storing:
        return Storing(
            store=self.store,
            checking=checking,
            tokenizer=self.tokenizer,
            clock=self.clock,
            embedding=Embedding(embedder=self.embedder, deadline=work.deadline, telemetry=self.telemetry),
            following=self.written,
            tries=self.limits.commit_tries,
            summary=True,
        )


def _old(proposals: Iterable[Proposal]) -> list[Proposal]:
    """What old turns may bring; how much it matters is not the model's to say."""
    return [replace(one, tier=None) for one in proposals if one.operation in _BRINGS]
