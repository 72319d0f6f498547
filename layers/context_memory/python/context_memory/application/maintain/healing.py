"""Every ten minutes: ring for turns that nobody works on, and let go of what nobody needs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Lock
from typing import TYPE_CHECKING

from context_memory.application.ladder import ALWAYS
from context_memory.application.ringing import facts_healing_ring, healing_ring
from context_memory.domain.errors import Unavailable
from context_memory.domain.facts.outcomes import FactsOutcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from context_memory.application.commit.sweeping import Sweep
    from context_memory.application.kept.putting_by import PutBy
    from context_memory.application.ladder import Ladder
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import UserState
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.companies import Switches
    from context_memory.ports.objects import Directory, TurnPayloads
    from context_memory.ports.queues import Doorbells
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.users import UserTable

_ROUND_SECONDS = 600
_STEP = 7919


@dataclass(frozen=True, slots=True, kw_only=True)
class Healed:
    """What one round did."""

    users: int = 0
    rings: int = 0
    payloads_removed: int = 0
    versions_swept: int = 0
    failures: int = 0
    dead: int = 0
    dead_extractions: int = 0
    oldest_seconds: float = 0.0
    """How long the turn that has waited longest has done so, of those that wait for no budget."""

    def plus(self, other: Healed) -> Healed:
        """Both rounds together."""
        return Healed(
            users=self.users + other.users,
            rings=self.rings + other.rings,
            payloads_removed=self.payloads_removed + other.payloads_removed,
            versions_swept=self.versions_swept + other.versions_swept,
            failures=self.failures + other.failures,
            dead=self.dead + other.dead,
            dead_extractions=self.dead_extractions + other.dead_extractions,
            oldest_seconds=max(self.oldest_seconds, other.oldest_seconds),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Heal:
    """The job `heal`: users with payloads are those with something to look after."""

    directory: Directory
    table: UserTable
    payloads: TurnPayloads
    put_by: PutBy
    doorbells: Doorbells
    facts_doorbells: Doorbells
    sweep: Sweep
    switches: Switches
    ladder: Ladder
    clock: Clock
    telemetry: Telemetry
    at_once: int
    """How many users are looked after at the same time: nearly all of it is waiting for answers."""

    def __call__(self, seconds: float) -> Healed:
        """One round over all companies, begun no later than `seconds` from now for any user.

        One user's or company's fault does not keep the others from being looked after. Each round begins elsewhere, so
        that a round that ends early neglects nobody twice. For a company whose budget is used up it does not ring: the
        first round of the next day, or after the budget was raised, rings for all who wait.
        """
        total, end, early = Healed(), self.clock.monotonic() + seconds, Event()
        unlisted: list[str] = []
        users = _Shared(self._users(unlisted))
        with ThreadPoolExecutor(self.at_once) as pool:
            for work in [pool.submit(self._work_off, users, end, early) for _ in range(self.at_once)]:
                total = total.plus(work.result())
        total = total.plus(Healed(failures=len(unlisted)))
        if early.is_set():
            self.telemetry.warning("a round of looking after users ended early", users=total.users)
        self.telemetry.event(
            "looked after stranded turns",
            users=total.users,
            rings=total.rings,
            payloads_removed=total.payloads_removed,
            versions_swept=total.versions_swept,
            failures=total.failures,
        )
        if total.failures <= total.users:  # else nobody knows, and that nothing is told rings as well
            self.telemetry.count("open_turn_age_seconds", total.oldest_seconds)
        self.telemetry.count("dead_turns", total.dead)
        self.telemetry.count("dead_extractions", total.dead_extractions)
        return total

    def _work_off(self, users: Iterator[tuple[UserKey, datetime | None]], end: float, early: Event) -> Healed:
        """Look after one user after another until none is left, or it is time to end, which sets `early`."""
        total = Healed()
        for user, since in users:
            if self.clock.monotonic() >= end:
                early.set()
                break
            with self.telemetry.about(user):
                total = total.plus(self._looked_after(user, since))
        return total

    def _users(self, unlisted: list[str]) -> Iterator[tuple[UserKey, datetime | None]]:
        """Everybody with payloads, and since when their turns could be worked off: None while their company is paused.

        Companies, and users within each, come in an order that turns from round to round. A company whose users cannot
        be listed is added to `unlisted`.
        """
        turn = int(self.clock.now().timestamp()) // _ROUND_SECONDS
        for company_id in _turned(self.directory.companies_with_turns(), turn):
            try:
                since, users = self._free_since(company_id), self.directory.users_with_turns(company_id)
            except Exception as error:  # noqa: BLE001 - one company's fault, of whatever kind, must not cost the others
                self.telemetry.warning("could not look after a company", error_type=type(error).__name__)
                unlisted.append(company_id)
                continue
            for user in _turned(users, turn):
                yield user, since

    def _free_since(self, company_id: str) -> datetime | None:
        try:
            daily_tokens = self.switches.flags(company_id).daily_tokens
        except Unavailable:  # consolidate finds out
            return ALWAYS
        return self.ladder.free_since(company_id, daily_tokens)

    def _looked_after(self, user: UserKey, since: datetime | None) -> Healed:
        try:
            return self._look_after(user, since)
        except Exception as error:  # noqa: BLE001 - one user's fault, of whatever kind, must not cost the others
            self.telemetry.warning("could not look after a user", error_type=type(error).__name__)
            return Healed(failures=1)

    def _look_after(self, user: UserKey, since: datetime | None) -> Healed:
        state, now = self.table.state(user), self.clock.now()
        ended = self._ended(user, state)
        removed, extracting = self._remove_strays(user, ended), any(turn.extracting for turn in ended)
        # News go out whatever the budget says; nobody but a doorbell's answer tells them.
        rung = bool(state.untold) or (since is not None and bool(state.waiting))
        if rung:
            self.doorbells.ring(healing_ring(user, now))
        if extracting and since is not None:
            self.facts_doorbells.ring(facts_healing_ring(user, now))
        waiting = [] if since is None else [max(turn.accepted_at, since) for turn in state.waiting]
        return Healed(
            users=1,
            rings=int(rung) + int(extracting and since is not None),
            payloads_removed=removed,
            versions_swept=self.sweep(user),
            dead=sum(turn.dead for turn in state.open_turns),
            dead_extractions=sum(turn.facts_outcome is FactsOutcome.DEAD for turn in ended),
            oldest_seconds=(now - min(waiting, default=now)).total_seconds(),
        )

    def _ended(self, user: UserKey, state: UserState) -> list[TurnRecord]:
        """Turns with a payload that have ended for the profile; open ones, which may be many, are not looked at.

        One without a record may belong to a turn that is being accepted right now, however old it is: a caller who
        tries again needs it. What nobody ever comes back for, the bucket's lifecycle removes.
        """
        open_turns = {turn.turn_id for turn in state.unfinished}
        ended: list[TurnRecord] = []
        for turn_id, sha256, _ in self.payloads.stored(user):
            if turn_id in open_turns:
                continue
            record = self.table.turn(user, turn_id)
            if record is not None and record.payload_sha256 == sha256:
                ended.append(record)
        return ended

    def _remove_strays(self, user: UserKey, ended: Iterable[TurnRecord]) -> int:
        """Remove payloads of turns that are final, or put them by where they are kept; how many that were."""
        final = [turn for turn in ended if turn.final]
        for turn in final:
            self.put_by(user, turn_id=turn.turn_id, sha256=turn.payload_sha256, open_key=turn.open_key)
        return len(final)


class _Shared[T]:
    """An iterator from which several threads take turns; each item goes to one of them."""

    def __init__(self, items: Iterator[T]) -> None:
        self._items, self._lock = items, Lock()

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        with self._lock:
            return next(self._items)


def _turned[T](items: Sequence[T], turn: int) -> Sequence[T]:
    """The same items, begun at another place each turn; the step shares no factor with most lengths."""
    start = turn * _STEP % len(items) if items else 0
    return [*items[start:], *items[:start]]
