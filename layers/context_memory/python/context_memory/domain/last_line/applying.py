"""After the scrub: drop new bullets that hold a certain secret, mask it in old ones."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.last_line.redaction import MASK, inspect
from context_memory.domain.pairing import Pairing, facts, pair
from context_memory.domain.profile import Bullets, Section
from context_memory.domain.reading import canonical_bullet
from context_memory.domain.reconcile.losses import successors

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from context_memory.domain.pairing import Fact


@dataclass(frozen=True, slots=True)
class LastLine:
    """The body that may be stored, and how often each kind was hit (never what)."""

    bullets: Bullets
    hits: Mapping[str, int]


def apply(
    base: Bullets, new: Bullets, *, allow_kinds: Collection[str] = frozenset(), forgotten: Collection[str] = ()
) -> LastLine:
    """Keep certain secrets out of a body.

    A hit in a new or changed bullet drops it and brings back the bullet it replaced; in an old bullet (one brought back
    included) the number alone is masked. Pins are no exception.

    Args:
        base: the body as it is stored.
        new: the body that would be stored.
        allow_kinds: names of `DETECTORS` that are not to be run.
        forgotten: texts of bullets that went because the user asked, and that must not be brought back.
    """
    before, after = facts(base), facts(new)
    old_keys = {fact.key for fact in before}
    findings = {fact: inspect(fact.text, allow_kinds) for fact in after}
    dropped = [fact for fact in after if findings[fact].hits and fact.key not in old_keys]
    brought_back = _replaced(before, after, dropped, forgotten)
    findings |= {old: inspect(old.text, allow_kinds) for olds in brought_back.values() for old in olds}

    body: dict[Section, list[str]] = {section: [] for section in Section}
    for fact in after:
        for standing in brought_back.get(fact, (fact,)):
            body[standing.section].append(canonical_bullet(findings[standing].masked) or MASK)
    hits = sum((finding.hits for finding in findings.values()), Counter[str]())
    return LastLine(Bullets.of(body), dict(hits))


def _replaced(
    before: Sequence[Fact], after: Sequence[Fact], dropped: Sequence[Fact], forgotten: Collection[str]
) -> dict[Fact, list[Fact]]:
    """For each dropped bullet the old ones it stood for, as reconciling pairs them."""
    pairing: Pairing = pair(before, after)
    gone = [old for old in before if old not in pairing.partner and old.text not in forgotten]
    instead = {new: old for old, new in successors(gone, (new for new in dropped if new in pairing.unpaired)).items()}
    replaced: dict[Fact, list[Fact]] = {}
    for new in dropped:
        olds = [old for old, partner in pairing.partner.items() if partner == new and old.text not in forgotten]
        replaced[new] = olds or ([instead[new]] if new in instead else [])
    return replaced
