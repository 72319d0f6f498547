"""Recall: facts for the question at hand, within the budgets of the request."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.inheriting import pass_nothing_on
from context_memory.application.recall.ahead import Ahead
from context_memory.application.recall.situation import Situation
from context_memory.domain.enablement import Asked, Reason, disabled_reason
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.recall.block import block_tokens

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from context_memory.application.recall.ahead import Asking
    from context_memory.application.recall.answering import Answering, Found
    from context_memory.domain.enablement import CompanyFlags
    from context_memory.domain.ids import UserKey
    from context_memory.domain.recall.question import Question
    from context_memory.domain.state import UserState
    from context_memory.ports.companies import Switches
    from context_memory.ports.recall import PromptMemories
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserStates


@dataclass(frozen=True, slots=True)
class Recalled:
    """The answer: `reason` says why nothing was looked for; `found` is None then."""

    reason: Reason | None
    found: Found | None = None

    @property
    def outcome(self) -> str:
        """How it is counted."""
        if self.found is None:
            return "disabled"
        if self.found.cached:
            return "cached"
        return "hit" if self.found.given else "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """The use case behind `POST …/recall`."""

    table: UserStates
    prompts: PromptMemories
    switches: Switches
    asking: Asking
    answering: Answering
    clock: Clock
    telemetry: Telemetry
    executor: Executor

    def __call__(self, user: UserKey, question: Question) -> Recalled:
        """Look facts up for a question.

        Raises:
            Unavailable: flags or a store are out of reach, which is never "nothing found".
            InvalidInput: the backend that is asked for is none of this environment's.
        """
        began, outcome = self.clock.monotonic(), "error"
        try:
            recalled = self._recall(user, question)
            outcome = recalled.outcome
            return recalled
        finally:
            seconds = self.clock.monotonic() - began
            self.telemetry.count_all({"recall_total": 1, "recall_duration_seconds": seconds}, outcome=outcome)
            self.telemetry.count("recall_failed", int(outcome == "error"))

    def _recall(self, user: UserKey, question: Question) -> Recalled:
        space_read = self.switches.space_ahead(user.company_id, question.space_id, self.executor)
        flags = self.switches.flags(user.company_id)
        asked = _asked(question, flags)
        # A space of which nothing is known yet is read beside the rest, as for a load.
        if space_read.done() and (reason := disabled_reason(flags, space_read.result(), None, asked)):
            return Recalled(reason)
        names = question.delegation.rests_on(company=flags.inherit_memory, prompt_id=question.prompt_id)
        wants = asked.wanted and asked.inherits and not asked.disabled
        ahead = self.asking.begin(user, question, names) if wants else Ahead()
        state = self.table.state(user)
        space = space_read.result()
        asked = replace(asked, inherits=asked.inherits and ahead.inherits())
        if reason := disabled_reason(flags, space, state.settings, asked):
            self._pass_nothing_on(user, question, state)
            return Recalled(reason)
        found = self.answering(
            Situation(user=user, question=question, flags=flags, space=space, state=state, ahead=ahead)
        )
        self.telemetry.count_all({"recall_hits": len(found.given), "recall_tokens": block_tokens(found.given)})
        return Recalled(None, found)

    def _pass_nothing_on(self, user: UserKey, question: Question, state: UserState) -> None:
        """Remember for the workers of a prompt that it wants no facts, whatever else forbids them now.

        A company's default is no wish of the prompt, and what a worker wants to read is its own affair.
        """
        unwanted = question.disabled or (question.use_memory is False and not question.delegation.delegated)
        if unwanted and question.prompt_id and state.settings.context_memory and not state.settings.erase_running:
            epoch, now = state.settings.epoch, self.clock.now()
            mending = self.answering.mending
            entering = mending.begin([UserScope(user)] if state.unknown else [])
            pass_nothing_on(self.prompts, user, question.prompt_id, epoch=epoch, at=now)
            mending.finish(entering)


def _asked(question: Question, flags: CompanyFlags) -> Asked:
    return Asked(
        flags.use_memory.read if question.use_memory is None else question.use_memory,
        question.web_search,
        inherits=question.delegation.inherits(company=flags.inherit_memory),
        recalls=True,
        disabled=question.disabled,
    )
