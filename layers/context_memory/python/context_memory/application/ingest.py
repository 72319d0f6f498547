"""Accepting a finished turn: durable before the answer, and once however often it is posted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.inheriting import pass_nothing_on, passed_on
from context_memory.application.ringing import turn_ring
from context_memory.domain.enablement import Asked, Reason, disabled_reason
from context_memory.domain.errors import (
    CommitRefused,
    EraseRunning,
    InvalidInput,
    TooManyOpenTurns,
    TurnConflict,
    Unavailable,
    kind_of,
)
from context_memory.domain.evidence import evidence_of
from context_memory.domain.language_models import choice
from context_memory.domain.spaces import SpaceSettings
from context_memory.domain.state import OPEN_TURNS_LIMIT
from context_memory.domain.turn import FACTS, PROFILE, TurnRecord

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from context_memory.domain.language_models import AllowedModels
    from context_memory.domain.state import UserState
    from context_memory.domain.turn import Turn
    from context_memory.ports.companies import Switches
    from context_memory.ports.objects import Roster, TurnPayloads
    from context_memory.ports.queues import Doorbells
    from context_memory.ports.recall import PromptMemories
    from context_memory.ports.system import Clock, Identifiers
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingest:
    """The use case behind `POST …/turns`. `models` are those that turns may name where their space lets them."""

    table: UserTable
    payloads: TurnPayloads
    roster: Roster
    switches: Switches
    doorbells: Doorbells
    clock: Clock
    identifiers: Identifiers
    telemetry: Telemetry
    models: AllowedModels
    prompts: PromptMemories

    def __call__(
        self, user: UserKey, turn: Turn, body: bytes, sha256: str, *, provider: str | None = None
    ) -> str | None:
        """Accept a turn whose canonical body is `body`; `provider` is the link through which it came, as it is spelled.

        Returns:
            None when it is accepted, now or before; otherwise the reason for which nothing is kept of it.

        Raises:
            TurnConflict: the id was used with another body.
            TooManyOpenTurns, InvalidInput, Unavailable: nothing was kept.
        """
        flags = self.switches.flags(user.company_id)
        space = self.switches.space(user.company_id, turn.space_id)
        inherits = turn.delegation.inherits(company=flags.inherit_memory)
        asked = Asked(turn.writes(flags.use_memory), turn.web_search, inherits=inherits)
        if known := self.table.turn(user, turn.turn_id):
            # As the first time, whatever was switched off since.
            self._again(user, known, sha256)
            return None
        if reason := disabled_reason(flags, space, None, asked):
            return reason
        state = self.table.state(user)
        evidence = evidence_of(turn.messages, user_id=user.user_id, display_name=turn.display_name)
        names = turn.delegation.rests_on(company=flags.inherit_memory)
        asked = replace(asked, blank=evidence is None, inherits=inherits and passed_on(self.prompts, user, names))
        reason = disabled_reason(flags, space, state.settings, asked)
        if reason is Reason.ERASE_RUNNING:
            raise EraseRunning("The user's memory is being erased.")
        if reason in {None, Reason.USE_MEMORY} and turn.disables:
            self._enter(user, state)
            epoch, now = state.settings.epoch, self.clock.now()
            pass_nothing_on(self.prompts, user, turn.turn_id, epoch=epoch, at=now)
        if reason:
            return reason
        self._check(turn, space, state)
        wants_facts = (space or SpaceSettings()).recall.writes_facts
        consumers = (PROFILE, FACTS) if wants_facts else (PROFILE,)
        self._keep(user, turn, state, body, sha256, provider=provider, consumers=consumers)
        return None

    def _check(self, turn: Turn, space: SpaceSettings | None, state: UserState) -> None:
        if self.models.refuses(choice(space, turn.language_model)):
            raise InvalidInput("language_model", "must be on the environment's list of models")
        erased_at = state.settings.erased_at
        if erased_at and turn.occurred_at <= erased_at:
            raise InvalidInput("occurred_at", "must be after the user's memory was erased")
        if len(state.waiting) >= OPEN_TURNS_LIMIT:
            raise TooManyOpenTurns(f"{OPEN_TURNS_LIMIT} turns of this user are waiting.")

    def _keep(
        self,
        user: UserKey,
        turn: Turn,
        state: UserState,
        body: bytes,
        sha256: str,
        *,
        provider: str | None,
        consumers: tuple[str, ...],
    ) -> None:
        now = self.clock.now()
        record = TurnRecord(
            turn_id=turn.turn_id,
            epoch=state.settings.epoch,
            payload_sha256=sha256,
            open_key=self.identifiers.ulid(now),
            accepted_at=now,
            occurred_at=turn.heard(now).occurred_at,
            supersedes_turn_id=turn.supersedes_turn_id,
            chat_id=turn.chat_id,
            provider=provider,
            consumers=consumers,
        )
        self._enter(user, state)
        self.payloads.put(user, turn.turn_id, sha256, body)
        try:
            known = self.table.accept(user, record)
        except CommitRefused as error:  # an erase began since the state was read
            self.payloads.delete(user, turn.turn_id, sha256)
            raise EraseRunning("The user's memory is being erased.") from error
        if known is None:
            self._ring(user, record)
            return
        # The same turn was accepted by somebody else meanwhile. Its own payload stays as long as it is needed.
        if known.payload_sha256 != sha256 or known.final:
            self.payloads.delete(user, turn.turn_id, sha256)
        self._again(user, known, sha256)

    def _enter(self, user: UserKey, state: UserState) -> None:
        """Let walks find a user of whom nothing is kept that they would be found by."""
        if state.unknown:
            self.roster.enter(user)

    def _again(self, user: UserKey, known: TurnRecord, sha256: str) -> None:
        if known.payload_sha256 != sha256:
            raise TurnConflict("This turn id was used with another body.")
        if known.outcome is None:
            self._ring(user, known)

    def _ring(self, user: UserKey, record: TurnRecord) -> None:
        try:
            self.doorbells.ring(turn_ring(user, record))
        except Unavailable as error:  # the turn is safe: the next turn, a load or maintain rings again
            self.telemetry.warning("could not ring for an accepted turn", error_type=type(error).__name__)
            self.telemetry.count("errors_total", stage="ring", error_type=kind_of(error))
