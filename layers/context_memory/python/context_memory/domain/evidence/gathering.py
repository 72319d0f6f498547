"""From the messages of a turn to the evidence in them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from context_memory.domain.evidence.claims import claims
from context_memory.domain.evidence.pasted import Kind, Piece, pieces_of
from context_memory.domain.evidence.question import adopted_question
from context_memory.domain.evidence.shown_memory import strip
from context_memory.domain.evidence.window import window_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.turn import Message


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring pieces of one kind."""

    kind: Kind
    text: str

    @property
    def claims(self) -> bool:
        return self.kind is Kind.OWN and claims(self.text)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the user said in one turn (`words`, never blank), and the answers that tell what it was about.

    `adopted_question` is what a short reply answers, else "". What else an answer states is no fact about the user.
    """

    words: str
    earlier_answer: str | None
    answer: str | None
    adopted_question: str = ""

    @property
    def grounds(self) -> str:
        """All text that a new bullet may rest on."""
        return f"{self.words}\n\n{self.adopted_question}".strip()


def evidence_of(messages: Sequence[Message], *, user_id: str, display_name: str | None) -> Evidence | None:
    """Find what the user said in the turn that `messages` end with; None when that is nothing.

    The loaded memory pasted back is taken out first; then what was pasted from elsewhere, unless the user's own
    words right beside it claim it ("this is my CV").
    """
    speakers = frozenset(name.strip() for name in (user_id, display_name or "") if name.strip())
    window = window_of(messages, speakers)
    spoken = ([strip(part) for part in message.parts] for message in window.messages)
    pieces = pieces_of(spoken, speakers, follows_answer=window.earlier_answer is not None)
    words = "\n\n".join(_own_words(pieces))
    if not words:
        return None
    return Evidence(
        words=words,
        earlier_answer=window.earlier_answer,
        answer=window.answer,
        adopted_question=adopted_question(words, window.earlier_answer),
    )


def _own_words(pieces: Sequence[Piece]) -> list[str]:
    runs = [
        _Run(kind, "\n\n".join(piece.text for piece in group))
        for kind, group in groupby(pieces, key=lambda piece: piece.kind)
    ]
    own = {Kind.OWN} if any(run.kind is Kind.OWN for run in runs) else {Kind.LONG}
    return [run.text for at, run in enumerate(runs) if run.kind in own or _is_claimed(runs, at)]


def _is_claimed(runs: Sequence[_Run], at: int) -> bool:
    """Whether the user's words right before or right behind a pasted run claim it.

    Words between two pasted runs could mean either: they claim the later one if they end in a colon, else none.
    """
    first, last = 0, len(runs) - 1
    before = runs[at - 1] if at > first else None
    behind = runs[at + 1] if at < last else None
    if before and before.claims and (at - 1 == first or before.text.rstrip("*_ ").endswith(":")):
        return True
    return behind is not None and behind.claims and at + 1 == last
