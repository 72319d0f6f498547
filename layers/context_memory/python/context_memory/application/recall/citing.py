"""Citations: which facts an answer rests on, of those that were given in its prompt."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.recall.given import scope_of
from context_memory.domain.enablement import Asked, disabled_reason
from context_memory.domain.errors import Unavailable, kind_of
from context_memory.domain.facts.scopes import FactScope, Scope, UserScope
from context_memory.domain.recall.markers import markers, rewritten

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from concurrent.futures import Executor

    from context_memory.application.recall.scopes import WarmScopes
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.ids import UserKey
    from context_memory.ports.companies import Switches
    from context_memory.ports.facts import FactStore
    from context_memory.ports.recall import Given, PromptMemories
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserStates

PROMPT_UNKNOWN = "prompt_unknown"
"""Note: nothing is remembered of the prompt, so that nobody can tell what is invented."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A fact that an answer rests on; `text` and `scope` are None of an ephemeral one, which nobody keeps."""

    id: str
    text: str | None
    scope: Scope | None


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer whose markers are those of `citations` alone, and how many others were taken out.

    Attributes:
        answer: with each marker that is left spelled as it was given.
        citations: in the order of their first markers, each once.
        invented: markers of facts that were not given in the prompt.
        withdrawn: markers of facts that were given, and are deleted since, or not to be seen any more.
        unknown: markers of which nobody knows: nothing is remembered of the prompt (any more).
    """

    answer: str
    citations: tuple[Citation, ...]
    invented: int
    withdrawn: int
    unknown: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What the caller should know beside."""
        return (PROMPT_UNKNOWN,) if self.unknown else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cite:
    """The use case behind `POST …/citations`."""

    table: UserStates
    prompts: PromptMemories
    facts: FactStore
    warm: WarmScopes
    switches: Switches
    telemetry: Telemetry
    executor: Executor

    def __call__(self, user: UserKey, answer: str, prompt_id: str) -> Cited:
        """Resolve the markers of an answer; uses of the user's facts are counted.

        Raises:
            Unavailable: flags or a store are out of reach.
        """
        named = [fact_id for marker in markers(answer) for fact_id in marker.ids]
        given, standing = self._looked_up(user, prompt_id, dict.fromkeys(named)) if named else ({}, {})
        cited = Cited(
            answer=rewritten(answer, standing.__contains__),
            citations=tuple(standing.values()),
            invented=0 if given is None else sum(one not in given for one in named),
            withdrawn=0 if given is None else sum(one in given and one not in standing for one in named),
            unknown=len(named) if given is None else 0,
        )
        figures = {"invented": cited.invented, "withdrawn": cited.withdrawn, "unknown": cited.unknown}
        for result, count in {"resolved": len(named) - sum(figures.values()), **figures}.items():
            self.telemetry.count("citations_total", count, result=result)
        self._count_uses(user, cited)
        return cited

    def _looked_up(
        self, user: UserKey, prompt_id: str, named: Iterable[str]
    ) -> tuple[Mapping[str, Given] | None, Mapping[str, Citation]]:
        """What was given in the prompt, and of what is named that which still stands, in the order of the names.

        None instead of the first where nothing is remembered of the prompt in this life of the memory.
        """
        flags = self.switches.flags(user.company_id)
        remembered = self.executor.submit(self.prompts.recalled, user, prompt_id)
        state = self.table.state(user)
        prompt = remembered.result()
        if prompt is None or prompt.epoch != state.settings.epoch:
            return None, {}
        given = {one.id: one for answer in prompt.answers.values() for one in answer}
        off = disabled_reason(flags, None, state.settings, Asked(web_search=False))
        wanted = [given[one] for one in named if one in given and not off]
        facts = self._facts(user, state.settings.epoch, wanted)
        found = ((one, facts.get(one.id)) for one in wanted)
        return given, {
            one.id: Citation(one.id, fact.text if fact else None, one.scope)
            for one, fact in found
            if fact or one.scope is None
        }

    def _facts(self, user: UserKey, epoch: int, wanted: Iterable[Given]) -> Mapping[str, Fact]:
        """Facts of the scopes that these were given from, by id, as they are now; of the user's own of this epoch."""
        ids = defaultdict[FactScope, list[str]](list)
        for one in wanted:
            if scope := scope_of(user, one):
                ids[scope].append(one.id)
        read = [(scope, self.executor.submit(self.warm.named, user, scope, named)) for scope, named in ids.items()]
        return {
            fact.id: fact
            for scope, asked in read
            for fact in asked.result()
            if fact.epoch == epoch or not isinstance(scope, UserScope)
        }

    def _count_uses(self, user: UserKey, cited: Cited) -> None:
        """Count a use of each of the user's own facts; that it could not be counted is nobody's answer to wait for."""
        own = [one.id for one in cited.citations if one.scope is Scope.USER]
        if not own:
            return
        try:
            self.facts.cite(user, own)
        except Unavailable as error:
            self.telemetry.warning("could not count uses of facts", error_type=type(error).__name__)
            self.telemetry.count("errors_total", stage="facts_write", error_type=kind_of(error))
