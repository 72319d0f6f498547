"""What the rules say of every pair of old and new bullets (R1, R2, R5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.profile import Section
from context_memory.domain.reconcile import changes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from context_memory.domain.pairing import Fact, Pairing
    from context_memory.domain.reconcile.case import Case
    from context_memory.domain.reconcile.support import Support


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What stands for each old bullet that has a partner.

    Attributes:
        standing: old → itself, or the new bullet it became.
        pieces: new bullets without evidence of their own that are parts of an old one which changed with evidence.
        beside: new bullets that the evidence backs and that may stand only beside the old ones.
        refused: old bullets whose change does not stand.
        pinned_conflict: the evidence backs the change of a pinned bullet.
    """

    standing: Mapping[Fact, Fact]
    pieces: tuple[Fact, ...]
    beside: tuple[Fact, ...]
    refused: tuple[Fact, ...]
    pinned_conflict: bool


def judge(case: Case, pairing: Pairing, added: Sequence[Fact]) -> Verdicts:
    """Decide about every paired bullet; `added` are those new bullets that R6 takes."""
    unbacked = [new for new in pairing.unpaired if new not in added]
    told = frozenset[str]().union(*(new.words for new in added))
    standing: dict[Fact, Fact] = {}
    pieces: list[Fact] = []
    beside: list[Fact] = []
    refused: list[Fact] = []
    conflict = False
    successors = _by_successor(pairing)
    taken = _numbers_taken(added, successors, case.support)
    for new, olds in successors.items():
        equals = [old for old in olds if old.key == new.key]
        if equals:
            standing |= _unchanged(new, olds, equals[0], case)
            continue
        free = [old for old in olds if old not in case.pins]
        backed = changes.is_backed(new, olds, case.support) or changes.is_backed_by_number(
            new, olds, taken, case.support
        )
        conflict |= backed and len(free) < len(olds)
        parts = [piece for piece in unbacked if any(old.holds(piece) for old in free)]
        # Without evidence a bullet that falls into pieces stays whole: R6 would keep only one of them.
        changed: list[Fact] = []
        if case.may_overwrite and changes.shortens(new, free) and not parts:
            changed = free
        elif case.may_overwrite and backed:
            elsewhere = told.union(*(part.words for part in parts))
            changed = [
                old for old in free if case.may_forget or changes.keeps_enough(old, new, elsewhere, case.support)
            ]
        standing |= {old: old for old in olds}
        standing |= dict.fromkeys(changed, _placed(new, free, case.support)) if changed else {}
        pieces += parts if changed else []
        refused += (old for old in free if old not in changed)
        if free and backed and not changed and _stands_beside(new, free, case):
            beside.append(new)
    return Verdicts(standing, tuple(pieces), tuple(beside), tuple(refused), conflict)


def _stands_beside(new: Fact, olds: Sequence[Fact], case: Case) -> bool:
    """Whether nothing may be lost, neither the old bullets nor what the new one brings."""
    decide = changes.brings_more if case.may_overwrite else changes.may_stand_beside
    return decide(new, olds, case.support)


def _numbers_taken(
    added: Sequence[Fact], successors: Mapping[Fact, Sequence[Fact]], support: Support
) -> frozenset[str]:
    """Numbers of the bullets that the evidence names in words; a topic only repeats what another bullet says."""
    named = [new for new in added if support.names(new)]
    named += [new for new, olds in successors.items() if changes.is_backed(new, olds, support)]
    return frozenset[str]().union(*(new.digits for new in named if new.section is not Section.TOPICS))


def _by_successor(pairing: Pairing) -> dict[Fact, list[Fact]]:
    grouped: dict[Fact, list[Fact]] = {}
    for old, new in pairing.partner.items():
        grouped.setdefault(new, []).append(old)
    return grouped


def _unchanged(new: Fact, olds: Sequence[Fact], equal: Fact, case: Case) -> dict[Fact, Fact]:
    """The equal bullet stands as the base has it; what else was merged into it goes, unless changes are put back."""
    free_to_move = case.may_overwrite and equal not in case.pins and new.section is not equal.section
    moves = free_to_move and changes.may_move(equal, new.section, case.support)
    stands = replace(equal, section=new.section) if moves else equal
    stays = (old for old in olds if old is not equal and (old in case.pins or not case.may_overwrite))
    return {**dict.fromkeys(olds, stands), **{old: old for old in stays}}


def _placed(new: Fact, olds: Sequence[Fact], support: Support) -> Fact:
    """The changed bullet in the section the model gave it, or in its old one where it may not move."""
    sections = {old.section for old in olds}
    if new.section in sections or changes.may_move(new, new.section, support):
        return new
    return replace(new, section=olds[0].section)
