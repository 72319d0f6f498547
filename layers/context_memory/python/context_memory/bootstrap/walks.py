"""What a walk does for each user, by its kind; built when the first walk of that kind comes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from context_memory.domain.errors import InvalidInput
from context_memory.domain.walks import WalkKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.application.walks.walking import Step
    from context_memory.bootstrap.workers import Parts

# ruff: noqa: PLC0415 - late imports are this package's purpose


def _condense(parts: Parts) -> Step:
    from context_memory.application.walks.condensing import Condense

    return Condense(table=parts.table, companies=parts.companies, jobs=parts.jobs)


def _migrate(parts: Parts) -> Step:
    from context_memory.application.walks.migrating import Migrate

    return Migrate(change=parts.change(), jobs=parts.jobs)


def _unlearn(parts: Parts) -> Step:
    from context_memory.application.changing.unlearn import Unlearn
    from context_memory.application.walks.unlearning import UnlearnUser

    return UnlearnUser(unlearn=Unlearn(change=parts.change(), table=parts.table), table=parts.table)


STEPS: Mapping[WalkKind, Callable[[Parts], Step]] = {
    WalkKind.CONDENSE: _condense,
    WalkKind.MIGRATE: _migrate,
    WalkKind.UNLEARN: _unlearn,
}
"""The builder for each kind of walk that this release goes."""


def steps(parts: Parts) -> Callable[[WalkKind], Step]:
    """Gives the step of a kind, each built once."""

    @cache
    def step_of(kind: WalkKind) -> Step:
        if kind not in STEPS:
            raise InvalidInput("job", "is none that this release does")
        return STEPS[kind](parts)

    return step_of
