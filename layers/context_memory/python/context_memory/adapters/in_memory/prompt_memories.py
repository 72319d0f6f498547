"""What was given in the prompts of a user, beside their other items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.adapters.in_memory.items import Answer
from context_memory.ports.recall import KEPT, PromptMemory

if TYPE_CHECKING:
    from datetime import datetime

    from context_memory.adapters.in_memory.system import ManualClock
    from context_memory.adapters.in_memory.user_table import InMemoryUserTable
    from context_memory.domain.ids import UserKey
    from context_memory.ports.recall import Given

_DISABLED = ""


class InMemoryPromptMemories:
    """`PromptMemories`; the port says what each method promises."""

    def __init__(self, table: InMemoryUserTable, clock: ManualClock) -> None:
        self._table = table
        self._clock = clock

    def recalled(self, user: UserKey, prompt_id: str) -> PromptMemory | None:
        """What is remembered of a prompt."""
        now = self._clock.now()
        with self._table.opened(user, "recalled") as items:
            known = {asked: answer for (of, asked), answer in items.prompts.items() if of == prompt_id}
        living = {asked: answer for asked, answer in known.items() if answer.expires_at > now}
        if not living:
            return None
        epoch = max(answer.epoch for answer in living.values())
        present = {asked: answer for asked, answer in living.items() if answer.epoch == epoch}
        return PromptMemory(
            prompt_id=prompt_id,
            epoch=epoch,
            answers={asked: answer.given for asked, answer in present.items() if answer.given is not None},
            disabled=_DISABLED in present,
        )

    def remember(self, user: UserKey, prompt: PromptMemory, at: datetime) -> None:
        """Add these answers to what is remembered of the prompt."""
        with self._table.opened(user, "remember") as items:
            answers: dict[str, tuple[Given, ...] | None] = dict(prompt.answers)
            if prompt.disabled:
                answers[_DISABLED] = None
            for asked, given in answers.items():
                stands = items.prompts.get((prompt.prompt_id, asked))
                if stands is None or stands.epoch <= prompt.epoch:
                    items.prompts[prompt.prompt_id, asked] = Answer(prompt.epoch, given, at + KEPT)
