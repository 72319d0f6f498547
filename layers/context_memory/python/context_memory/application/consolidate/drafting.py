"""The consolidation call and what code lets stand of its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.asking.brief import turn_values
from context_memory.application.asking.marking import marked
from context_memory.application.consolidate.gathered import grounds_text, newest
from context_memory.domain.errors import MalformedReply
from context_memory.domain.outcomes import Outcome
from context_memory.domain.reconcile import Grounds, Reconciled, Rules, reconcile
from context_memory.domain.replies.consolidation import Reply, read_consolidation

if TYPE_CHECKING:
    from context_memory.application.asking.calls import Calls
    from context_memory.application.consolidate.task import Task
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.profile import Bullets
    from context_memory.domain.replies.candidate import Candidate
    from context_memory.domain.tokens import Tokenizer
    from context_memory.ports.telemetry import Telemetry

_TRIES = 2
_WIPED = "it emptied the whole profile although nobody asked for that. Keep every bullet that nobody withdrew."
_ROOM_FOR_NEWS = 1500
"""Output tokens beyond the profile's own length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What may be stored, before the policy has its say."""

    bullets: Bullets
    forget: bool
    partial: bool
    pinned_conflict: bool
    forgotten: tuple[str, ...]

    @property
    def outcome(self) -> Outcome:
        """The outcome if it is stored."""
        if self.pinned_conflict:
            return Outcome.PINNED_CONFLICT
        if self.forgotten:
            return Outcome.FORGOTTEN
        return Outcome.UPDATED_PARTIAL if self.partial else Outcome.UPDATED


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafting:
    """Asks the consolidation model, at most twice."""

    calls: Calls
    model: str
    limits: ChainLimits
    tokenizer: Tokenizer
    telemetry: Telemetry
    own_sentences: frozenset[str]

    def draft(self, task: Task, *, forget: bool) -> Draft | Outcome:
        """A draft, or `NOOP` when the model sees nothing to change, or `MALFORMED` after two unusable answers."""
        feedback: str | None = None
        lossy: Reply | None = None
        for _ in range(_TRIES):
            try:
                reply = self._ask(task, forget=forget, feedback=feedback)
            except MalformedReply as error:
                feedback = str(error)
                continue
            if reply.candidate is None and lossy is None:
                return Outcome.NOOP
            if reply.candidate is None:
                break
            forget = forget or reply.forget
            task.expect_one_wish(forget=forget)
            result = self._reconciled(task, reply.candidate, forget=forget, additions_only=lossy is not None)
            if result.wiped:
                feedback = _WIPED
            elif result.ask_again and lossy is None:
                feedback, lossy = result.ask_again, reply
            else:
                return self._drafted(result, forget=forget)
        if lossy is None or lossy.candidate is None:
            return Outcome.MALFORMED
        # No better answer came: what the lossy one adds, and the user said, is still worth having.
        return self._drafted(self._reconciled(task, lossy.candidate, forget=forget, additions_only=True), forget=forget)

    def _reconciled(self, task: Task, candidate: Candidate, *, forget: bool, additions_only: bool) -> Reconciled:
        return reconcile(
            task.base,
            candidate,
            Grounds(
                text=grounds_text(task.turns),
                occurred_at=newest(task.turns),
                time_zone=task.turns[-1].turn.time_zone or task.last_zone,
                forget=forget,
                late=task.late,
            ),
            Rules(
                pinned=task.pins,
                deny_phrases=task.deny_phrases,
                forgotten=task.forgotten,
                own_sentences=self.own_sentences,
            ),
            additions_only=additions_only,
        )

    def _ask(self, task: Task, *, forget: bool, feedback: str | None) -> Reply:
        profile = marked(task.base, task.pins)
        values = {
            "profile": profile,
            "turns": turn_values(
                task.turns,
                self.tokenizer,
                last_zone=task.last_zone,
                evidence=self.limits.consolidation_evidence,
                earlier_answer=self.limits.earlier_answer,
                answer=self.limits.consolidation_answer,
            ),
            "deny_rules": task.deny_rules,
            "allowed_special": task.allowed,
            "forget": forget,
            "late": task.late,
            "feedback": feedback,
        }
        room = self.tokenizer.count(profile) + _ROOM_FOR_NEWS
        reply = self.calls.ask("consolidation", self.model, values, room)
        return read_consolidation(reply.text, finish_reason=reply.finish_reason, base=task.base)

    def _drafted(self, result: Reconciled, *, forget: bool) -> Draft:
        if result.restored:
            self.telemetry.count("bullets_restored_total", result.restored)
        return Draft(
            bullets=result.bullets,
            forget=forget,
            partial=result.partial,
            pinned_conflict=result.pinned_conflict,
            forgotten=result.forgotten,
        )
