"""What a recall asks the world for, all of it at once: the user waits for the slowest of it, not for the sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.inheriting import passed_on
from context_memory.application.recall.scopes import is_large, scopes_of
from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.ports.indexes import LargeScope
from context_memory.ports.recall import IndexedScope

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from context_memory.application.recall.bullets import ProfileBullets, Reading
    from context_memory.application.recall.scopes import WarmScopes
    from context_memory.application.recall.vectors import AskedVector, QueryVectors
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.ids import UserKey
    from context_memory.domain.recall.question import Question
    from context_memory.ports.facts import Facts
    from context_memory.ports.recall import PromptMemories, PromptMemory


@dataclass(frozen=True, slots=True)
class Ahead:
    """What was asked for; nothing where the request itself wants no facts."""

    scopes: tuple[tuple[FactScope, Future[Facts]], ...] = ()
    prompt: Future[PromptMemory | None] | None = None
    inheriting: Future[bool] | None = None
    profile: Reading = None
    vector: AskedVector | None = None

    def inherits(self) -> bool:
        """Whether the turn that sent a worker out passes memory on; so it is where nobody was asked."""
        return self.inheriting is None or self.inheriting.result()

    def remembered(self) -> PromptMemory | None:
        """What is remembered of the prompt."""
        return self.prompt.result() if self.prompt else None

    def read(self, epoch: int) -> tuple[tuple[IndexedScope, ...], tuple[LargeScope, ...]]:
        """The facts of the scopes, of the user's own those of this epoch; and the scopes that are too large for that.

        Raises:
            StoreUnavailable: nobody knows.
        """
        read = [(scope, asked.result()) for scope, asked in self.scopes]
        return tuple(
            IndexedScope(scope, facts.head.version, _present(scope, facts.facts, epoch), _epoch_of(scope, epoch))
            for scope, facts in read
            if not is_large(scope, facts.head)
        ), tuple(
            LargeScope(scope, facts.head.version)
            for scope, facts in read
            if isinstance(scope, SharedScope) and is_large(scope, facts.head)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Begins to ask. `executor` has a thread for each question, lest one waits behind another request's."""

    warm: WarmScopes
    prompts: PromptMemories
    bullets: ProfileBullets
    vectors: QueryVectors
    executor: Executor

    def begin(self, user: UserKey, question: Question, names: frozenset[str]) -> Ahead:
        """Ask for everything.

        Args:
            user: who asks.
            question: what is asked.
            names: turns and prompts that may have disabled memory for a worker.
        """
        submit, prompt_id = self.executor.submit, question.prompt_id
        return Ahead(
            scopes=tuple((scope, submit(self.warm.facts, user, scope)) for scope in scopes_of(user, question.space_id)),
            prompt=submit(self.prompts.recalled, user, prompt_id) if prompt_id else None,
            inheriting=submit(passed_on, self.prompts, user, names) if names else None,
            profile=self.bullets.ahead(user, self.executor),
            vector=self.vectors.ahead(question.looked_for),
        )


def _present(scope: FactScope, facts: tuple[Fact, ...], epoch: int) -> tuple[Fact, ...]:
    """Facts that were read beside an erase, or kept since before it, are of an epoch that is over."""
    if not isinstance(scope, UserScope):
        return facts
    return tuple(fact for fact in facts if fact.epoch == epoch)


def _epoch_of(scope: FactScope, epoch: int) -> int:
    return epoch if isinstance(scope, UserScope) else 0
