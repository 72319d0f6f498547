"""What consolidation answered: nothing to do, or a complete body, perhaps because something is to be forgotten."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.errors import MalformedReply
from context_memory.domain.profile import Bullets, fold
from context_memory.domain.reading import parse
from context_memory.domain.replies.body import read_body
from context_memory.domain.replies.fences import unfenced_body
from context_memory.domain.replies.reasoning import without_reasoning
from context_memory.domain.replies.sentinels import Sentinel, first_sentinel

if TYPE_CHECKING:
    from context_memory.domain.replies.candidate import Candidate

PIN_MARK = " [pinned]"
"""How pinned bullets end in the prompt; a model may copy the mark, which is no part of any bullet."""

_SENTINELS = ("NOOP", "FORGET", "UPDATE")


@dataclass(frozen=True, slots=True)
class Reply:
    """A consolidation's answer: `noop`, or a candidate body, with `forget` when it says that it forgets."""

    noop: bool
    forget: bool
    candidate: Candidate | None


def read_consolidation(text: str | None, *, finish_reason: str, base: Bullets) -> Reply:
    """Read the answer of a consolidation of `base`.

    A complete NOOP counts even when the answer was cut behind it; with a body behind it only if that body says the
    same as the base. FORGET counts alone on the first line.

    Raises:
        MalformedReply: none of that; the message says why, for the next try, and holds nothing of the answer.
    """
    sentinel = first_sentinel(without_reasoning(text or ""), _SENTINELS)
    if sentinel and sentinel.word == "NOOP":
        if _holds_a_body(sentinel) and not _read(text, finish_reason, base).bullets.same_as(base):
            raise MalformedReply("The answer was NOOP, and yet a changed body stood behind it.")
        return Reply(noop=True, forget=False, candidate=None)
    forget = sentinel is not None and sentinel.word == "FORGET" and sentinel.stands_alone
    return Reply(noop=False, forget=forget, candidate=_read(text, finish_reason, base))


def _holds_a_body(sentinel: Sentinel) -> bool:
    return bool(parse(unfenced_body(sentinel.behind)).headed)


def _read(text: str | None, finish_reason: str, base: Bullets) -> Candidate:
    candidate = read_body(text, finish_reason=finish_reason)
    own = {fold(bullet) for _, bullet in base.items()}
    unmarked = {
        section: [bullet if fold(bullet) in own else bullet.removesuffix(PIN_MARK) for bullet in bullets]
        for section, bullets in candidate.bullets.sections()
    }
    return replace(candidate, bullets=Bullets.of(unmarked))
