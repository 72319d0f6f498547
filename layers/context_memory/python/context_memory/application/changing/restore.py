"""An older content brought back as a new revision, as far as it may stand today."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.changing.wanted import Wanted
from context_memory.domain.errors import ProfileVersionMissing, RevisionGone, UnknownRevision
from context_memory.domain.reading import read_committed
from context_memory.domain.restoring import restored
from context_memory.domain.writers import Writer

if TYPE_CHECKING:
    from context_memory.application.changing.change import Change
    from context_memory.application.changing.correcting import TakeOutCorrected
    from context_memory.application.changing.wanted import Changed, Standing, Version
    from context_memory.domain.ids import UserKey
    from context_memory.domain.profile import Bullets
    from context_memory.ports.objects import ProfileObjects
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """The use case behind `POST /v1/me/memory/revisions/{n}/restore`.

    Pins of today stand, rules and policy of today hold. What was forgotten meanwhile comes back with the rest as long
    as that can be undone, and is not forgotten any more then. Facts go that say what the older content does not.
    """

    change: Change
    take_out: TakeOutCorrected
    table: UserTable
    objects: ProfileObjects

    def __call__(self, user: UserKey, number: int, *, expected: frozenset[Version] | None = None) -> Changed:
        """Bring back what stood after revision `number`.

        Raises:
            UnknownRevision: there is no such revision of what is remembered now.
            RevisionGone: its content is kept no more.
            And as `Change`. Where the facts are out of reach the restore stands; sent again, it takes them out.
        """

        def make(standing: Standing) -> Wanted:
            older = self._content(user, standing.version[0], number)
            pins = standing.state.settings.pins
            return Wanted(bullets=restored(older, standing.bullets, pins), restored=number, corrects=True)

        changed = self.change(user, Writer.RESTORE, make, expected=expected)
        self.take_out(user)
        return changed

    def _content(self, user: UserKey, epoch: int, number: int) -> Bullets:
        revision = self.table.revision(user, epoch, number)
        if revision is None:
            raise UnknownRevision("No such revision.")
        if revision.version_gone:
            raise RevisionGone("The content of this revision is kept no more.")
        try:
            body = self.objects.version(user, revision.version_id).body
        except ProfileVersionMissing as error:
            raise RevisionGone("The content of this revision is kept no more.") from error
        return read_committed(body, owner=user.user_id).bullets
