"""A profile over its cap is condensed as a chain would do it: the cap was lowered, or nobody could make it fit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.asking.fitting import Fitting
from context_memory.application.changing.wanted import Wanted
from context_memory.domain.writers import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.application.asking.calls import Calls
    from context_memory.application.changing.change import Change
    from context_memory.application.changing.wanted import Standing
    from context_memory.domain.ids import UserKey
    from context_memory.domain.tokens import Tokenizer
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

OVER_CAP = "over_cap"
"""Reason of the revision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condense:
    """Makes what stands fit, once. `tokenizers`: the first is the one that the cap is counted with."""

    change: Change
    tokenizers: Callable[[], Sequence[Tokenizer]]
    clock: Clock
    telemetry: Telemetry
    model: str

    def __call__(self, user: UserKey, standing: Standing, calls: Calls) -> None:
        """Store a version within the cap, where what stands is over it.

        Raises:
            ProfileConflict: somebody changed it meanwhile: look again.
            CallBudgetSpent, Unavailable: nothing has changed.
        """
        pointer, cap = standing.base.pointer, standing.company.max_tokens
        if pointer is None or pointer.tokens <= cap:
            return
        asked_before = len(calls.usage)
        fitting = Fitting(
            calls=calls,
            model=self.model,
            tokenizer=self.tokenizers()[0],
            telemetry=self.telemetry,
            cap=cap,
            pins=standing.state.settings.pins,
            today=self.clock.now().date(),
            written=standing.base.written,
            trigger="job",
        )
        fitted = fitting.fit(replace(standing.base.profile, truncated=False))
        wanted = Wanted(
            bullets=fitted.bullets,
            reason=OVER_CAP,
            # Nothing is in it that was not in what stood; so it is as checked as that was.
            policy_version=pointer.policy_version,
            truncated=fitted.truncated,
        )
        self.change(
            user,
            Writer.CONDENSATION,
            lambda _: wanted,
            expected=frozenset({standing.version}),
            model=self.model,
            usage=tuple(calls.usage[asked_before:]),
        )
