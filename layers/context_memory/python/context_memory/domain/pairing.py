"""R1: which bullet of one body is which bullet of another.

Equal bullets (case and white space folded) belong together, across sections too. The rest belong together when they
share at least half of the content words of the one that has fewer; the more they share the sooner they are matched.
Skills and follow-ups stand beside each other: where such a pair shares faint words only ("Uses SQL", "Uses Excel"), the
new one must stand in the old one's place as well, or it is one more.
Several old bullets may end in one new bullet: that is a merge, and only if each holds on to more than half of its own
words in it, or to all of them where the new one is nothing but another old bullet.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from context_memory.domain.language import stamps, words
from context_memory.domain.language.quotes import quoted_words
from context_memory.domain.profile import Section, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from context_memory.domain.profile import Bullets


@dataclass(frozen=True, slots=True)
class Fact:
    """One bullet with what the rules compare: its folded key, content words, groups of digits, words of quoted names.

    The stamp of a topic is no part of what it says.
    """

    section: Section
    position: int
    text: str
    key: str = field(repr=False)
    words: frozenset[str] = field(repr=False)
    digits: frozenset[str] = field(repr=False)
    named: frozenset[str] = field(repr=False)

    @classmethod
    def of(cls, section: Section, position: int, text: str, named: frozenset[str] = frozenset()) -> Fact:
        """Read one bullet; `named` are words of names that were quoted elsewhere."""
        said = stamps.split(text)[1] if section is Section.TOPICS else text
        return cls(
            section,
            position,
            text,
            key_of(text),
            words.content_words(said),
            words.digit_groups(said),
            named | quoted_words(said),
        )

    @property
    def evident(self) -> frozenset[str]:
        """The content words that are evidence: without faint ones, unless a quoted name holds them."""
        return words.without_faint(self.words) | (self.words & self.named)

    @property
    def telling(self) -> frozenset[str]:
        """The same; where a bullet says nothing else, the faint words have to do."""
        return self.evident or self.words

    def holds(self, other: Fact) -> bool:
        """Whether all that `other` says in words and numbers is said here as well."""
        return bool(other.words) and other.words <= self.words and other.digits <= self.digits


STAND_BESIDE_EACH_OTHER = frozenset({Section.SKILLS, Section.FOLLOW_UPS})


def key_of(text: str) -> str:
    """What two bullets must share to be equal: their text, case and white space folded."""
    return fold(text).casefold()


def facts(bullets: Bullets, named: frozenset[str] = frozenset()) -> tuple[Fact, ...]:
    """Every bullet of a body, in order; `named` are words of names that were quoted elsewhere."""
    return tuple(
        Fact.of(section, position, text, named)
        for section, texts in bullets.sections()
        for position, text in enumerate(texts)
    )


@dataclass(frozen=True, slots=True)
class Pairing:
    """What became of each old bullet: its partner among the new ones; absent when it vanished."""

    partner: Mapping[Fact, Fact]
    unpaired: tuple[Fact, ...]

    def equal(self, old: Fact) -> bool:
        """Whether `old` stands again as it was."""
        return old in self.partner and self.partner[old].key == old.key


def in_place(partner: Mapping[Fact, Fact], lost: Fact, new: Fact) -> bool:
    """Whether `new` stands before all that stood behind `lost` in its section; what is appended stands behind."""
    return all(
        new.position < now.position
        for before, now in partner.items()
        if before.section is now.section is lost.section and before.position > lost.position
    )


def pair(old: Sequence[Fact], new: Sequence[Fact]) -> Pairing:
    """Match old bullets with new ones."""
    partner = _equal(old, new)
    untouched = frozenset(partner.values())
    # A text that the new body holds twice is one bullet: it takes one old bullet's place, not two.
    once = {fact.key: fact for fact in reversed(new)}
    fresh = [n for n in new if once[n.key] is n and all(n.key != other.key for other in untouched)]
    for before, after in _by_likeness((o for o in old if o not in partner), fresh, dict(partner)):
        if before not in partner and after not in partner.values():
            partner[before] = after
    taken = frozenset(partner.values())
    for before, after in _by_likeness((o for o in old if o not in partner), taken, dict(partner)):
        if before not in partner and _merges(before, after, whole=after in untouched):
            partner[before] = after
    return Pairing(partner, tuple(n for n in new if n not in taken))


def _equal(old: Sequence[Fact], new: Sequence[Fact]) -> dict[Fact, Fact]:
    """Bullets of one text, those of the same section first; a text that stood twice may stand once."""
    partner: dict[Fact, Fact] = {}
    for same_section in (True, False):
        for before in old:
            taken = frozenset(partner.values())
            if before not in partner:
                matches = (n for n in new if n.key == before.key and n not in taken)
                match = next((n for n in matches if not same_section or n.section is before.section), None)
                if match:
                    partner[before] = match
    for before in old:
        if before not in partner:
            match = next((n for n in new if n.key == before.key), None)
            if match:
                partner[before] = match
    return partner


def _by_likeness(old: Iterable[Fact], new: Iterable[Fact], partner: Mapping[Fact, Fact]) -> Iterator[tuple[Fact, Fact]]:
    """Pairs that share enough, the likest first; what only faint words share must share the section as well."""
    fresh = sorted(new, key=lambda fact: (list(Section).index(fact.section), fact.position))
    likely: list[tuple[bool, float, bool, int, Fact, Fact]] = []
    for before in old:
        for after in fresh:
            shared = before.words & after.words
            if not shared or 2 * len(shared) < min(len(before.words), len(after.words)):
                continue
            evident = not before.evident.isdisjoint(after.evident)
            if evident or _same_matter(before, after, partner):
                likeness = len(shared) / len(before.words | after.words)
                likely.append((not evident, -likeness, before.section is not after.section, len(likely), before, after))
    return ((before, after) for *_, before, after in sorted(likely, key=lambda entry: entry[:4]))


def _same_matter(before: Fact, after: Fact, partner: Mapping[Fact, Fact]) -> bool:
    """Whether two bullets that share faint words only are about the same: in the same section, or in the same place."""
    if before.section is not after.section:
        return False
    return before.section not in STAND_BESIDE_EACH_OTHER or in_place(partner, before, after)


def _merges(before: Fact, after: Fact, *, whole: bool) -> bool:
    return after.holds(before) if whole else 2 * len(before.words & after.words) > len(before.words)
