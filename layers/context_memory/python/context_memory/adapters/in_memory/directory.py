"""Who there is."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from context_memory.adapters.in_memory.payloads import InMemoryTurnPayloads
    from context_memory.adapters.in_memory.profiles import InMemoryProfileObjects
    from context_memory.adapters.in_memory.steps import Steps
    from context_memory.domain.ids import UserKey


class InMemoryRoster:
    """`Roster`; `entered` is who stands in it."""

    def __init__(self, *, steps: Steps) -> None:
        self.entered: set[UserKey] = set()
        self._steps = steps
        self._lock = Lock()

    def enter(self, user: UserKey) -> None:
        """Keep that there is such a user."""
        with self._steps.step("roster.enter"), self._lock:
            self.entered.add(user)

    def strike(self, user: UserKey) -> None:
        """Forget that there is such a user; an absent one is no error."""
        with self._steps.step("roster.strike"), self._lock:
            self.entered.discard(user)


class InMemoryDirectory:
    """`Directory` over the twins of payloads, kept texts, roster and profiles."""

    def __init__(
        self,
        *,
        steps: Steps,
        payloads: InMemoryTurnPayloads,
        texts: InMemoryTurnPayloads,
        roster: InMemoryRoster,
        profiles: InMemoryProfileObjects,
    ) -> None:
        self._steps = steps
        self._payloads = payloads
        self._texts = texts
        self._roster = roster
        self._profiles = profiles

    def companies_with_turns(self) -> Sequence[str]:
        """Companies that have payloads."""
        with self._steps.step("directory.companies_with_turns"):
            return sorted({user.company_id for user in self._payloads.owners()})

    def companies_with_kept_turns(self) -> Sequence[str]:
        """Companies that keep texts of turns."""
        with self._steps.step("directory.companies_with_kept_turns"):
            return sorted({user.company_id for user in self._texts.owners()})

    def users_with_turns(self, company_id: str) -> Sequence[UserKey]:
        """Users of a company that have payloads."""
        with self._steps.step("directory.users_with_turns"):
            return [user for user in self._payloads.owners() if user.company_id == company_id]

    def users_with_kept_turns(self, company_id: str, *, after: str | None, limit: int) -> Sequence[UserKey]:
        """Users of a company of whom texts are kept."""
        with self._steps.step("directory.users_with_kept_turns"):
            return _page(self._texts.owners(), company_id, after, limit)

    def users(self, company_id: str, *, after: str | None, limit: int, legacy: bool) -> Sequence[UserKey]:
        """Users of a company, in the order of the names of their folders."""
        with self._steps.step("directory.users"):
            everybody = {
                *self._payloads.owners(),
                *self._texts.owners(),
                *self._roster.entered,
                *self._profiles.owners(),
            }
            if legacy:
                everybody |= self._profiles.legacy_files.keys()
            return _page(everybody, company_id, after, limit)


def _page(users: Iterable[UserKey], company_id: str, after: str | None, limit: int) -> Sequence[UserKey]:
    names = {f"{user.encoded}/": user for user in users if user.company_id == company_id}
    return [names[name] for name in sorted(names) if after is None or name > f"{after}/"][:limit]
