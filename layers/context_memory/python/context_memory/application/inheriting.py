"""Whether a worker has the memory of the user whose turn delegated its work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.ports.recall import PromptMemory

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.domain.delegation import Delegation
    from context_memory.domain.ids import UserKey
    from context_memory.ports.recall import PromptMemories


def named_by(delegation: Delegation, *, company: bool, prompt_id: str | None = None) -> frozenset[str]:
    """Ids of turns and prompts that may have disabled memory for a worker; none where it inherits nothing anyway.

    A prompt and the turn that it becomes have one id, or the worker names both.

    Args:
        delegation: what the worker's request says.
        company: whether workers of the company inherit that do not say it.
        prompt_id: of the prompt that the worker works for, where its request names one.
    """
    if not delegation.delegated or not delegation.inherits(company=company):
        return frozenset()
    return frozenset(filter(None, (delegation.parent_turn_id, prompt_id)))


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
