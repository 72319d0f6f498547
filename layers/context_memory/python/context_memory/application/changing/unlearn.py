"""What was learned from a source is taken out again: seen before it is done, and done as one more revision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.changing.wanted import Wanted
from context_memory.application.history import oldest_first
from context_memory.domain.profile import pin_of
from context_memory.domain.unlearning import unlearn
from context_memory.domain.writers import Writer

if TYPE_CHECKING:
    from context_memory.application.changing.change import Change
    from context_memory.application.changing.wanted import Changed, Standing, Version
    from context_memory.domain.condemnation import Condemnation
    from context_memory.domain.ids import UserKey
    from context_memory.domain.profile import Bullets
    from context_memory.domain.unlearning import Unlearned
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True)
class Unlearning:
    """What an unlearning does, or would do.

    Attributes:
        changed: the change.
        revisions: numbers of the revisions that hold what is unlearned.
        pinned: ids of pinned bullets that go or change: pins do not protect what is unlearned.
    """

    changed: Changed
    revisions: tuple[int, ...]
    pinned: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlearn:
    """The use case behind `POST /v1/me/unlearn`, and one user's part of a company's job.

    `writer` says whose it is, `reason` which job it is part of.
    """

    change: Change
    table: UserTable
    writer: Writer = Writer.UNLEARN
    reason: str | None = None

    def preview(self, user: UserKey, condemned: Condemnation) -> Unlearning:
        """What would change; nothing is stored.

        Raises:
            As `Change`.
        """
        work = _Work(self.table, user, condemned, self.reason)
        return work.done(self.change.preview(user, self.writer, work))

    def apply(
        self, user: UserKey, condemned: Condemnation, *, expected: frozenset[Version] | None = None
    ) -> Unlearning:
        """Take out what was learned from what is condemned; doing it again changes nothing.

        Turns of it that still wait teach nothing from then on; what they ask to forget holds all the same.

        Raises:
            As `Change`.
        """
        waiting = self._waiting(user, condemned)
        work = _Work(self.table, user, condemned, self.reason)
        done = work.done(self.change(user, self.writer, work, expected=expected))
        for turn_id in waiting:
            self.table.silence(user, turn_id)
        if not waiting:
            return done
        # One that ended since they were looked for has taught what nobody has taken out yet.
        again = work.done(self.change(user, self.writer, work))
        return again if again.changed.stored else done

    def _waiting(self, user: UserKey, condemned: Condemnation) -> list[str]:
        """Open turns that are meant; none where a model or a prompt is, for none has read them yet."""
        if condemned.models or condemned.prompt_versions:
            return []
        records = (self.table.turn(user, one.turn_id) for one in self.table.state(user).unfinished)
        return [
            record.turn_id
            for record in records
            if record and condemned.names(record.turn_id, record.chat_id, record.occurred_at)
        ]


@dataclass(slots=True)
class _Work:
    """Makes of what stands what is left of it, and remembers of which revisions it spoke last."""

    table: UserTable
    user: UserKey
    condemned: Condemnation
    reason: str | None
    revisions: tuple[int, ...] = ()

    def __call__(self, standing: Standing) -> Wanted:
        unlearned = self._unlearned(standing)
        self.revisions = unlearned.revisions
        pins = standing.state.settings.pins
        return Wanted(
            bullets=unlearned.bullets,
            pins=lambda stands: pins & _ids(stands),
            reason=self.reason,
            unlearned=self.condemned,
        )

    def done(self, changed: Changed) -> Unlearning:
        """What came of it."""
        lost = _ids(changed.standing.bullets) - _ids(changed.profile.bullets)
        return Unlearning(changed, self.revisions, changed.standing.state.settings.pins & lost)

    def _unlearned(self, standing: Standing) -> Unlearned:
        epoch, count = standing.version
        return unlearn(oldest_first(self.table, self.user, epoch, up_to=count), standing.bullets, self.condemned)


def _ids(bullets: Bullets) -> frozenset[str]:
    return frozenset(pin_of(section, text) for section, text in bullets.items())
