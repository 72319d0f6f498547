"""Whether a worker has the memory of the user whose turn delegated its work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.ports.recall import PromptMemory

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.ids import UserKey
    from context_memory.ports.recall import PromptMemories


def passed_on(prompts: PromptMemories, user: UserKey, names: frozenset[str]) -> bool:
    """Whether none of these turns and prompts, as far as they are known, has disabled memory.

    Raises:
        StoreUnavailable: nobody knows.
    """
    known = (prompts.recalled(user, name) for name in sorted(names))
    return not any(prompt.disabled for prompt in known if prompt)


def pass_nothing_on(prompts: PromptMemories, user: UserKey, prompt_id: str, *, epoch: int, at: datetime) -> None:
    """Remember that workers of this turn or prompt inherit nothing.

    Raises:
        StoreUnavailable: it may not be remembered.
    """
    prompts.remember(user, PromptMemory(prompt_id=prompt_id, epoch=epoch, answers={}, disabled=True), at)
