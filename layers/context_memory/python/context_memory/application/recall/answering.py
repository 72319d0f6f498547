"""From the facts of all scopes to those that are given for a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.recall.ephemeral import ephemeral_facts
from context_memory.application.recall.given import answer_key, answered, given, standing
from context_memory.application.recall.situation import Material
from context_memory.domain.errors import InvalidInput, ProfileUnreadable, Unavailable, kind_of
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.recall.match import Query
from context_memory.domain.recall.selection import chosen
from context_memory.domain.spaces import Backend, Cadence
from context_memory.ports.recall import IndexedScope, PromptMemory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from context_memory.application.recall.bullets import Noted, ProfileBullets
    from context_memory.application.recall.situation import Situation
    from context_memory.domain.recall.match import Match
    from context_memory.domain.recall.shares import TierShares
    from context_memory.ports.recall import Indexes, PromptMemories
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

NO_VECTORS, NO_PROFILE = "embedding_unavailable", "profile_unavailable"
"""Notes: words alone were looked for; bullets of the profile may be repeated."""
_MOST_MATCHES = 200


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
    """Answers a question whose user may recall. `indexes` are the backends of this environment."""

    indexes: Mapping[Backend, Indexes]
    bullets: ProfileBullets
    prompts: PromptMemories
    shares: TierShares
    clock: Clock
    telemetry: Telemetry

    def __call__(self, asked: Situation) -> Found:
        """Find facts, or find again what an earlier call of the same prompt was given.

        Raises:
            Unavailable, InvalidInput: as `Recall`.
        """
        backend = self._backend(asked)
        material = Material(self._scopes(asked, backend), ephemeral_facts(asked.question.ephemeral, self.clock.now()))
        digest = asked.question.digest(asked.user, backend)
        if asked.settings.cadence is Cadence.PER_PROMPT:
            before = answered(asked.ahead.remembered(), digest, asked.epoch)
            if before is not None:
                return Found(backend=backend, given=standing(before, material.by_id()), cached=True)
        found = self._search(asked, backend, material)
        self._remember(asked, digest, found.given)
        return found

    def _backend(self, asked: Situation) -> Backend:
        """What the request names, or the space, or the default. Only a request's must be at hand."""
        wanted = asked.question.backend
        if wanted is not None and wanted not in self.indexes:
            raise InvalidInput("backend", f"must be one of this environment's: {', '.join(sorted(self.indexes))}")
        chosen_by_space = asked.settings.backend
        return wanted or (chosen_by_space if chosen_by_space in self.indexes else Backend.SQLITE_FTS)

    def _scopes(self, asked: Situation, backend: Backend) -> tuple[IndexedScope, ...]:
        """The facts that are searched; of the backend that has no store of its own the bullets of the profile."""
        if backend is not Backend.MARKDOWN_FTS:
            return asked.ahead.indexed(asked.epoch)
        noted = self._noted(asked)
        return (IndexedScope(UserScope(asked.user), noted.version, noted.facts, asked.epoch),)

    def _search(self, asked: Situation, backend: Backend, material: Material) -> Found:
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
            text=question.looked_for, vector=vector or None, ephemeral=material.ephemeral, limit=_MOST_MATCHES
        )
        matches = self.indexes[backend].over(material.scopes).search(query)
        budgets = self.shares.budgets(hits=question.max_hits, tokens=question.max_tokens)
        return Found(backend=backend, given=chosen(matches, material.core(), budgets, shown), notes=tuple(notes))

    def _noted(self, asked: Situation) -> Noted:
        return self.bullets.noted(asked.user, asked.state, asked.cap, asked.ahead.profile)

    def _remember(self, asked: Situation, digest: str, matches: Sequence[Match]) -> None:
        """Keep what was given, for later calls of the prompt and for its citations."""
        prompt_id = asked.question.prompt_id
        if prompt_id is None or not (matches or asked.settings.cadence is Cadence.PER_PROMPT):
            return
        facts = given(matches)
        answers = {answer_key(digest, facts): facts}
        memory = PromptMemory(prompt_id=prompt_id, epoch=asked.epoch, answers=answers)
        self.prompts.remember(asked.user, memory, self.clock.now())
