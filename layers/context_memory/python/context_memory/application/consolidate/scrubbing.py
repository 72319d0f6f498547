"""The policy's reader: another model call over the lines that are about to be stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import MalformedReply
from context_memory.domain.operations import OperationKind, diff
from context_memory.domain.profile import Bullets, Section, fold
from context_memory.domain.reading import canonical_bullet
from context_memory.domain.replies.scrub import ScrubReply, read_scrub

if TYPE_CHECKING:
    from context_memory.application.consolidate.calls import Calls
    from context_memory.application.consolidate.task import Task
    from context_memory.ports.telemetry import Telemetry

_TOKENS_PER_LINE = 60
_SPARE_TOKENS = 200
_MANY = 4


@dataclass(frozen=True, slots=True)
class _Line:
    """One bullet under scrutiny; `instead` comes back when it is dropped."""

    section: Section
    bullet: str
    instead: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrubbing:
    """Asks the scrub model, at most twice."""

    calls: Calls
    model: str
    telemetry: Telemetry

    def scrub(self, task: Task, new: Bullets, *, forget: bool) -> Bullets | None:
        """`new` without what the policy forbids, or None when no usable answer is to be had: a veto."""
        lines = _lines(task.base, new, whole=task.scrub_whole, bring_back=not (forget or task.scrub_whole))
        if not lines:
            return new
        reply = self._ask(task, new, [fold(line.bullet) for line in lines])
        if reply is not None and task.scrub_whole and _destroys(reply):
            reply = None
        decision = "veto" if reply is None else "clean" if reply.clean else "cleaned"
        self.telemetry.count("scrub_decisions_total", decision=decision)
        self.telemetry.count("scrub_vetoed", int(reply is None))
        return None if reply is None else _applied(new, lines, reply)

    def _ask(self, task: Task, new: Bullets, texts: list[str]) -> ScrubReply | None:
        turn = task.turns[-1].turn
        values = {
            "identity": [fold(bullet) for bullet in new.identity],
            "display_name": turn.display_name,
            "lines": texts,
            "deny_rules": task.deny_rules,
            "allowed_special": task.allowed,
        }
        room = _TOKENS_PER_LINE * len(texts) + _SPARE_TOKENS
        feedback: str | None = None
        for final in (False, True):
            answer = self.calls.ask("scrub", self.model, {**values, "feedback": feedback}, room)
            try:
                reply = read_scrub(answer.text, finish_reason=answer.finish_reason, lines=texts, final=final)
            except MalformedReply as error:
                feedback = str(error)
                continue
            if not reply.failed or final:
                return reply
            feedback = "a replacement must be shorter than its line and bring no new name, number or address."
        return None


def _destroys(reply: ScrubReply) -> bool:
    """Whether a scrub of the whole profile drops so much of it that the model must have misunderstood its task."""
    dropped = sum(line is None for line in reply.lines)
    return dropped >= _MANY and 2 * dropped > len(reply.lines)


def _lines(base: Bullets, new: Bullets, *, whole: bool, bring_back: bool) -> list[_Line]:
    if whole:
        return [_Line(section, bullet, None) for section, bullet in new.items()]
    return [
        _Line(operation.section, operation.after, operation.before if bring_back else None)
        for operation in diff(base, new)
        if operation.kind is not OperationKind.REMOVED and operation.after is not None
    ]


def _applied(new: Bullets, lines: list[_Line], reply: ScrubReply) -> Bullets:
    """Put each line's verdict in place of its bullet; a bullet that stands unchanged keeps its line breaks."""
    verdicts: dict[tuple[Section, str], str | None] = {}
    for line, verdict in zip(lines, reply.lines, strict=True):
        if verdict is None:
            verdicts[line.section, line.bullet] = line.instead
        elif verdict != fold(line.bullet):
            verdicts[line.section, line.bullet] = canonical_bullet(verdict) or line.instead
    kept: dict[Section, list[str]] = {section: [] for section in Section}
    for section, bullet in new.items():
        text = verdicts.get((section, bullet), bullet)
        if text is not None:
            kept[section].append(text)
    return Bullets.of(kept)
