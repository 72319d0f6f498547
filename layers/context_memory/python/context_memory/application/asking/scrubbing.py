"""What the policy's reader leaves of the bullets that are about to be stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.operations import OperationKind, diff
from context_memory.domain.profile import Bullets, Section, fold
from context_memory.domain.reading import canonical_bullet

if TYPE_CHECKING:
    from context_memory.application.asking.policy_reader import PolicyReader
    from context_memory.domain.replies.scrub import ScrubReply

_MANY = 4


@dataclass(frozen=True, slots=True)
class _Line:
    """One bullet under scrutiny; `instead` comes back when it is dropped."""

    section: Section
    bullet: str
    instead: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrubbing:
    """Has the policy's reader look at bullets, and puts its verdicts in their place."""

    reader: PolicyReader

    def scrub(self, base: Bullets, new: Bullets, *, whole: bool, bring_back: bool) -> Bullets | None:
        """`new` without what the policy forbids, or None when no usable answer is to be had: a veto.

        Args:
            base: what was checked before.
            new: what is to be stored.
            whole: all of `new` is looked at, and not only what is new against `base`.
            bring_back: where a change is forbidden, the bullet stands again that was changed.
        """
        lines = _lines(base, new, whole=whole, bring_back=bring_back and not whole)
        if not lines:
            return new
        reply = self.reader.read(
            [line.bullet for line in lines],
            identity=new.identity,
            is_sound=lambda reply: not (whole and _destroys(reply)),
        )
        return None if reply is None else _applied(new, lines, reply)


def taken_out(stored: Bullets, new: Bullets, scrubbed: Bullets) -> tuple[str, ...]:
    """Bullets of `new` that stood in `stored` and that the scrub did not let stand: history has to lose them, too."""
    stood = {(section, fold(text)) for section, text in stored.items()}
    return tuple(
        operation.before
        for operation in diff(new, scrubbed)
        if operation.before is not None and (operation.section, fold(operation.before)) in stood
    )


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
