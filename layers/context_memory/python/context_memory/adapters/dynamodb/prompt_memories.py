"""`PROMPT#<prompt_id>#<hash of what was asked>`: what was given, by ids; it expires after 24 hours.

An item for each call: so calls at the same time write beside each other, and no item outgrows what one can hold.
One without a hash says that a call disabled recall.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb import keys
from context_memory.adapters.dynamodb.expressions import Expression
from context_memory.domain.facts.scopes import Scope
from context_memory.ports.recall import KEPT, Given, PromptMemory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.domain.ids import UserKey

_DISABLED = ""


class DynamoPromptMemories:
    """`PromptMemories` over the user table; the port says what each method promises.

    Args:
        writes: of the user table.
        now: aware time: items stand for a while after they have expired.
    """

    def __init__(self, writes: Writes, now: Callable[[], datetime]) -> None:
        self._writes = writes
        self._now = now

    def recalled(self, user: UserKey, prompt_id: str) -> PromptMemory | None:
        """What is remembered of a prompt, of the newest epoch."""
        beginning, now = keys.prompt(prompt_id), self._now().timestamp()
        items = [item for item in self._writes.table.items(user, beginning) if item["expires_at"] > now]
        if not items:
            return None
        epoch = max(item["epoch"] for item in items)
        given = {item["sk"].removeprefix(beginning): item["given"] for item in items if item["epoch"] == epoch}
        return PromptMemory(
            prompt_id=prompt_id,
            epoch=epoch,
            answers={asked: tuple(map(_given_of, of)) for asked, of in given.items() if asked != _DISABLED},
            disabled=_DISABLED in given,
        )

    def remember(self, user: UserKey, prompt: PromptMemory, at: datetime) -> None:
        """Add these answers to what is remembered of the prompt."""
        answers = dict(prompt.answers)
        if prompt.disabled:
            answers[_DISABLED] = ()
        for asked, given in answers.items():
            written = Expression(
                # Whoever began before an erase leaves what has been remembered since.
                condition="attribute_not_exists(#epoch) OR #epoch <= :epoch",
                change="SET #epoch = :epoch, #given = :given, #expires_at = :expires_at",
                values={
                    "epoch": prompt.epoch,
                    "given": [_given_list(one) for one in given],
                    "expires_at": int((at + KEPT).timestamp()),
                },
            )
            self._writes.update(user, f"{keys.prompt(prompt.prompt_id)}{asked}", written)


def _given_list(given: Given) -> list[Plain]:
    # A score is spelled as text: items hold no fractions, and an answer given again has to say the same.
    return [given.id, given.scope and given.scope.value, given.space_id, repr(given.score), *given.why]


def _given_of(attribute: Sequence[Any]) -> Given:
    fact_id, scope, space_id, score, *why = attribute
    return Given(
        id=fact_id, scope=None if scope is None else Scope(scope), score=float(score), why=tuple(why), space_id=space_id
    )
