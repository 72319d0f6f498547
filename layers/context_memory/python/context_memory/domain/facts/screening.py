"""What of a model's proposals may be looked at at all: each is checked by itself, against what the user said.

The rules are those of the profile's bullets: R6 for new facts, R2 for changed ones, R3 for what is withdrawn, R7, R8,
deny rules, what was forgotten, and the policy's last line. A proposal must also quote the user: words that are not in
the evidence quote nobody. A wish to forget takes away what its words point at; where they point at nothing that is
known ("forget my diet" and "Is vegetarian."), up to two facts are taken at the model's word, as with the profile. What
code has heeded of the wish before is no reason any more: neither for facts that hold a word of it which meant others,
nor, once each of its words meant something, for any beyond those that they point at.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain import hygiene, last_line
from context_memory.domain.facts.bullets import as_bullet, in_any_section
from context_memory.domain.facts.fact import LONGEST_TEXT
from context_memory.domain.facts.heeding import UNHEEDED, Heeded
from context_memory.domain.facts.keywords import kept_keywords
from context_memory.domain.facts.languages import in_the_users_script
from context_memory.domain.facts.pointing import pointed_at
from context_memory.domain.facts.proposals import Operation, Proposal
from context_memory.domain.facts.refusals import Refusal
from context_memory.domain.language.words import content_words, plain
from context_memory.domain.profile import fold
from context_memory.domain.reading import canonical_bullet
from context_memory.domain.reconcile.changes import is_backed
from context_memory.domain.reconcile.denial import is_denied
from context_memory.domain.reconcile.support import Support

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.reconcile.values import Grounds

_TAKEN_AT_THE_MODELS_WORD = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRules:
    """What the user and the service have laid down.

    Attributes:
        deny_phrases: words that no new fact may hold.
        forgotten: whether a text was forgotten, in these turns or later.
        wishes: what later turns say that ask to forget something, and that were not extracted yet.
        heeded: what code has made of these turns' own wish to forget.
        teaches: whether anything may be learned from these turns; otherwise only their wish to forget holds.
        own_sentences: sentences and canaries of the prompts, folded.
    """

    deny_phrases: tuple[str, ...]
    forgotten: Callable[[str], bool]
    wishes: tuple[Grounds, ...] = ()
    heeded: Heeded = UNHEEDED
    teaches: bool = True
    own_sentences: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Screened:
    """The proposals that may stand, as cleaned; why others may not; and what the last line met, by kind."""

    kept: tuple[Proposal, ...]
    refused: Counter[Refusal]
    secrets: Counter[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """What the evidence says, what later wishes say, and which of the facts that are to be deleted may be."""

    support: Support
    wishes: tuple[tuple[str, Support], ...]
    withdrawn: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Screening:
    """Checks the proposals of one answer.

    Attributes:
        grounds: what the user said in the turns.
        shown: the facts that the model saw, by the number that it saw.
        facts: all facts, among which words single one out.
    """

    grounds: Grounds
    shown: Mapping[int, Fact]
    facts: tuple[Fact, ...]
    rules: FactRules

    def screen(self, proposals: Iterable[Proposal]) -> Screened:
        """Keep what may stand."""
        proposed = tuple(proposals)
        support, hosts = Support.of(self.grounds), hygiene.hosts(self.grounds.text)
        heard = _Heard(
            support=support,
            wishes=tuple((wish.text, Support.of(wish)) for wish in self.rules.wishes),
            withdrawn=self._withdrawn(proposed, support),
        )
        kept: list[Proposal] = []
        refused, secrets = Counter[Refusal](), Counter[str]()
        for proposal in proposed:
            cleaned = self._cleaned(proposal, support, hosts) if proposal.operation.brings_text else proposal
            refusal = Refusal.UNREADABLE if cleaned is None else self._refusal(cleaned, heard, secrets)
            if cleaned is None or refusal:
                refused[refusal or Refusal.UNREADABLE] += 1
            else:
                kept.append(cleaned)
        return Screened(kept=tuple(kept), refused=refused, secrets=secrets)

    def _cleaned(self, proposal: Proposal, support: Support, hosts: frozenset[str]) -> Proposal | None:
        text = canonical_bullet(fold(hygiene.clean_bullet(proposal.text, user_hosts=hosts)))
        if text is None or len(text) > LONGEST_TEXT:
            return None
        words = [hygiene.clean_bullet(word, user_hosts=hosts) for word in proposal.keywords]
        return replace(proposal, text=text, keywords=kept_keywords(words, text, support))

    def _refusal(self, proposal: Proposal, heard: _Heard, secrets: Counter[str]) -> Refusal | None:
        target = self.shown.get(proposal.number) if proposal.number is not None else None
        if proposal.operation.names_a_fact and target is None:
            return Refusal.UNKNOWN
        if not (self.rules.teaches or proposal.operation is Operation.DELETE):
            return Refusal.REPLACED
        if not _quotes(proposal.quote, self.grounds.text):
            return Refusal.EVIDENCE
        if proposal.operation is Operation.CONFIRM and target:
            return None if heard.support.backs_new(as_bullet(target.text)) else Refusal.EVIDENCE
        if proposal.operation is Operation.DELETE and target:
            return None if target.id in heard.withdrawn else Refusal.EVIDENCE
        return (
            self._unfit(proposal, secrets)
            or self._unsaid(proposal.text, target, heard.support)
            or self._unwanted(proposal, heard.wishes)
        )

    def _unfit(self, proposal: Proposal, secrets: Counter[str]) -> Refusal | None:
        everything = " ".join((proposal.text, *proposal.keywords))
        if hygiene.is_ours(proposal.text, self.rules.own_sentences):
            return Refusal.OURS
        if hits := last_line.inspect(everything).hits:
            secrets.update(hits)
            return Refusal.LAST_LINE
        return None

    def _unsaid(self, text: str, target: Fact | None, support: Support) -> Refusal | None:
        new = as_bullet(text)
        if target:
            backed = is_backed(new, [as_bullet(target.text)], support)
        else:
            backed = support.backs_new(new) and support.allows_digits(new, frozenset())
        if not backed:
            return Refusal.EVIDENCE
        return None if in_the_users_script(text, self.grounds.text) else Refusal.LANGUAGE

    def _unwanted(self, proposal: Proposal, wishes: tuple[tuple[str, Support], ...]) -> Refusal | None:
        if any(is_denied(said, self.rules.deny_phrases) for said in (proposal.text, *proposal.keywords)):
            return Refusal.DENIED
        known = {*(fact.text for fact in self.facts), proposal.text}
        pointed = any(proposal.text in pointed_at(known, said, support) for said, support in wishes)
        return Refusal.FORGOTTEN if pointed or self.rules.forgotten(proposal.text) else None

    def _withdrawn(self, proposals: tuple[Proposal, ...], support: Support) -> frozenset[str]:
        """Ids of facts that are to be deleted, and may be: the evidence takes them away, whatever they tell of (R3)."""
        named = {one.number for one in proposals if one.operation is Operation.DELETE and one.number is not None}
        targets = [self.shown[number] for number in named if number in self.shown]
        if not self.grounds.forget:
            everything = [as_bullet(fact.text) for fact in self.facts]
            return frozenset(
                fact.id
                for fact in targets
                if any(support.points_at(bullet, everything) for bullet in in_any_section(fact.text))
            )
        heeded = self.rules.heeded
        targets = [fact for fact in targets if fact.id not in heeded.spared]
        pointed = pointed_at((fact.text for fact in self.facts), self.grounds.text, support)
        pointed -= {fact.text for fact in self.facts if fact.id in heeded.spared}
        if not (pointed or heeded.wholly) and len(targets) <= _TAKEN_AT_THE_MODELS_WORD:
            return frozenset(fact.id for fact in targets)
        return frozenset(fact.id for fact in targets if fact.text in pointed)


def _quotes(quote: str, said: str) -> bool:
    """Whether a quote is the user's: word for word, or with at least half of its content words among theirs."""
    if plain(fold(quote)) in plain(fold(said)):
        return True
    quoted = content_words(quote)
    return bool(quoted) and 2 * len(quoted & content_words(said)) >= len(quoted)
