"""Keeping the profile within its cap: with the model where it can, by code where it must."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.asking.marking import marked
from context_memory.domain import budget
from context_memory.domain.errors import MalformedReply, ModelRejected, ModelServerError
from context_memory.domain.reconcile import check_condensed
from context_memory.domain.rendering import render
from context_memory.domain.replies.condensation import read_body

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from context_memory.application.asking.calls import Calls
    from context_memory.domain.profile import Profile, Section
    from context_memory.domain.tokens import Tokenizer
    from context_memory.ports.telemetry import Telemetry

_TRIES = 2
_AIM = 0.9
"""Share of the cap that the model is asked for, so that the next turn finds room."""
_SPARE_TOKENS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """Condenses, then trims.

    Attributes:
        cap: tokens of the whole file.
        pins: `profile.pin_of` of the user's pinned bullets.
        today: the day on which follow-ups are past or not.
        written: the day on which each bullet was last written, by section and folded text.
        trigger: who asks, for the metric.
    """

    calls: Calls
    model: str
    tokenizer: Tokenizer
    telemetry: Telemetry
    cap: int
    pins: frozenset[str]
    today: date
    written: Mapping[tuple[Section, str], date]
    trigger: str

    def fit(self, profile: Profile) -> Profile:
        """The profile within the cap.

        Raises:
            ModelUnavailable: time-out, 429, refused key: the turns wait.
        """
        if self._tokens(profile) <= self.cap:
            return profile
        condensed, failure = self._condense(profile)
        result = condensed or budget.fit(
            profile,
            self.cap,
            self.tokenizer,
            pins=self.pins,
            today=self.today,
            written=self.written,
        )
        self.telemetry.count("condense_total", trigger=self.trigger, result=failure or "llm_ok")
        return result

    def _condense(self, profile: Profile) -> tuple[Profile | None, str | None]:
        target = int(self.cap * _AIM)
        values = {"profile": marked(profile.bullets, self.pins), "target_tokens": target}
        feedback: str | None = None
        for _ in range(_TRIES):
            try:
                reply = self.calls.ask(
                    "condense", self.model, {**values, "feedback": feedback}, self.cap + _SPARE_TOKENS
                )
                candidate = read_body(reply.text, finish_reason=reply.finish_reason)
            except (ModelRejected, ModelServerError):
                return None, "llm_failed_then_trimmed"
            except MalformedReply as error:
                feedback = str(error)
                continue
            accepted = check_condensed(profile.bullets, candidate, self.pins)
            if accepted is None:
                feedback = "it lost or invented something that must stay as it is."
                continue
            condensed = profile.with_bullets(accepted)
            if self._tokens(condensed) <= self.cap:
                return condensed, None
            feedback = "it is still too long."
        return None, "trimmed"

    def _tokens(self, profile: Profile) -> int:
        return self.tokenizer.count(render(profile))
