"""What a chat loads before a turn. The path on which a user waits: one query, one object, nothing heavy imported."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.application.profiles import committed_now, legacy_file
from context_memory.application.ringing import healing_ring, outgrown_ring
from context_memory.domain.budget import View, view
from context_memory.domain.delegation import THE_USERS_OWN
from context_memory.domain.enablement import Asked, disabled_reason
from context_memory.domain.encodings import encoding_for
from context_memory.domain.errors import Unavailable
from context_memory.domain.owner import check_owner
from context_memory.domain.prompt_section import OPENING
from context_memory.domain.state import UserState

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future

    from context_memory.application.profiles import LegacyReader
    from context_memory.domain.delegation import Delegation
    from context_memory.domain.enablement import CompanyFlags
    from context_memory.domain.ids import UserKey
    from context_memory.domain.spaces import SpaceSettings
    from context_memory.domain.state import ProfilePointer
    from context_memory.ports.companies import Switches
    from context_memory.ports.objects import ProfileObjects, StoredObject
    from context_memory.ports.queues import Doorbell, Doorbells
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserStates

_MOST_RUNG = 1000
STALE = timedelta(minutes=10)
"""How long an open turn may wait before a load rings for it."""


@dataclass(frozen=True, slots=True)
class LoadQuery:
    """What the caller asks for. `use_memory` is None where only the company says whether memory is read."""

    user: UserKey
    space_id: str
    model: str | None = None
    web_search: bool | None = None
    known_etags: frozenset[str] = frozenset()
    use_memory: bool | None = None
    delegation: Delegation = THE_USERS_OWN


@dataclass(frozen=True, slots=True)
class Loaded:
    """What is known: `reason` says why memory is off, `view` is None when there is no memory or it is unchanged."""

    reason: str | None
    state: UserState
    etag: str | None = None
    unchanged: bool = False
    pointer: ProfilePointer | None = None
    view: View | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """The use case.

    Attributes:
        passed_on: whether these turns of a user pass memory on to their workers; with imports of its own.
        legacy: reads a file at the legacy place, with imports of its own.
        aside: does what nobody waits for.
        rung: what this process has rung for already, of profiles over their cap.
    """

    table: UserStates
    objects: ProfileObjects
    switches: Switches
    doorbells: Doorbells
    clock: Clock
    telemetry: Telemetry
    executor: Executor
    passed_on: Callable[[UserKey, frozenset[str]], bool]
    legacy: LegacyReader
    aside: Callable[[Callable[[], None]], None]
    rung: set[Doorbell] = field(default_factory=set)

    def __call__(self, query: LoadQuery) -> Loaded:
        """Load one user's memory.

        Raises:
            Unavailable: the flags or a store are out of reach.
            ProfileUnreadable: what is stored is not this user's readable profile, or the committed version is missing.
        """
        began, outcome = self.clock.monotonic(), "error"
        try:
            loaded = self._load(query)
            outcome = "disabled" if loaded.reason else "success" if loaded.pointer else "empty"
            return loaded
        finally:
            seconds = self.clock.monotonic() - began
            self.telemetry.count_all({"load_total": 1, "load_duration_seconds": seconds}, outcome=outcome)
            self.telemetry.count("load_failed", int(outcome == "error"))

    def _load(self, query: LoadQuery) -> Loaded:
        company_id = query.user.company_id
        space_read = self.switches.space_ahead(company_id, query.space_id, self.executor)
        flags = self.switches.flags(company_id)
        asked = Asked(
            flags.use_memory.read if query.use_memory is None else query.use_memory,
            query.web_search,
            inherits=query.delegation.inherits(company=flags.inherit_memory),
        )
        # A space of which nothing is known yet is read beside the rest: nobody waits for two answers in turn.
        if space_read.done() and (reason := disabled_reason(flags, space_read.result(), None, asked)):
            return Loaded(reason, _NOTHING_READ)
        object_read = None if query.known_etags else self.executor.submit(self.objects.latest, query.user)
        inherits = self._inheriting(query, flags)
        state = self.table.state(query.user)
        self._ring_for_stranded(query.user, state)
        space = space_read.result()
        asked = replace(asked, inherits=inherits.result()) if inherits else asked
        if reason := disabled_reason(flags, space, state.settings, asked):
            return Loaded(reason, state)
        return self._show(query, flags, space, state, object_read)

    def _inheriting(self, query: LoadQuery, flags: CompanyFlags) -> Future[bool] | None:
        """Ask whether a worker's turn passes memory on, beside the rest; None where nothing is to be asked."""
        names = query.delegation.rests_on(company=flags.inherit_memory)
        return self.executor.submit(self.passed_on, query.user, names) if names else None

    def _show(
        self,
        query: LoadQuery,
        flags: CompanyFlags,
        space: SpaceSettings | None,
        state: UserState,
        object_read: Future[StoredObject | None] | None,
    ) -> Loaded:
        cap = min(flags.max_tokens, (space and space.max_tokens) or flags.max_tokens)
        encoding = encoding_for(query.model)
        pointer, body = state.current, None
        if pointer is None and flags.legacy and state.may_have_legacy_file:
            pointer, body = legacy_file(self.objects, query.user, self.legacy)
        etag = _etag(pointer, cap, encoding, state.settings.pins)
        if etag in query.known_etags:
            return Loaded(None, state, etag, unchanged=True, pointer=pointer)
        if pointer is None:
            return Loaded(None, state, etag)
        if body is None:
            latest = object_read.result() if object_read else None
            pointer, body = committed_now(self.table, self.objects, query.user, pointer, latest)
            etag = _etag(pointer, cap, encoding, state.settings.pins)
        check_owner(body, query.user.user_id)
        shown = view(body, pointer.index, cap=cap, encoding=encoding, pins=state.settings.pins)
        self.telemetry.count_all(
            {"memory_length_tokens": shown.tokens, "memory_length_chars": len(shown.memory)}, phase="load"
        )
        if state.outgrows(flags.max_tokens):
            self._ring_for_outgrown(query.user, pointer)
        return Loaded(None, state, etag, pointer=pointer, view=shown)

    def _ring_for_outgrown(self, user: UserKey, pointer: ProfilePointer) -> None:
        """Let somebody see to a profile over its company's cap: once a process and version, beside the answer."""
        doorbell = outgrown_ring(user, pointer)
        if doorbell in self.rung:
            return
        if len(self.rung) >= _MOST_RUNG:
            self.rung.clear()
        self.rung.add(doorbell)
        self.aside(lambda: self._ring(doorbell))

    def _ring(self, doorbell: Doorbell) -> None:
        try:
            self.doorbells.ring(doorbell)
        except Unavailable as error:  # the load is worth more than the ring, which others make up for
            self.telemetry.warning("could not ring", error_type=type(error).__name__)

    def _ring_for_stranded(self, user: UserKey, state: UserState) -> None:
        now = self.clock.now()
        if any(turn.accepted_at < now - STALE for turn in (*state.waiting, *state.untold)):
            self._ring(healing_ring(user, now))


def _etag(pointer: ProfilePointer | None, cap: int, encoding: str, pins: frozenset[str]) -> str:
    version = (pointer.epoch, pointer.turn_count, pointer.sha256) if pointer else None
    parts = repr((version, cap, encoding, sorted(pins), OPENING))
    return f'"{hashlib.sha256(parts.encode()).hexdigest()[:32]}"'


_NOTHING_READ = UserState()
