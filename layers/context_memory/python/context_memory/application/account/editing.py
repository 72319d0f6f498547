"""What users write into their memory themselves: an edit, or a file that they bring along."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.changing.wanted import Wanted
from context_memory.domain.editing.importing import Mode, with_import
from context_memory.domain.editing.pins import moved_pins
from context_memory.domain.writers import Writer

if TYPE_CHECKING:
    from context_memory.application.changing.change import Change
    from context_memory.application.changing.correcting import TakeOutCorrected
    from context_memory.application.changing.wanted import Changed, Make, Standing, Version
    from context_memory.domain.ids import UserKey
    from context_memory.domain.profile import Bullets


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """The use case behind `PUT /v1/me/memory`."""

    change: Change
    take_out: TakeOutCorrected

    def __call__(self, user: UserKey, bullets: Bullets, *, expected: frozenset[Version]) -> Changed:
        """Let `bullets` be the whole memory; pins stay on the bullets that were edited, facts that it corrects go.

        Raises:
            As `Change`. Where the facts are out of reach the edit stands; sent again, it takes them out.
        """

        def make(standing: Standing) -> Wanted:
            pins = standing.state.settings.pins
            return Wanted(
                bullets=bullets, pins=lambda stands: moved_pins(pins, standing.bullets, stands), corrects=True
            )

        changed = self.change(user, Writer.USER, make, expected=expected)
        self.take_out(user)
        return changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """The use case behind `POST /v1/me/import`."""

    change: Change
    take_out: TakeOutCorrected

    def preview(self, user: UserKey, bullets: Bullets, mode: Mode) -> Changed:
        """What the import would do now; nothing is stored.

        Raises:
            As `Change`.
        """
        return self.change.preview(user, Writer.IMPORT, _importing(bullets, mode))

    def __call__(
        self,
        user: UserKey,
        bullets: Bullets,
        mode: Mode,
        *,
        expected: frozenset[Version],
        brings: tuple[str, ...] = (),
    ) -> Changed:
        """Take `bullets` in, as far as the policy lets them and the cap has room.

        Where they take the place of what stands, facts go that said it, but for those that the file `brings`.

        Raises:
            As `Change`. Where the facts are out of reach the import stands; sent again, it takes them out.
        """
        changed = self.change(user, Writer.IMPORT, _importing(bullets, mode, brings), expected=expected)
        self.take_out(user)
        return changed


def _importing(bullets: Bullets, mode: Mode, brings: tuple[str, ...] = ()) -> Make:
    def make(standing: Standing) -> Wanted:
        body = with_import(standing.bullets, bullets, mode, standing.state.settings.pins)
        return Wanted(bullets=body, corrects=mode is Mode.REPLACE, brings=brings)

    return make
