"""One group of turns: look up what is near, ask, check, and store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.asking.calls import Calls
from context_memory.application.extract.checking import Checking
from context_memory.application.extract.concluding import EndExtractions
from context_memory.application.extract.counting import without_change
from context_memory.application.extract.embedding import Embedding
from context_memory.application.extract.proposing import Proposing
from context_memory.application.extract.storing import Storing
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.facts.scopes import UserScope

if TYPE_CHECKING:
    from context_memory.application.extract.following import Following
    from context_memory.application.extract.nearest import Nearest
    from context_memory.application.extract.report import Report
    from context_memory.application.extract.work import Work
    from context_memory.application.forgetting import Forgetting
    from context_memory.application.spending import Spending
    from context_memory.application.taken_out import TakenOut
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.tokens import Tokenizer
    from context_memory.domain.turn import Usage
    from context_memory.ports.facts import ExtractionEnd, FactStore
    from context_memory.ports.models import LanguageModel, Prompts
    from context_memory.ports.recall import Embedder
    from context_memory.ports.system import Clock, Identifiers
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Runs groups. `extraction` and `scrub` are models, `embedder` is None where none is configured."""

    store: FactStore
    model: LanguageModel
    extraction: str
    scrub: str
    embedder: Embedder | None
    nearest: Nearest
    prompts: Prompts
    tokenizer: Tokenizer
    identifiers: Identifiers
    forgetting: Forgetting
    taken_out: TakenOut
    following: Following
    spending: Spending
    clock: Clock
    telemetry: Telemetry
    limits: ChainLimits

    def __call__(self, work: Work, report: Report) -> tuple[ExtractionEnd, ...] | None:
        """Run the turns to their end; `report` is filled on the way.

        Returns:
            How they ended; None when several turns ran together and the model's answers could not be read, so that
            each has to run alone.

        Raises:
            Overtaken: the turns have ended, or memory was erased, switched off or given other rules meanwhile.
            Contended: others kept being faster.
            Unavailable, ModelRejected, CallBudgetSpent: nothing was stored.
        """
        usage: list[Usage] = []
        try:
            ends = self._run(work, report, self._calls(work, usage))
        except Exception:  # what was answered has cost its tokens, whatever became of the turns
            self.spending(work.user.company_id, usage)
            raise
        self.spending(work.user.company_id, usage)
        return ends

    def _run(self, work: Work, report: Report, calls: Calls) -> tuple[ExtractionEnd, ...] | None:
        stored = self.store.facts(work.user, UserScope(work.user))
        shown = self.nearest(work.user, stored, work.grounds.text, work.deadline)
        proposing = Proposing(calls=calls, model=self.extraction, limits=self.limits, tokenizer=self.tokenizer)
        extracted = proposing.propose(work, shown)
        embedding = Embedding(embedder=self.embedder, deadline=work.deadline, telemetry=self.telemetry)
        checking = self._checking(calls)
        storing = self._storing(checking, embedding)
        if extracted is None:
            if len(work.turns) > 1:
                return None
            report.trouble = "the model's answers could not be read"
            return storing.end_without(work, without_change(work.turns, FactsOutcome.MALFORMED))
        numbered = dict(enumerate(shown, start=1))
        report.extracted = len(extracted.proposals) + len(extracted.malformed)
        report.malformed = extracted.malformed
        if not extracted.whole:
            report.trouble = "the model's answer was not whole"
        kept = checking.check(work, numbered, stored.facts, extracted.proposals, report)
        change = storing.store_all(work, numbered, kept, report, EndExtractions()).change
        if change.keeps:
            self.telemetry.count("kept_turns_total", len(change.keeps), result="kept")
        if embedding.missed:
            report.trouble = "facts are stored without vectors"
        return change.ends

    def _checking(self, calls: Calls) -> Checking:
        return Checking(
            calls=calls,
            scrub=self.scrub,
            prompts=self.prompts,
            forgetting=self.forgetting,
            taken_out=self.taken_out,
            telemetry=self.telemetry,
        )

    def _storing(self, checking: Checking, embedding: Embedding) -> Storing:
        return Storing(
            store=self.store,
            checking=checking,
            tokenizer=self.tokenizer,
            clock=self.clock,
            embedding=embedding,
            following=self.following,
            tries=self.limits.commit_tries,
        )

    def _calls(self, work: Work, usage: list[Usage]) -> Calls:
        pending = work.pending
        spent = max(one.calls for one in pending)
        return Calls(
            model=self.model,
            prompts=self.prompts,
            identifiers=self.identifiers,
            charge=lambda used: self.store.count_call(work.user, pending, used),
            clock=self.clock,
            telemetry=self.telemetry,
            turn_ids=[one.turn_id for one in pending],
            left=min(self.limits.calls_per_chain, self.limits.calls_per_turn - spent),
            deadline=work.deadline,
            usage=usage,
        )
