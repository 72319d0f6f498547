"""Which proposals may be stored: code checks first, then the policy's reader, then code again what that changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.asking.policy_reader import PolicyReader
from context_memory.application.extract.policing import Policing
from context_memory.domain.facts.refusals import Refusal
from context_memory.domain.facts.screening import FactRules, Screening

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from context_memory.application.asking.calls import Calls
    from context_memory.application.extract.report import Report
    from context_memory.application.extract.work import Work
    from context_memory.application.forgetting import Forgetting
    from context_memory.application.taken_out import TakenOut
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.proposals import Proposal
    from context_memory.domain.facts.screening import Screened
    from context_memory.domain.reconcile import Grounds
    from context_memory.ports.models import Prompts
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Checking:
    """Checks the proposals of one answer. `scrub` is the model that reads for the policy."""

    calls: Calls
    scrub: str
    prompts: Prompts
    forgetting: Forgetting
    taken_out: TakenOut
    telemetry: Telemetry

    def check(
        self,
        work: Work,
        shown: Mapping[int, Fact],
        facts: tuple[Fact, ...],
        proposals: Sequence[Proposal],
        report: Report,
    ) -> tuple[Proposal, ...]:
        """Those that may stand by what was said, and by the policy; `report` is told of the others.

        Raises:
            ModelUnavailable, ModelRejected, CallBudgetSpent: the policy's reader could not be asked.
        """
        screened = self._screening(work, shown, facts).screen(proposals)
        for kind, hits in screened.secrets.items():
            self.telemetry.count("redactions_total", hits, kind=kind)
        policed = Policing(reader=self._reader(work)).police(screened.kept, facts)
        report.refused.update(screened.refused)
        report.refused[Refusal.POLICY] += len(screened.kept) - len(policed)
        return policed

    def check_again(
        self, work: Work, shown: Mapping[int, Fact], facts: tuple[Fact, ...], proposals: Sequence[Proposal]
    ) -> Screened:
        """The same proposals over facts as they stand now, without a model.

        What the policy's reader shortened is new text, and somebody may have asked to forget meanwhile. Who asked did
        so before the facts were read, or will be found to have moved their head.
        """
        return self._screening(work, shown, facts, wishes=work.wishes()).screen(proposals)

    def _screening(
        self, work: Work, shown: Mapping[int, Fact], facts: tuple[Fact, ...], wishes: tuple[Grounds, ...] = ()
    ) -> Screening:
        return Screening(grounds=work.grounds, shown=shown, facts=facts, rules=self._rules(work, facts, wishes))

    def _reader(self, work: Work) -> PolicyReader:
        return PolicyReader(
            calls=self.calls,
            model=self.scrub,
            telemetry=self.telemetry,
            deny_rules=work.deny_rules,
            allowed_special=work.allowed_special,
            display_name=work.turns[-1].turn.display_name,
        )

    def _rules(self, work: Work, facts: tuple[Fact, ...], wishes: tuple[Grounds, ...]) -> FactRules:
        settings = work.settings
        return FactRules(
            deny_phrases=settings.deny_phrases,
            forgotten=self.taken_out.since(
                work.user,
                settings.epoch,
                work.said,
                [fact.text for fact in facts],
                own_wish=work.grounds.forget,
            ),
            heeded=work.pending[0].heeded,  # who asks to forget runs alone
            teaches=all(one.teaches for one in work.pending),
            wishes=wishes,
            own_sentences=self.prompts.sentences(),
        )
