"""The policy's reader: another model call over lines that are about to be stored, by whoever did not write them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import MalformedReply
from context_memory.domain.profile import fold
from context_memory.domain.replies.scrub import ScrubReply, read_scrub

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.application.asking.calls import Calls
    from context_memory.ports.telemetry import Telemetry

_TOKENS_PER_LINE = 60
_SPARE_TOKENS = 200


def _any(_reply: ScrubReply) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyReader:
    """Asks the scrub model, at most twice.

    Attributes:
        deny_rules: the user's, as the prompts show them.
        allowed_special: kinds that the company lets be remembered, as the prompts want them.
        display_name: under which the user is known, if a turn says so.
    """

    calls: Calls
    model: str
    telemetry: Telemetry
    deny_rules: Sequence[str]
    allowed_special: Sequence[str]
    display_name: str | None = None

    def read(
        self, lines: Sequence[str], *, identity: Sequence[str], is_sound: Callable[[ScrubReply], bool] = _any
    ) -> ScrubReply | None:
        """What the policy leaves of `lines`, or None when no usable answer is to be had: a veto.

        Args:
            lines: texts that are to be stored; white space in them is folded.
            identity: who the user is, so that they can be told from other people.
            is_sound: an answer of which this does not hold misunderstands the task, and is none.
        """
        reply = self._ask([fold(line) for line in lines], [fold(line) for line in identity])
        if reply is not None and not is_sound(reply):
            reply = None
        decision = "veto" if reply is None else "clean" if reply.clean else "cleaned"
        self.telemetry.count("scrub_decisions_total", decision=decision)
        self.telemetry.count("scrub_vetoed", int(reply is None))
        return reply

    def _ask(self, lines: list[str], identity: list[str]) -> ScrubReply | None:
        values = {
            "identity": identity,
            "display_name": self.display_name,
            "lines": lines,
            "deny_rules": list(self.deny_rules),
            "allowed_special": list(self.allowed_special),
        }
        room = _TOKENS_PER_LINE * len(lines) + _SPARE_TOKENS
        feedback: str | None = None
        for final in (False, True):
            answer = self.calls.ask("scrub", self.model, {**values, "feedback": feedback}, room)
            try:
                reply = read_scrub(answer.text, finish_reason=answer.finish_reason, lines=lines, final=final)
            except MalformedReply as error:
                feedback = str(error)
                continue
            if not reply.failed or final:
                return reply
            feedback = "a replacement must be shorter than its line and bring no new name, number or address."
        return None
