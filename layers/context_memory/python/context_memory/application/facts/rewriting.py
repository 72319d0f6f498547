"""Applying a rule to all of a user's facts: as many transactions as it takes, over whatever stands by then.

What is put goes before what is dropped: whenever this process dies, doing it again comes to the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.facts.keeping import TRIES
from context_memory.application.facts.shelves import Overtaken
from context_memory.domain.errors import Contended
from context_memory.domain.facts.checking import heeded
from context_memory.domain.facts.history import texts_behind
from context_memory.domain.facts.rewriting import Rewrite, without_corrected_facts, without_denied_facts
from context_memory.domain.facts.unlearning import unlearn_facts
from context_memory.ports.facts import MOST_CHANGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_memory.application.facts.shelves import Shelf, Standing
    from context_memory.application.facts.user_shelf import UserShelf
    from context_memory.domain.condemnation import Condemnation
    from context_memory.domain.facts.checking import Verdict, Wording
    from context_memory.domain.facts.rewriting import Correction
    from context_memory.domain.ids import UserKey
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry

    type Rule = Callable[[Standing], Rewrite]


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteFacts:
    """What is done to all facts of a user at once; `tokens` counts a text."""

    shelf: Callable[[UserKey], UserShelf]
    tokens: Callable[[str], int]
    clock: Clock
    telemetry: Telemetry

    def preview_unlearning(self, user: UserKey, condemned: Condemnation) -> Rewrite:
        """What unlearning would change now.

        Raises:
            MemorySwitchedOff, EraseRunning, Unavailable.
        """
        return self._unlearning(condemned)(self.shelf(user).look(()))

    def unlearn(self, user: UserKey, condemned: Condemnation) -> Rewrite:
        """Take out what was learned from what is condemned, or would be; doing it again changes nothing.

        Raises:
            MemorySwitchedOff, EraseRunning, Contended, Unavailable: some of it may be done.
        """
        shelf = self.shelf(user)
        if unread := shelf.leave_unread(condemned, self.clock.now()):
            self.telemetry.event("left condemned turns unread", turns=unread)
        return self._rewrite(shelf, self._unlearning(condemned), forgets=False)

    def take_out_denied(self, user: UserKey) -> int:
        """Take out what the user's phrases forbid, and let nothing older bring it back.

        Returns:
            How many facts went; asked for again, it finds none.

        Raises:
            As `unlearn`.
        """

        def denied(standing: Standing) -> Rewrite:
            return without_denied_facts(standing.facts.facts, standing.gate.deny_phrases)

        return len(self._rewrite(self.shelf(user), denied, forgets=True).drops)

    def take_out_corrected(self, user: UserKey, correction: Correction) -> int:
        """Take out what the user has edited away. History keeps it: an edit can be undone as long as ever.

        Returns:
            How many facts went; asked for again, it finds none.

        Raises:
            As `unlearn`.
        """

        def corrected(standing: Standing) -> Rewrite:
            return without_corrected_facts(standing.facts.facts, correction)

        return len(self._rewrite(self.shelf(user), corrected, forgets=False).drops)

    def heed_policy(self, user: UserKey, said: Mapping[Wording, Verdict]) -> int:
        """Let facts be what the policy's reader left of them; what goes is not brought back by anything older.

        Returns:
            How many facts went, or say less than they did; asked for again, it finds none.

        Raises:
            As `unlearn`.
        """
        shelf = self.shelf(user)

        def heed(standing: Standing) -> Rewrite:
            return heeded(shelf.scope, standing.facts.facts, said, self.tokens)

        return len(self._rewrite(shelf, heed, forgets=True).drops)

    def _unlearning(self, condemned: Condemnation) -> Rule:
        return lambda standing: unlearn_facts(standing.facts.facts, condemned, self.tokens)

    def _rewrite(self, shelf: Shelf, rule: Rule, *, forgets: bool) -> Rewrite:
        """What the rule came to when it was looked at first."""
        first: Rewrite | None = None
        failed = 0
        while True:
            standing = shelf.look(())
            wanted = rule(standing)
            first = first or wanted
            if not (wanted.puts or wanted.drops):
                return first
            try:
                self._write(shelf, standing, wanted, forgets=forgets)
            except Overtaken as race:
                failed += 1
                if failed == TRIES:
                    raise Contended("Others keep changing these facts.") from race
            else:
                failed = 0

    def _write(self, shelf: Shelf, standing: Standing, wanted: Rewrite, *, forgets: bool) -> None:
        """As much as one transaction holds."""
        puts = wanted.puts[:MOST_CHANGES]
        drops = frozenset(sorted(wanted.drops)[: MOST_CHANGES - len(puts)])
        now = self.clock.now()
        if forgets:
            shelf.forget(standing, _texts(standing, drops) - {fact.text for fact in puts}, now)
        shelf.write(standing, puts, drops, at=now)
        if drops:
            self.telemetry.count("facts_written_total", len(drops), result="deleted")


def _texts(standing: Standing, ids: frozenset[str]) -> set[str]:
    """What these facts say, and what those say that they were merged from."""
    return {text for fact in standing.facts.facts if fact.id in ids for text in texts_behind(fact)}
