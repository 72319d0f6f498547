"""What was given in a prompt: remembered by ids, and found again among the facts as they are now."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from context_memory.domain.facts.scopes import Scope, SharedScope, UserScope
from context_memory.domain.recall.match import Match
from context_memory.ports.recall import Given

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import FactScope
    from context_memory.domain.ids import UserKey
    from context_memory.ports.recall import PromptMemory

_DIGITS = 16


def given(matches: Iterable[Match]) -> tuple[Given, ...]:
    """What is remembered of facts that are given."""
    return tuple(
        Given(one.fact.id, one.scope.scope if one.scope else None, one.score, one.why, _space_of(one.scope))
        for one in matches
    )


def answer_key(asked: str, facts: Sequence[Given]) -> str:
    """The name of an answer in its prompt's memory.

    What was given is part of it: calls at the same time, or with every call computed anew, overwrite nothing.

    Args:
        asked: the digest of the question.
        facts: what it was answered with.
    """
    return f"{asked}.{hashlib.sha256(repr([one.id for one in facts]).encode()).hexdigest()[:_DIGITS]}"


def answered(prompt: PromptMemory | None, asked: str, epoch: int) -> tuple[Given, ...] | None:
    """What the same question of this prompt was answered with; None when it was not asked yet, or before an erase."""
    if prompt is None or prompt.epoch != epoch:
        return None
    # Of answers that were computed at the same time every later call gets the same one.
    keys = sorted(key for key in prompt.answers if key.startswith(f"{asked}."))
    return prompt.answers[keys[0]] if keys else None


def standing(facts: Iterable[Given], known: Mapping[str, tuple[Fact, FactScope | None]]) -> tuple[Match, ...]:
    """Facts that were given and still are what they were: deleted ones have no id any more, superseded ones another."""
    return tuple(Match(*known[one.id], one.score, one.why) for one in facts if one.id in known)


def scope_of(user: UserKey, one: Given) -> FactScope | None:
    """Where a fact that was given stands; None of an ephemeral one."""
    if one.scope is None:
        return None
    return UserScope(user) if one.scope is Scope.USER else SharedScope(user.company_id, one.space_id)


def _space_of(scope: FactScope | None) -> str | None:
    return scope.space_id if isinstance(scope, SharedScope) else None
