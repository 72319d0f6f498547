"""What a user asked to forget: known by keyed hashes of its gist, and never brought back by what is older."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from context_memory.domain.errors import Unavailable, kind_of
from context_memory.domain.forgotten import Forgotten, redaction_day
from context_memory.domain.jobs import AgendaEntry, JobKind
from context_memory.domain.language.gist import gist

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from context_memory.application.kept.letting_go import LetGo
    from context_memory.domain.ids import UserKey
    from context_memory.ports.queues import Agenda
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.trust import Hasher
    from context_memory.ports.users import UserTable

_PURPOSE = "forgotten"


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """Remembers what was forgotten, and tells whether a bullet is among it; `let_go` takes kept texts away that say it.

    Whoever asks gets a question to put to bullets; the table is read once, when it is put first.
    """

    table: UserTable
    hasher: Hasher
    let_go: LetGo
    agenda: Agenda
    clock: Clock
    telemetry: Telemetry

    def ever(self, user: UserKey) -> Callable[[str], bool]:
        """Whether a bullet was forgotten at any time."""
        return self._known(user, lambda _: True)

    def last_asked(self, user: UserKey) -> Callable[[str], datetime | None]:
        """When the user asked last to forget a text; None: never."""
        known = cache(lambda: self.table.forgotten(user))

        def asked_at(text: str) -> datetime | None:
            one = known().get(self._hash(text)) if known() else None
            return one.said_at if one else None

        return asked_at

    def after(self, user: UserKey) -> Callable[[str, datetime], bool]:
        """Whether a text was forgotten after the moment at which it was stated."""
        asked = self.last_asked(user)

        def is_forgotten(text: str, stated_at: datetime) -> bool:
            asked_at = asked(text)
            return asked_at is not None and stated_at < asked_at

        return is_forgotten

    def for_good(self, user: UserKey) -> Callable[[str], bool]:
        """Whether a bullet was forgotten so long ago that it cannot be undone any more."""
        return self._known(user, lambda forgetting: forgetting.is_final(self.clock.now()))

    def remember(self, user: UserKey, epoch: int, bullets: Iterable[str], said_at: datetime) -> None:
        """Keep the hashes of what is forgotten now, because of what was said at `said_at`; history loses it one day.

        Kept texts say it in words that no hash knows: they go before.

        Raises:
            Unavailable: they may not be kept.
        """
        if hashes := self._hashes(bullets):
            self.let_go.all_until(user, epoch)
            now = self.clock.now()
            day = redaction_day(now)
            self.agenda.note(AgendaEntry(company_id=user.company_id, kind=JobKind.REDACT, due=day, user=user))
            self.table.remember_forgotten(user, epoch, hashes, Forgotten(said_at, now))

    def extend(self, user: UserKey, epoch: int, bullets: Iterable[str]) -> None:
        """Let bullets be forgotten with those that are forgotten for good: they came before them.

        Raises:
            Unavailable: some may not be kept.
        """
        hashes, now = self._hashes(bullets), self.clock.now()
        final = [one for one in self.table.forgotten(user).values() if one.is_final(now)] if hashes else []
        if final:
            self.table.remember_forgotten(user, epoch, hashes, max(final, key=lambda one: one.said_at))

    def told_again(self, user: UserKey, texts: Iterable[str], at: datetime) -> None:
        """Let texts that were stored at `at` count as not forgotten, unless they were forgotten since.

        Redaction lets be what stands in any case; without this what was told again could not be brought back once it
        is lost. It never fails, for the change is stored.
        """
        try:
            told = self._hashes(texts)
            known = self.table.forgotten(user) if told else {}
            if hashes := {digest for digest in told & known.keys() if known[digest].noted_at <= at}:
                self.table.recall_forgotten(user, hashes)
        except Unavailable as error:
            self.telemetry.warning("could not take a forgetting back", error_type=kind_of(error))

    def _known(self, user: UserKey, counts: Callable[[Forgotten], bool]) -> Callable[[str], bool]:
        known = cache(lambda: {digest for digest, one in self.table.forgotten(user).items() if counts(one)})
        return lambda bullet: bool(known()) and self._hash(bullet) in known()

    def _hashes(self, bullets: Iterable[str]) -> set[str]:
        return {self._hash(bullet) for bullet in bullets}

    def _hash(self, bullet: str) -> str:
        return self.hasher.digest(_PURPOSE, gist(bullet))
