"""Choosing the turns of the next chain, and finding what was said in them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.application.consolidate.gathered import GatheredTurn, is_late
from context_memory.contracts.turns import TurnBody
from context_memory.domain.enablement import Asked, Reason, disabled_reason, may_change
from context_memory.domain.errors import Unavailable
from context_memory.domain.evidence import evidence_of
from context_memory.domain.outcomes import Outcome, TurnStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.domain.enablement import CompanyFlags
    from context_memory.domain.ids import UserKey
    from context_memory.domain.language_models import AllowedModels
    from context_memory.domain.limits import ChainLimits
    from context_memory.domain.state import UserState
    from context_memory.domain.tokens import Tokenizer
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.companies import Switches
    from context_memory.ports.objects import TurnPayloads
    from context_memory.ports.system import Clock
    from context_memory.ports.users import UserTable

_ENDS: Mapping[Reason | None, Outcome] = {
    Reason.BLANK: Outcome.SKIPPED_BLANK,
    Reason.ERASE_RUNNING: Outcome.DROPPED_ERASED,
}
"""How turns end for reasons that are not a switch."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A turn that ends without a chain, and how."""

    record: TurnRecord
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Early:
    """A turn that the switches forbid, which may not be the last word: see `_may_change`."""

    record: TurnRecord


@dataclass(frozen=True, slots=True)
class Broken:
    """A turn that our own code failed to read."""

    record: TurnRecord
    error: Exception


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathering:
    """Reads the waiting turns' records and payloads.

    `model` rewrites profiles where neither space nor turn chooses one of `models`.
    """

    table: UserTable
    payloads: TurnPayloads
    switches: Switches
    model: str
    models: AllowedModels
    tokenizer: Tokenizer
    clock: Clock
    limits: ChainLimits

    def next_group(
        self, user: UserKey, state: UserState, flags: CompanyFlags
    ) -> tuple[GatheredTurn, ...] | Ended | Early | Broken | None:
        """The oldest turns that may run as one chain; or one that ends at once, waits, or cannot be read; or None."""
        group: list[GatheredTurn] = []
        tokens = 0
        for record in self._records(user, state):
            found = self._read(user, state, flags, record)
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

    def _records(self, user: UserKey, state: UserState) -> list[TurnRecord]:
        """Records of the oldest waiting turns; one that has expired or ended meanwhile is passed over."""
        records: list[TurnRecord] = []
        for waiting in state.waiting:
            record = self.table.turn(user, waiting.turn_id)
            if record is not None and record.outcome is None:
                records.append(record)
            if len(records) == self.limits.coalesced_turns:
                break
        return records

    def _read(
        self, user: UserKey, state: UserState, flags: CompanyFlags, record: TurnRecord
    ) -> GatheredTurn | Ended | Early | Broken:
        try:
            return self._gather(user, state, flags, record)
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001 - what our code does wrong with one turn must not stop its user
            return Broken(record, error)

    def _gather(
        self, user: UserKey, state: UserState, flags: CompanyFlags, record: TurnRecord
    ) -> GatheredTurn | Ended | Early:
        if record.epoch != state.settings.epoch:
            return Ended(record, Outcome.DROPPED_ERASED)
        payload = self.payloads.get(user, record.turn_id, record.payload_sha256)
        if payload is None:
            return Ended(record, Outcome.EXPIRED)
        turn = TurnBody.stored(payload).turn().heard(record.accepted_at)
        space = self.switches.space(user.company_id, turn.space_id)
        evidence = evidence_of(turn.messages, user_id=user.user_id, display_name=turn.display_name)
        # What requests do by default counted when the turn was accepted; whose memory a worker has counts now, too.
        inherits = turn.delegation.inherits(company=flags.inherit_memory)
        asked = Asked(turn.write is not False, turn.web_search, blank=evidence is None, inherits=inherits)
        reason = disabled_reason(flags, space, state.settings, asked)
        age, spread = self.clock.now() - record.accepted_at, timedelta(seconds=self.limits.spread_seconds)
        if may_change(reason, flags, state.settings, age=age, spread=spread):
            return Early(record)
        if reason or evidence is None:
            return Ended(record, _ENDS.get(reason, Outcome.DROPPED_DISABLED))
        return GatheredTurn(
            record,
            turn,
            evidence,
            model=self.models.chosen(space, turn.language_model, otherwise=self.model),
            gated=space is None or space.consolidation_gate_enabled,
            late=is_late(turn, state),
            tried=self._tried(record),
        )

    def _tried(self, record: TurnRecord) -> bool:
        """Whether an attempt has failed.

        One that began just now may be another worker's, beside us on the same turns: both take them together then, and
        the commit decides between them.
        """
        begun = record.started_at
        beside_us = (
            record.status is TurnStatus.RUNNING
            and begun is not None
            and (self.clock.now() - begun).total_seconds() < self.limits.run_seconds
        )
        return record.attempts > (1 if beside_us else 0)
