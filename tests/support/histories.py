"""Histories of one profile: revisions as commits write them, one body after the other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from context_memory.domain.operations import diff
from context_memory.domain.profile import Bullets, fold
from context_memory.domain.revision import Revision, Source
from context_memory.domain.writers import Writer

if TYPE_CHECKING:
    from collections.abc import Iterable

BEGINNING = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)


@dataclass(slots=True)
class History:
    """A profile that grows by revisions; each is one day later than the one before."""

    bullets: Bullets = field(default_factory=Bullets)
    revisions: list[Revision] = field(default_factory=list)
    bodies: list[Bullets] = field(default_factory=list)

    def turn(self, turn_id: str, *, chat_id: str | None = None, supersedes: str | None = None, **body: Any) -> Revision:  # noqa: ANN401 - sections of the body, or fields of the revision
        """A turn changes the body to the sections given."""
        source = Source(turn_id, chat_id, self._next_time(), supersedes)
        values = {name: body.pop(name) for name in ("model", "prompt_version") if name in body}
        revision = self.write(Bullets(**body), Writer.TURN, sources=(source,), **values)
        self.revisions[-1] = replace(
            revision, operations=tuple(replace(one, turn_id=turn_id) for one in revision.operations)
        )
        return self.revisions[-1]

    def write(self, bullets: Bullets, writer: Writer, **fields: Any) -> Revision:  # noqa: ANN401 - fields of the revision
        """Somebody changes the body."""
        number = len(self.revisions) + 1
        revision = Revision(
            epoch=0,
            turn_count=number,
            version_id=f"version-{number}",
            writer=writer,
            written_at=self._next_time(),
            operations=diff(self.bullets, bullets),
            **fields,
        )
        self.bullets = bullets
        self.revisions.append(revision)
        self.bodies.append(bullets)
        return revision

    def restore(self, number: int) -> Revision:
        """The body of an older revision is brought back."""
        return self.write(self.bodies[number - 1], Writer.RESTORE, restored=number)

    def _next_time(self) -> datetime:
        return BEGINNING + timedelta(days=len(self.revisions))


_WORDS = ["nurse", "Nurse", "cello", "Bern", "works", "12", "東京", "  Basel"]


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple({fold(text): text for text in texts}.values())


_texts = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4).map(" ".join)
_sections = st.lists(_texts, max_size=4).map(_distinct)
bodies = st.builds(Bullets, _sections, _sections, _sections, _sections, _sections, _sections)


_FEW = st.lists(st.sampled_from(["Has a dog.", "Has a dog named Rex.", "Lives in Basel.", "Sails."]), unique=True)
few_bodies = st.builds(Bullets, identity=_FEW.map(tuple), work=_FEW.map(tuple))


@st.composite
def histories(draw: st.DrawFn, bodies: st.SearchStrategy[Bullets] = bodies) -> History:
    """Turns that write any bodies, with restores of any earlier ones between them."""
    history = History()
    for number in range(1, draw(st.integers(min_value=1, max_value=6)) + 1):
        if number > 1 and draw(st.booleans()):
            history.restore(draw(st.integers(min_value=1, max_value=number - 1)))
        else:
            body = draw(bodies)
            history.turn(f"t{number}", **{name: getattr(body, name) for name in Bullets.__slots__})
    return history


def crowded() -> st.SearchStrategy[History]:
    """Histories of few texts, which stand in two sections, come and go, and are much alike."""
    return histories(few_bodies)
