"""One run of the chain: gate, consolidation, reconcile, scrub, last line, fit.

A function of (profile, turns, clock, model, policy, the user's rules), plus model calls. It stores nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.asking.fitting import Fitting
from context_memory.application.asking.policy_reader import PolicyReader
from context_memory.application.asking.scrubbing import Scrubbing, taken_out
from context_memory.application.consolidate.drafting import Draft, Drafting
from context_memory.application.consolidate.gating import Gating
from context_memory.application.consolidate.task import Ending, RunApart
from context_memory.application.steps import GATE
from context_memory.domain import housekeeping, last_line
from context_memory.domain.errors import CallBudgetSpent, ModelRejected, ModelUnavailable
from context_memory.domain.outcomes import Outcome
from context_memory.domain.replies.gate import GateDecision

if TYPE_CHECKING:
    from context_memory.application.asking.calls import Calls, Models
    from context_memory.application.consolidate.task import Task
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.profile import Bullets, Profile
    from context_memory.domain.tokens import Tokenizer
    from context_memory.ports.telemetry import Telemetry


_STORED = {Outcome.UPDATED: "rewritten", Outcome.UPDATED_PARTIAL: "partial"}
"""Results of a rewrite that are called otherwise than what becomes of the turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Runs a task with one chain's calls. `saving`: the gate is asked even where the space does without."""

    calls: Calls
    models: Models
    limits: ChainLimits
    tokenizer: Tokenizer
    telemetry: Telemetry
    own_sentences: frozenset[str]
    saving: bool = False

    def run(self, task: Task) -> Ending:
        """Work the task off.

        Raises:
            RunApart: each turn has to run alone.
            ModelUnavailable: the turns wait.
            ModelRejected: the model will not answer these turns.
            CallBudgetSpent: the turns have had their share.
        """
        decision = self._gate(task)
        if decision is GateDecision.NOOP:
            self._measure_miss(task)
            return self._nothing_new(task, Outcome.NOOP, GATE)
        forget = decision is GateDecision.FORGET
        try:
            ending, result = self._rewrite(task, forget=forget)
        except (ModelUnavailable, ModelRejected) as error:
            failed = "model_rejected" if isinstance(error, ModelRejected) else "llm_error"
            self.telemetry.count("consolidation_results_total", result=failed)
            raise
        self.telemetry.count("consolidation_results_total", result=result)
        return replace(ending, forget=ending.forget or forget)

    def _rewrite(self, task: Task, *, forget: bool) -> tuple[Ending, str]:
        """How the turns end, and what became of the rewrite."""
        task.expect_one_wish(forget=forget)
        drafted = self._draft(task, forget=forget)
        if drafted is Outcome.MALFORMED:
            return Ending(outcome=drafted), drafted.value
        if isinstance(drafted, Outcome):
            return self._nothing_new(task, drafted), drafted.value
        ending, result = self._finish(task, drafted)
        return replace(ending, forget=drafted.forget), result

    def _gate(self, task: Task) -> GateDecision:
        if not (self.saving or task.turns[0].gated):
            return GateDecision.UPDATE
        gating = Gating(calls=self.calls, model=self.models.gate, limits=self.limits, tokenizer=self.tokenizer)
        decision = gating.decide(task)
        self.telemetry.count("gate_decisions_total", decision=decision.value)
        self.telemetry.count("gate_failed_open", int(decision is GateDecision.FAIL_OPEN))
        return decision

    def _draft(self, task: Task, *, forget: bool) -> Draft | Outcome:
        drafting = Drafting(
            calls=self.calls,
            model=self.models.consolidation,
            limits=self.limits,
            tokenizer=self.tokenizer,
            telemetry=self.telemetry,
            own_sentences=self.own_sentences,
        )
        return drafting.draft(task, forget=forget)

    def _finish(self, task: Task, draft: Draft) -> tuple[Ending, str]:
        at = max(gathered.turn.occurred_at for gathered in task.turns)
        stamped = housekeeping.stamp_topics(task.base, draft.bullets, at)
        unchanged = Outcome.PINNED_CONFLICT if draft.pinned_conflict else Outcome.UNCHANGED
        if stamped.same_as(task.base):
            return self._nothing_new(task, unchanged), unchanged.value
        scrubbed = self._scrub(task, stamped, forget=draft.forget)
        if scrubbed is None:
            return Ending(outcome=Outcome.SCRUB_VETO), Outcome.SCRUB_VETO.value
        checked = last_line.apply(
            task.base, housekeeping.stamp_topics(task.base, scrubbed, at), forgotten=draft.forgotten
        )
        for kind, hits in checked.hits.items():
            self.telemetry.count("redactions_total", hits, kind=kind)
        emptied = checked.bullets.blank and not (draft.bullets.blank or draft.forget)
        if emptied or checked.bullets.same_as(task.base):
            result = unchanged.value if draft.pinned_conflict else "unchanged_after_scrub"
            return self._nothing_new(task, unchanged), result
        profile = self._fit(task, checked.bullets)
        if profile.bullets.same_as(task.stored.bullets):
            return Ending(outcome=unchanged), unchanged.value
        forgotten = (*draft.forgotten, *taken_out(task.stored.bullets, stamped, scrubbed))
        ending = Ending(outcome=draft.outcome, profile=profile, forgotten=forgotten)
        return ending, _STORED.get(draft.outcome, draft.outcome.value)

    def _scrub(self, task: Task, bullets: Bullets, *, forget: bool) -> Bullets | None:
        reader = PolicyReader(
            calls=self.calls,
            model=self.models.scrub,
            telemetry=self.telemetry,
            deny_rules=task.deny_rules,
            allowed_special=task.allowed,
            display_name=task.turns[-1].turn.display_name,
        )
        return Scrubbing(reader=reader).scrub(task.base, bullets, whole=task.scrub_whole, bring_back=not forget)

    def _fit(self, task: Task, bullets: Bullets) -> Profile:
        kept = housekeeping.expire_follow_ups(bullets, task.written, task.now.date(), task.pins)
        kept = housekeeping.limit_topics(kept, cap_tokens=task.cap, tokenizer=self.tokenizer, pinned=task.pins)
        profile = replace(
            task.stored,
            bullets=kept,
            truncated=False,
            turn_count=task.stored.turn_count + 1,
            last_updated=task.now.replace(microsecond=0),
        )
        fitting = Fitting(
            calls=self.calls,
            model=self.models.consolidation,
            tokenizer=self.tokenizer,
            telemetry=self.telemetry,
            cap=task.cap,
            pins=task.pins,
            today=task.now.date(),
            written=task.written,
            trigger="post_consolidation",
        )
        return fitting.fit(profile)

    def _nothing_new(self, task: Task, outcome: Outcome, reason: str | None = None) -> Ending:
        """The turns add nothing; what a superseded turn had added may still have to go."""
        if task.base.same_as(task.stored.bullets):
            return Ending(outcome=outcome, reason=reason)
        forgotten: tuple[str, ...] = ()
        base = last_line.apply(task.stored.bullets, task.base).bullets
        if task.scrub_whole:
            # What is stored from here on counts as written under today's policy.
            scrubbed = self._scrub(task, base, forget=False)
            if scrubbed is None:
                return Ending(outcome=Outcome.SCRUB_VETO)
            forgotten = taken_out(task.stored.bullets, base, scrubbed)
            base = last_line.apply(task.stored.bullets, scrubbed).bullets
        stored = Outcome.UPDATED if outcome.success else outcome
        return Ending(outcome=stored, reason=reason, profile=self._fit(task, base), forgotten=forgotten)

    def _measure_miss(self, task: Task) -> None:
        """Consolidate a share of the NOOPs without storing, to know what the gate costs. Picked by the turn's hash."""
        picked = int(task.turns[0].record.payload_sha256[:8], 16) / 2**32
        if self.saving or picked >= self.limits.gate_miss_share:
            return
        try:
            drafted = self._draft(task, forget=False)
        except (
            ModelUnavailable,
            ModelRejected,
            CallBudgetSpent,
            RunApart,
        ):  # it must not change what becomes of a turn
            return
        missed = isinstance(drafted, Draft) and not drafted.bullets.same_as(task.base)
        self.telemetry.count("gate_miss_total", int(missed))
