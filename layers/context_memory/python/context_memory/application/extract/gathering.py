"""Choosing the turns of the next run, finding what was said in them, and what later turns want forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.application.extract.gathered import Broken, Early, Ended, Gathered, grounds_of
from context_memory.contracts.turns import TurnBody
from context_memory.domain.enablement import Asked, Reason, disabled_reason, may_change
from context_memory.domain.errors import Unavailable
from context_memory.domain.evidence import evidence_of
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.spaces import SpaceSettings
from context_memory.domain.turn import KEPT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from context_memory.domain.enablement import CompanyFlags
    from context_memory.domain.evidence import Evidence
    from context_memory.domain.ids import UserKey
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.reconcile import Grounds
    from context_memory.domain.state import UserState
    from context_memory.domain.tokens import Tokenizer
    from context_memory.domain.turn import Turn
    from context_memory.ports.companies import Switches
    from context_memory.ports.facts import PendingExtraction
    from context_memory.ports.objects import TurnPayloads
    from context_memory.ports.system import Clock

_ENDS: Mapping[Reason | None, FactsOutcome] = {
    Reason.BLANK: FactsOutcome.SKIPPED,
    Reason.ERASE_RUNNING: FactsOutcome.DROPPED_ERASED,
}
"""How turns end for reasons that are not a switch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathering:
    """Reads the payloads of pending extractions."""

    payloads: TurnPayloads
    switches: Switches
    tokenizer: Tokenizer
    clock: Clock
    limits: ChainLimits

    def next_group(
        self, user: UserKey, state: UserState, flags: CompanyFlags, pending: Sequence[PendingExtraction]
    ) -> tuple[Gathered, ...] | Ended | Early | Broken | None:
        """The oldest turns that may run together; or one that ends at once, waits, or cannot be read; or None."""
        group: list[Gathered] = []
        tokens = 0
        for one in _runnable(pending, self.clock.now()):
            found = self._read(user, state, flags, one)
            if isinstance(found, Ended | Early | Broken):
                # A turn behind a group waits for its end, so that order is kept.
                return tuple(group) if group else found
            tokens += min(self.tokenizer.count(found.evidence.words), self.limits.consolidation_evidence)
            if group and not (group[0].runs_with(found) and tokens <= self.limits.coalesced_evidence):
                break
            group.append(found)
            if found.keeps_apart or len(group) == self.limits.coalesced_turns:
                break
        return tuple(group) or None

    def wishes(
        self, user: UserKey, state: UserState, group: Sequence[Gathered], pending: Sequence[PendingExtraction]
    ) -> tuple[Grounds, ...]:
        """What pending turns say that ask to forget something and came later than `group`.

        What they asked for is gone from both memories, but not from turns that waited then.
        """
        last = max(_place(gathered.pending) for gathered in group)
        found: list[Grounds] = []
        for one in pending:
            if one.forgets and _place(one) > last and one.epoch == state.settings.epoch:
                turn, evidence = self._said(user, one)
                if turn is not None and evidence is not None:
                    wish = Gathered(one, turn, evidence, SpaceSettings().recall)
                    found.append(grounds_of((wish,), state.last_time_zone))
        return tuple(found)

    def _read(
        self, user: UserKey, state: UserState, flags: CompanyFlags, pending: PendingExtraction
    ) -> Gathered | Ended | Early | Broken:
        try:
            return self._gather(user, state, flags, pending)
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001 - what our code does wrong with one turn must not stop its user
            return Broken(pending, error)

    def _gather(
        self, user: UserKey, state: UserState, flags: CompanyFlags, pending: PendingExtraction
    ) -> Gathered | Ended | Early:
        if pending.epoch != state.settings.epoch:
            return Ended(pending, FactsOutcome.DROPPED_ERASED)
        turn, evidence = self._said(user, pending)
        if turn is None:
            return Ended(pending, FactsOutcome.EXPIRED)
        space = self.switches.space(user.company_id, turn.space_id)
        inherits = turn.delegation.inherits(company=flags.inherit_memory)
        asked = Asked(turn.write is not False, turn.web_search, blank=evidence is None, inherits=inherits)
        reason = disabled_reason(flags, space, state.settings, asked)
        age, spread = self.clock.now() - pending.accepted_at, timedelta(seconds=self.limits.spread_seconds)
        if may_change(reason, flags, state.settings, age=age, spread=spread):
            return Early(pending)
        recall = (space or SpaceSettings()).recall
        if reason or evidence is None or not recall.writes_facts:
            return Ended(pending, _ENDS.get(reason, FactsOutcome.DROPPED_DISABLED))
        return Gathered(pending, turn, evidence, recall)

    def _said(self, user: UserKey, pending: PendingExtraction) -> tuple[Turn | None, Evidence | None]:
        """A turn and what of it is evidence; None for both when its payload is gone."""
        payload = self.payloads.get(user, pending.turn_id, pending.payload_sha256)
        if payload is None:
            return None, None
        turn = TurnBody.stored(payload).turn().heard(pending.accepted_at)
        return turn, evidence_of(turn.messages, user_id=user.user_id, display_name=turn.display_name)


def _runnable(pending: Sequence[PendingExtraction], now: datetime) -> Iterator[PendingExtraction]:
    """Those that may run now, the oldest first.

    A wish to forget stays as long as an older turn was given up, which may be given another life: what that turn says
    must be held against the wish then. What has expired stands for a while after its turn is gone, and ends by itself.
    """
    given_up = False
    for one in sorted(pending, key=_place):
        if one.accepted_at + KEPT <= now:
            continue
        given_up |= one.dead
        if not (one.dead or (one.forgets and given_up)):
            yield one


def _place(pending: PendingExtraction) -> tuple[object, ...]:
    return pending.occurred_at, pending.open_key
