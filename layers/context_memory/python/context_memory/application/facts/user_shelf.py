"""The shelf of one user's own facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.facts.shelves import Overtaken, Standing, check_open
from context_memory.application.facts.unread import leave_unread
from context_memory.domain.errors import CommitRefused, EraseRunning, MemorySwitchedOff
from context_memory.domain.facts.admitting import FactGate, cleaned
from context_memory.domain.facts.fact import fact_id
from context_memory.domain.facts.scopes import UserScope
from context_memory.ports.facts import Facts, FactsChange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from context_memory.application.forgetting import Forgetting
    from context_memory.domain.company_settings import StoredSettings
    from context_memory.domain.condemnation import Condemnation
    from context_memory.domain.facts.fact import Fact, Tier
    from context_memory.domain.ids import UserKey
    from context_memory.ports.facts import FactsHead, FactStore
    from context_memory.ports.objects import Roster
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class UserShelf:
    """A user's own facts. `typed`: they are written there and then, and so newer than whatever was forgotten.

    `written` is told of every write that stands, with the facts that it put; `unread` is asked for somebody to look
    through facts that nobody has, before they are written.
    """

    user: UserKey
    store: FactStore
    table: UserTable
    company: Callable[[str], StoredSettings]
    forgetting: Forgetting
    roster: Roster
    own_sentences: Callable[[], frozenset[str]]
    written: Callable[[UserKey, Sequence[Fact]], object]
    unread: Callable[[UserKey], object]
    typed: bool = True

    @property
    def scope(self) -> UserScope:
        """Whose they are."""
        return UserScope(self.user)

    @property
    def keeps_history(self) -> bool:
        """They do."""
        return True

    def named(self, text: str) -> str:
        """The id of the fact that a text becomes."""
        return fact_id(self.scope, cleaned(text, own_links=self.typed) or text)

    def one(self, one: str) -> Facts:
        """The head, and the fact of that id if it stands."""
        stored = self.store.facts(self.user, self.scope)
        return Facts(stored.head, tuple(fact for fact in stored.facts if fact.id == one))

    def page(self, *, after: str | None, limit: int, tier: Tier | None) -> Facts:
        """A page of what counts; all are read, for a user has no more than a few."""
        stored = self.store.facts(self.user, self.scope)
        wanted = (fact for fact in stored.facts if tier in {None, fact.tier} and fact.id > (after or ""))
        return Facts(stored.head, tuple(sorted(wanted, key=lambda fact: fact.id)[:limit]))

    def look(self, ids: Iterable[str]) -> Standing:
        """All of them, whatever was asked for."""
        del ids
        company, state = self.company(self.user.company_id), self.table.state(self.user)
        settings = state.settings
        if settings.erase_running:
            raise EraseRunning("The user's memory is being erased.")
        if not settings.context_memory:
            raise MemorySwitchedOff("The user has switched memory off.")
        check_open(company)
        gate = FactGate(
            own_sentences=self.own_sentences(),
            own_links=self.typed,
            deny_phrases=settings.deny_phrases,
            forgotten=(lambda _: False) if self.typed else self.forgetting.ever(self.user),
        )
        facts = self.store.facts(self.user, self.scope)
        return Standing(
            facts=facts, cap=company.settings.facts_cap, gate=gate, epoch=settings.epoch, rules=settings.rules
        )

    def write(self, standing: Standing, puts: Sequence[Fact], drops: frozenset[str], *, at: datetime) -> FactsHead:
        """One transaction, under the rules that were looked at."""
        base = standing.facts.head
        if not base.version:  # else one of whom only facts are kept would be found nowhere
            self.roster.enter(self.user)
        if any(fact.unchecked for fact in puts):
            self.unread(self.user)
        count = standing.count_after(puts, drops)
        change = FactsChange(
            user=self.user,
            base=base,
            epoch=standing.epoch,
            at=at,
            puts=tuple(puts),
            drops=drops,
            count=count,
            rules=standing.rules,
        )
        try:
            self.store.change(change)
        except CommitRefused as clash:
            raise Overtaken from clash
        self.written(self.user, puts)
        return base.following(count, at)

    def leave_unread(self, condemned: Condemnation, at: datetime) -> int:
        """Let nobody learn from condemned turns whose facts are still to be extracted; how many that were.

        Texts of condemned turns that are kept go, too, behind that: until then one may come to be kept.
        """
        unread = leave_unread(self.store, self.table, self.user, condemned, at)
        if not (condemned.models or condemned.prompt_versions):  # what a model made of a text says nothing against it
            self.forgetting.let_go.some(
                self.user, lambda turn: condemned.names(turn.turn_id, turn.chat_id, turn.occurred_at)
            )
        return unread

    def forget(self, standing: Standing, texts: Iterable[str], at: datetime) -> None:
        """Turns that wait may still say it."""
        self.forgetting.remember(self.user, standing.epoch, texts, at)

    def told(self, texts: Iterable[str], at: datetime) -> None:
        """What was forgotten once may be said again."""
        self.forgetting.told_again(self.user, texts, at)
