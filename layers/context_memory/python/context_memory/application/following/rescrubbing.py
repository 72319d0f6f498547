"""The policy's reader over what no chain has stored: what was typed, imported, brought back, or denied since."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.asking.policy_reader import PolicyReader
from context_memory.application.asking.scrubbing import Scrubbing
from context_memory.application.changing.wanted import Wanted
from context_memory.domain.deny_rules import in_words
from context_memory.domain.profile import Bullets, Section, fold, pin_of
from context_memory.domain.writers import Writer

if TYPE_CHECKING:
    from context_memory.application.asking.calls import Calls
    from context_memory.application.changing.change import Change
    from context_memory.application.changing.wanted import Standing
    from context_memory.domain.ids import UserKey
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable

POLICY = "policy"
"""Reason of the revision by which the scrub takes out what may not stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescrub:
    """Scrubs what stands, once."""

    change: Change
    table: UserTable
    telemetry: Telemetry
    model: str

    def __call__(self, user: UserKey, standing: Standing, calls: Calls) -> bool:
        """Check what stands, and store what is left of it where the policy takes something out.

        Pinned bullets are no exception: the policy overrides pins.

        Returns:
            Whether it is checked now. After a veto it stays as it is, and the next chain checks it again.

        Raises:
            ProfileConflict: somebody changed it meanwhile: look again.
            ModelRejected, CallBudgetSpent, Unavailable: nothing is known, nothing has changed.
        """
        pointer = standing.base.pointer
        if pointer is None or not standing.base.scrub_whole:
            return True
        checked, asked_before = self._checked(user, standing), len(calls.usage)
        settings, company = standing.state.settings, standing.company
        reader = PolicyReader(
            calls=calls,
            model=self.model,
            telemetry=self.telemetry,
            deny_rules=in_words(settings.deny_phrases, sorted(settings.deny_kinds)),
            allowed_special=sorted(company.allowed_special),
        )
        scrubbed = Scrubbing(reader=reader).scrub(
            checked or Bullets(), standing.bullets, whole=checked is None, bring_back=False
        )
        if scrubbed is None:
            return False
        if scrubbed.same_as(standing.bullets):
            self.table.vouch(user, pointer, standing.policy_version)
            return True
        wanted = Wanted(
            bullets=scrubbed,
            pins=lambda stands: settings.pins & {pin_of(section, text) for section, text in stands.items()},
            reason=POLICY,
            policy_version=standing.policy_version,
            forgets=True,
        )
        self.change(
            user,
            Writer.SCRUB,
            lambda _: wanted,
            expected=frozenset({standing.version}),
            model=self.model,
            usage=tuple(calls.usage[asked_before:]),
        )
        return True

    def _checked(self, user: UserKey, standing: Standing) -> Bullets | None:
        """What of it a scrub has seen before; None when that is not known to be anything.

        An edit upon a profile that was checked leaves only its own bullets to look at. Whatever came by the file is
        checked as a whole.
        """
        epoch, turn_count = standing.version
        edit = self.table.revision(user, epoch, turn_count)
        before = self.table.revision(user, epoch, turn_count - 1)
        if edit is None or before is None or edit.writer is not Writer.USER:
            return None
        if before.policy_version != standing.policy_version:
            return None
        new = {(one.section, fold(one.after)) for one in edit.operations if one.after is not None}
        kept: dict[Section, list[str]] = {section: [] for section in Section}
        for section, text in standing.bullets.items():
            if (section, fold(text)) not in new:
                kept[section].append(text)
        return Bullets.of(kept)
