"""Running one group of turns to its end, again when somebody else was faster."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from context_memory.application.asking.calls import Calls
from context_memory.application.commit.base import read_base
from context_memory.application.commit.storing import Overtaken
from context_memory.application.consolidate.chain import Chain
from context_memory.application.consolidate.gathered import is_late, teaches
from context_memory.application.consolidate.superseding import take_back
from context_memory.application.consolidate.task import Ending, RunApart, Task
from context_memory.domain.company_settings import policy_version
from context_memory.domain.errors import Contended, ProfileUnreadable, SchemaNewer
from context_memory.domain.operations import diff
from context_memory.domain.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.application.asking.calls import Models
    from context_memory.application.asking.deadline import Deadline
    from context_memory.application.commit.base import Base
    from context_memory.application.consolidate.committing import Committing
    from context_memory.application.consolidate.forgetting_facts import ForgetFacts
    from context_memory.application.consolidate.gathered import GatheredTurn
    from context_memory.application.forgetting import Forgetting
    from context_memory.application.indexing.upkeep import Upkeep
    from context_memory.application.spending import Spending
    from context_memory.application.taken_out import TakenOut
    from context_memory.domain.company_settings import CompanySettings
    from context_memory.domain.ids import UserKey
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.state import UserState
    from context_memory.domain.tokens import Tokenizer
    from context_memory.domain.turn import Usage
    from context_memory.ports.companies import Switches
    from context_memory.ports.models import LanguageModel, Prompts
    from context_memory.ports.objects import ProfileObjects
    from context_memory.ports.system import Clock, Identifiers
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable

_DECIDED_ELSEWHERE = frozenset({"turn", "settings"})
"""Clauses that say that these turns need no other try: they have ended, or memory was erased or switched off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Means:
    """What one run has to go by: until when, whether the company has to save, and the calls it has used so far."""

    deadline: Deadline
    saving: bool
    usage: list[Usage] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Runs groups. `tokenizer` is the one that the cap counts with."""

    table: UserTable
    objects: ProfileObjects
    switches: Switches
    model: LanguageModel
    models: Models
    prompts: Prompts
    tokenizer: Tokenizer
    identifiers: Identifiers
    clock: Clock
    telemetry: Telemetry
    forgetting: Forgetting
    taken_out: TakenOut
    forget_facts: ForgetFacts
    commit: Committing
    upkeep: Upkeep
    spending: Spending
    limits: ChainLimits

    def __call__(
        self, user: UserKey, turns: tuple[GatheredTurn, ...], deadline: Deadline, *, saving: bool = False
    ) -> Ending | None:
        """Run the turns as one chain and commit its end; `saving` for a company that nears its budget.

        Returns:
            How it ended; None when several turns ran together without success, so that each has to run alone.

        Raises:
            Overtaken: the turns have ended, or memory was erased or switched off meanwhile: look again.
            Contended: others kept being faster.
            Unavailable, ModelRejected, CallBudgetSpent: nothing was committed.
        """
        means = _Means(deadline=deadline, saving=saving)
        try:
            ending = self._until_committed(user, turns, means)
        except Exception:  # what was answered has cost its tokens, whatever became of the turns
            self.spending(user.company_id, means.usage)
            raise
        self.spending(user.company_id, means.usage)
        return ending

    def _until_committed(self, user: UserKey, turns: tuple[GatheredTurn, ...], means: _Means) -> Ending | None:
        for _ in range(self.limits.commit_tries):
            state = self.table.state(user)
            settings = state.settings
            if settings.epoch != turns[0].record.epoch or settings.erase_running or not settings.context_memory:
                # Not another call of a model with words that the user has erased.
                raise Overtaken(frozenset({"settings"}))
            turns = tuple(replace(gathered, late=is_late(gathered.turn, state)) for gathered in turns)
            try:
                return self._once(user, state, turns, means)
            except Overtaken as race:
                self.telemetry.count("commit_conflicts_total", writer="turn")
                if race.clauses & _DECIDED_ELSEWHERE:
                    raise
        raise Contended("Others keep changing this profile.")

    def _once(self, user: UserKey, state: UserState, turns: tuple[GatheredTurn, ...], means: _Means) -> Ending | None:
        flags = self.switches.flags(user.company_id)
        policy = policy_version(self.prompts.policy_version, flags.allowed_special, state.settings.denied)
        base: Base | None = None
        try:
            base = read_base(self.objects, user, state, policy, legacy=flags.legacy)
        except SchemaNewer:
            ending = Ending(outcome=Outcome.SCHEMA_NEWER)
        except ProfileUnreadable as error:
            self.telemetry.warning("a stored profile cannot be read", error_type=type(error).__name__)
            ending = Ending(outcome=Outcome.PROFILE_UNREADABLE)
        else:
            task = self._task(user, state, base, turns, flags)
            try:
                ending = self._chain(user, turns, means).run(task)
            except RunApart:
                return None
            self._still_wanted(user, state, base, ending, task)
        if len(turns) > 1 and not ending.outcome.success:
            return None
        ending = self.forget_facts(user, state.settings, turns, ending)
        self.commit(
            user,
            state,
            base,
            turns,
            ending=ending,
            retention=flags.retention,
            usage=tuple(means.usage),
            policy_version=policy,
        )
        if ending.facts and (ending.facts.puts or ending.facts.drops):
            # What came back has no vector, and what went may stand in a table yet.
            self.upkeep.of_user(user)
        return ending

    def _chain(self, user: UserKey, turns: tuple[GatheredTurn, ...], means: _Means) -> Chain:
        spent = max(gathered.record.calls for gathered in turns) + len(means.usage)
        turn_ids = [gathered.record.turn_id for gathered in turns]
        calls = Calls(
            model=self.model,
            prompts=self.prompts,
            identifiers=self.identifiers,
            charge=lambda usage: self.table.count_call(user, turn_ids, usage),
            clock=self.clock,
            telemetry=self.telemetry,
            turn_ids=turn_ids,
            left=min(self.limits.calls_per_chain, self.limits.calls_per_turn - spent),
            deadline=means.deadline,
            usage=means.usage,
        )
        models = self.models.rewriting(turns[0].model)
        return Chain(
            calls=calls,
            models=models.saving() if means.saving else models,
            limits=self.limits,
            tokenizer=self.tokenizer,
            telemetry=self.telemetry,
            own_sentences=self.prompts.sentences(),
            saving=means.saving,
        )

    def _task(
        self, user: UserKey, state: UserState, base: Base, turns: tuple[GatheredTurn, ...], company: CompanySettings
    ) -> Task:
        settings = state.settings
        return Task(
            stored=base.profile,
            base=take_back(
                self.table,
                user,
                state,
                base.profile.bullets,
                turns=turns,
                forgotten=self.forgetting.ever(user),
            ),
            turns=turns,
            now=self.clock.now(),
            cap=company.max_tokens,
            last_zone=state.last_time_zone,
            pins=settings.pins,
            deny_phrases=settings.deny_phrases,
            deny_kinds=tuple(sorted(settings.deny_kinds)),
            allowed_special=company.allowed_special,
            scrub_whole=base.scrub_whole,
            written=base.written,
            forgotten=self._taken_out(user, state, base, turns) if teaches(turns) else lambda _: True,
        )

    def _taken_out(
        self, user: UserKey, state: UserState, base: Base, turns: tuple[GatheredTurn, ...]
    ) -> Callable[[str], bool]:
        kept = [text for _, text in base.profile.bullets.items()]
        return self.taken_out.since(user, state.settings.epoch, [one.said for one in turns], kept)

    def _still_wanted(self, user: UserKey, state: UserState, base: Base, ending: Ending, task: Task) -> None:
        """Look again at what is about to be stored: models take seconds, in which users take things out.

        Raises:
            Overtaken: some of it is unwanted by now.
        """
        if ending.profile is None:
            return
        now = self._taken_out(user, state, base, task.turns)
        new = (one.after for one in diff(base.profile.bullets, ending.profile.bullets) if one.after is not None)
        # What the chain itself knew, and let stand, it has its reasons for.
        if any(now(text) and not task.forgotten(text) for text in new):
            raise Overtaken(frozenset({"forgotten"}))
