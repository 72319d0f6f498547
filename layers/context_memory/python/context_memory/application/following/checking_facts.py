"""The job `check_facts`: the policy's reader over facts that people wrote, and that no model has seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from itertools import batched
from typing import TYPE_CHECKING

from context_memory.application.asking.policy_reader import PolicyReader
from context_memory.domain.deny_rules import in_words
from context_memory.domain.errors import (
    CallBudgetSpent,
    EraseRunning,
    MemorySwitchedOff,
    ModelRejected,
    ModelUnavailable,
)
from context_memory.domain.facts.checking import to_read, verdicts
from context_memory.domain.facts.fact import Tier
from context_memory.domain.jobs import AgendaEntry, JobKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.application.asking.calls import Calls
    from context_memory.application.facts.rewriting import RewriteFacts
    from context_memory.application.facts.user_shelf import UserShelf
    from context_memory.application.following.asking import Asking
    from context_memory.domain.company_settings import StoredSettings
    from context_memory.domain.facts.checking import Verdict, Wording
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.ids import UserKey
    from context_memory.domain.jobs import UserJob
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserStates

FACTS_AT_ONCE = 20
"""Of one call."""
_LATER = timedelta(days=1)
"""When it is tried again where the company may not ask, or the model has no answer."""


@dataclass(slots=True)
class _Read:
    """What was said of facts so far, and whether somebody has to come back for the others."""

    said: dict[Wording, Verdict] = field(default_factory=dict)
    ended_early: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFacts:
    """Reads what is unread, once; what may not stand goes and counts as forgotten: nothing older brings it back.

    It may be done again, and at any moment: what is unread stands with the facts themselves. `company` tells what
    administrators have set.
    """

    table: UserStates
    shelf: Callable[[UserKey], UserShelf]
    rewrite: RewriteFacts
    company: Callable[[str], StoredSettings]
    asking: Asking
    agenda: Agenda
    jobs: Jobs
    telemetry: Telemetry
    model: str

    def __call__(self, job: UserJob, seconds: float) -> None:
        """Look through one user's facts, beginning no call later than `seconds` from now.

        Raises:
            Unavailable: the world did not allow it; come again.
        """
        try:
            self._check(job, seconds)
        except (MemorySwitchedOff, EraseRunning) as gone:
            self.telemetry.event("no facts are left to look through", reason=type(gone).__name__)
        if job.entry:
            self.agenda.strike(job.entry)

    def _check(self, job: UserJob, seconds: float) -> None:
        facts = self.shelf(job.user).look(()).facts.facts
        unread = [fact for fact in facts if fact.unchecked]
        if not unread:
            return
        if not self.asking.may(job):
            self._come_back(job.user)
            return
        identity = [fact.text for fact in facts if fact.tier is Tier.CORE and not fact.unchecked]
        with self.asking.calls(job.user, seconds) as calls:
            read = self._read(job.user, unread, identity, calls)
        taken_out = self.rewrite.heed_policy(job.user, read.said)
        self.telemetry.event("looked through facts that people wrote", read=len(read.said), taken_out=taken_out)
        if read.ended_early and read.said:
            self.jobs.send(job)
        elif len(read.said) < len(unread):
            self._come_back(job.user)

    def _read(self, user: UserKey, unread: Sequence[Fact], identity: Sequence[str], calls: Calls) -> _Read:
        """What is said of as many facts as calls and time are left for; a stretch without an answer stops no other."""
        settings = self.table.state(user).settings
        reader = PolicyReader(
            calls=calls,
            model=self.model,
            telemetry=self.telemetry,
            deny_rules=in_words(settings.deny_phrases, sorted(settings.deny_kinds)),
            allowed_special=sorted(self.company(user.company_id).settings.allowed_special),
        )
        read = _Read()
        for some in batched(unread, FACTS_AT_ONCE, strict=False):
            try:
                reply = reader.read(to_read(some), identity=identity)
            except ModelRejected as error:
                self.telemetry.warning("facts could not be looked through", error_type=type(error).__name__)
                continue
            except (CallBudgetSpent, ModelUnavailable):
                if not read.said:
                    raise
                read.ended_early = True
                break
            if reply is not None:
                read.said |= verdicts(some, reply.lines)
        return read

    def _come_back(self, user: UserKey) -> None:
        due = self.asking.clock.now().date() + _LATER
        self.agenda.note(AgendaEntry(company_id=user.company_id, kind=JobKind.CHECK_FACTS, due=due, user=user))
