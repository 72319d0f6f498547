"""From the facts of all scopes to those that are given for a question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.recall.ephemeral import ephemeral_facts
from context_memory.application.recall.given import answer_key, answered, given, scope_of, standing
from context_memory.application.recall.mending import without_vectors
from context_memory.application.recall.situation import Material
from context_memory.domain.errors import InvalidInput, ProfileUnreadable, Unavailable, kind_of
from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.recall.match import Query, given_always
from context_memory.domain.recall.selection import chosen
from context_memory.domain.spaces import Backend, Cadence
from context_memory.ports.indexes import Lags
from context_memory.ports.recall import IndexedScope, PromptMemory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from context_memory.application.recall.bullets import Noted, ProfileBullets
    from context_memory.application.recall.mending import Mending
    from context_memory.application.recall.scopes import WarmScopes
    from context_memory.application.recall.situation import Situation
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.ids import UserKey
    from context_memory.domain.recall.match import Match
    from context_memory.domain.recall.shares import TierShares
    from context_memory.ports.indexes import Backend as FindsFacts
    from context_memory.ports.recall import Given, PromptMemories
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

NO_VECTORS, NO_PROFILE = "embedding_unavailable", "profile_unavailable"
"""Notes: words alone were looked for; bullets of the profile may be repeated."""
NO_CITATIONS = "citations_unavailable"
"""Note: what was given could not be remembered; markers of this call cannot be resolved."""
OUTDATED, INCOMPLETE = "shared_facts_outdated", "shared_facts_incomplete"
"""Notes: a large scope was searched as it was published before; of one that never was only a part was searched."""
_MATCHES, _SPARE = 200, 24
"""Matches at most; those beyond what may be passed over, for facts that do not fit into the tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Facts that are given. `cached`: they are what an earlier call of the prompt was given."""

    backend: Backend
    given: tuple[Match, ...]
    cached: bool = False
    notes: tuple[str, ...] = ()

    @property
    def cited(self) -> bool:
        """Whether the facts have markers: bullets of the profile have none."""
        return self.backend is not Backend.MARKDOWN_FTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """Answers a question whose user may recall. `backends` are those of this environment."""

    backends: Mapping[Backend, FindsFacts]
    warm: WarmScopes
    bullets: ProfileBullets
    prompts: PromptMemories
    mending: Mending
    shares: TierShares
    clock: Clock
    telemetry: Telemetry

    def __call__(self, asked: Situation) -> Found:
        """Find facts, or find again what an earlier call of the same prompt was given.

        Raises:
            Unavailable, InvalidInput: as `Recall`.
        """
        backend = self._backend(asked)
        material = self._material(asked, backend)
        digest = asked.question.digest(asked.user, backend)
        if asked.settings.cadence is Cadence.PER_PROMPT:
            before = answered(asked.ahead.remembered(), digest, asked.epoch)
            if before is not None:
                known = {**material.by_id(), **self._in_large(asked, material, before)}
                return Found(backend=backend, given=standing(before, known), cached=True)
        found, lacking = self._search(asked, backend, material)
        if asked.state.unknown and asked.question.prompt_id:
            lacking.add(UserScope(asked.user))  # else only what is remembered of the prompt would tell of this user
        mending = self.mending.begin(lacking)
        remembered = self._remember(asked, digest, found.given)
        self.mending.finish(mending)
        return found if remembered else replace(found, notes=(*found.notes, NO_CITATIONS))

    def _backend(self, asked: Situation) -> Backend:
        """What the request names, or the space, or the default. Only a request's must be at hand."""
        wanted = asked.question.backend
        if wanted is not None and wanted not in self.backends:
            raise InvalidInput("backend", f"must be one of this environment's: {', '.join(sorted(self.backends))}")
        chosen_by_space = asked.settings.backend
        return wanted or (chosen_by_space if chosen_by_space in self.backends else Backend.SQLITE_FTS)

    def _material(self, asked: Situation, backend: Backend) -> Material:
        """The facts that are searched; of the backend that has no store of its own the bullets of the profile."""
        ephemeral = ephemeral_facts(asked.question.ephemeral, self.clock.now())
        if backend is not Backend.MARKDOWN_FTS:
            return Material(*asked.ahead.read(asked.epoch), ephemeral)
        noted = self._noted(asked)
        bullets = IndexedScope(UserScope(asked.user), noted.version, noted.facts, asked.epoch)
        return Material((bullets,), (), ephemeral)

    def _in_large(
        self, asked: Situation, material: Material, before: Sequence[Given]
    ) -> Mapping[str, tuple[Fact, FactScope]]:
        """Facts that an earlier call was given out of large scopes, as they are now."""
        return {
            fact.id: (fact, large.scope)
            for large in material.large
            for fact in self.warm.named(
                asked.user, large.scope, [one.id for one in before if scope_of(asked.user, one) == large.scope]
            )
        }

    def _search(self, asked: Situation, backend: Backend, material: Material) -> tuple[Found, set[FactScope]]:
        """What is found, and scopes whose facts lack vectors or whose index is behind."""
        notes: list[str] = []
        vector = asked.ahead.vector and asked.ahead.vector.result()
        if asked.ahead.vector and vector is None:
            notes.append(NO_VECTORS)
        shown: frozenset[str] = frozenset()
        if backend is not Backend.MARKDOWN_FTS:
            try:
                shown = self._noted(asked).shown
            except (Unavailable, ProfileUnreadable) as error:  # a bullet that is told twice does less harm than none
                self.telemetry.warning("recalled without the profile", error_type=type(error).__name__)
                self.telemetry.count("errors_total", stage="profile_read", error_type=kind_of(error))
                notes.append(NO_PROFILE)
        question = asked.question
        query = Query(
            text=question.looked_for,
            vector=vector or None,
            ephemeral=material.ephemeral,
            limit=material.matches(question.max_hits + len(shown) + _SPARE, most=_MATCHES),
        )
        matches, lags = self._matches(asked.user, backend, material, query)
        large = {one.scope for one in material.large}
        if lags.unsearched:
            notes.append(INCOMPLETE)
        if (lags.behind - lags.unsearched) & large:
            notes.append(OUTDATED)
        lacking = set(lags.behind)
        if vector and backend is not Backend.MARKDOWN_FTS:
            lacking.update(without_vectors(material.scopes, matches, large, vector.model))
        budgets = self.shares.budgets(hits=question.max_hits, tokens=question.max_tokens)
        found = Found(backend=backend, given=chosen(matches, material.core(), budgets, shown), notes=tuple(notes))
        return found, lacking

    def _matches(
        self, user: UserKey, backend: Backend, material: Material, query: Query
    ) -> tuple[Sequence[Match], Lags]:
        """The best matches; of large scopes that were never published among as many facts as can be read."""
        search, lags = self.backends[backend].over, Lags()
        matches = search(user, material.scopes, material.large, lags).search(query)
        if not lags.unsearched:
            return matches, lags
        read = [self.warm.first(user, one) for one in material.large if one.scope in lags.unsearched]
        rest = [one for one in material.large if one.scope not in lags.unsearched]
        found = search(user, [*material.scopes, *read], rest, lags).search(query)
        core = (given_always(fact, one.scope) for one in read for fact in one.facts if fact.tier is Tier.CORE)
        return [*found, *core], lags

    def _noted(self, asked: Situation) -> Noted:
        return self.bullets.noted(asked.user, asked.state, asked.cap, asked.ahead.profile)

    def _remember(self, asked: Situation, digest: str, matches: Sequence[Match]) -> bool:
        """Keep what was given, for later calls of the prompt and for its citations; False where that failed.

        The facts were found all the same, and are worth more to an answer than its citations.
        """
        prompt_id = asked.question.prompt_id
        if prompt_id is None or not (matches or asked.settings.cadence is Cadence.PER_PROMPT):
            return True
        facts = given(matches)
        answers = {answer_key(digest, facts): facts}
        memory = PromptMemory(prompt_id=prompt_id, epoch=asked.epoch, answers=answers)
        try:
            self.prompts.remember(asked.user, memory, self.clock.now())
        except Unavailable as error:
            self.telemetry.warning("recalled without citations", error_type=type(error).__name__)
            self.telemetry.count("errors_total", stage="prompt_write", error_type=kind_of(error))
            return False
        return True
