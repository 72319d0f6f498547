"""The rules in their order: screen, pair, judge changes, explain losses, add what is new, forget what was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.pairing import facts, key_of, pair
from context_memory.domain.profile import Bullets, Section
from context_memory.domain.reconcile import forgetting
from context_memory.domain.reconcile.assembling import assemble
from context_memory.domain.reconcile.case import Case
from context_memory.domain.reconcile.everything import asks_for_everything
from context_memory.domain.reconcile.losses import all_over, explain
from context_memory.domain.reconcile.screening import Screened, filled_from, screen
from context_memory.domain.reconcile.values import Grounds, Reconciled, Rules
from context_memory.domain.reconcile.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.domain.pairing import Fact
    from context_memory.domain.replies.candidate import Candidate

_ASKS_AGAIN_FROM = 4
_EMPTIED = (
    "Your answer empties a profile that holds bullets, and the user did not ask for that: "
    "give the complete body and keep every bullet that the user did not change or withdraw."
)
_MISSING = (
    "{missing} of {total} bullets are missing from your answer, and nothing the user said explains it: "
    "give the complete body and keep every bullet that the user did not change or withdraw."
)


def reconcile(
    base: Bullets, candidate: Candidate, grounds: Grounds, rules: Rules, *, additions_only: bool = False
) -> Reconciled:
    """Decide what of a model's body stands on top of the profile it was made from.

    Args:
        base: the profile as it is.
        candidate: the body that the model answered with.
        grounds: what the user said.
        rules: pins, deny rules, what was forgotten, our own sentences.
        additions_only: after `ask_again`: take over new bullets that the evidence backs, and nothing else.
    """
    case = Case.of(base, grounds, rules, additions_only=additions_only)
    if case.may_forget and _leaves_pins_only(candidate, case) and _asks_for_all(case, grounds.text):
        return _forget_all(case)
    emptied = candidate.bullets.blank and candidate.filled == frozenset(Section) and not base.blank
    if emptied and not all_over(case):
        return Reconciled(base, wiped=True, ask_again=_EMPTIED, partial=additions_only)
    screened = screen(case.base, filled_from(base, candidate), grounds.text, rules)
    return _decide(case, screened, additions_only=additions_only)


def _decide(case: Case, screened: Screened, *, additions_only: bool) -> Reconciled:
    disguised = forgetting.disguised(case.base, screened.facts, case.support) if case.may_forget else frozenset()
    pairing = pair(case.base, [new for new in screened.facts if new not in disguised])
    backed = [new for new in pairing.unpaired if case.support.backs_new(new)]
    verdicts = judge(case, pairing, backed)
    proposed = sorted((*backed, *verdicts.pieces, *verdicts.beside), key=lambda new: new.position)
    additions = _not_said_yet(proposed, verdicts.standing.values())
    losses = explain(case, pairing, additions)

    standing = {**verdicts.standing, **{old: old for old in (*losses.unexplained, *losses.kept_pins)}}
    additions = _not_said_yet((new for new in additions if new not in losses.contradicting), standing.values())
    trimmed = forgetting.trimmed(standing, case.support) if case.may_forget else {}
    asked = (*losses.forgotten, *trimmed.values())
    unpinned = (fact for fact in (*standing.values(), *additions) if fact not in case.pins)
    echoes = forgetting.left_behind(unpinned, asked, case.support)
    echoing = [old for old, stands in standing.items() if stands in echoes]

    bullets = assemble(
        case.base,
        {old: stands for old, stands in standing.items() if stands not in echoes},
        [new for new in additions if new not in echoes],
    )
    lost = len(losses.unexplained)
    too_much = lost >= _ASKS_AGAIN_FROM and 2 * lost > len(case.base) and not additions_only
    return Reconciled(
        bullets=bullets,
        restored=lost + len(verdicts.refused),
        dropped=screened.dropped + _left_out(case, screened, bullets),
        pinned_conflict=verdicts.pinned_conflict or bool(losses.kept_pins),
        ask_again=_MISSING.format(missing=lost, total=len(case.base)) if too_much else None,
        forgotten=tuple(dict.fromkeys(fact.text for fact in (*asked, *echoing))),
        partial=additions_only,
    )


def _leaves_pins_only(candidate: Candidate, case: Case) -> bool:
    """Whether the candidate has all six sections and in them nothing, or nothing but pinned bullets."""
    pinned = {fact.key for fact in case.pins}
    return candidate.filled == frozenset(Section) and all(
        key_of(text) in pinned for _, text in candidate.bullets.items()
    )


def _asks_for_all(case: Case, said: str) -> bool:
    return asks_for_everything(said) or forgetting.asks_for_all(case.unpinned, case.support)


def _forget_all(case: Case) -> Reconciled:
    """Everything goes but the pins, which is what was asked for and no conflict, unless there was nothing else."""
    pins = [fact for fact in case.base if fact in case.pins]
    return Reconciled(
        bullets=assemble(case.base, {fact: fact for fact in pins}, ()),
        pinned_conflict=bool(pins) and not case.unpinned,
        forgotten=tuple(dict.fromkeys(fact.text for fact in case.unpinned)),
    )


def _not_said_yet(proposed: Iterable[Fact], standing: Iterable[Fact]) -> list[Fact]:
    """The new bullets without those that repeat one: the same text anywhere, or all its words in the same section."""
    known = list(standing)
    additions: list[Fact] = []
    for new in proposed:
        repeated = any(
            new.key == other.key or (new.section is other.section and other.holds(new))
            for other in (*known, *additions)
        )
        if not repeated:
            additions.append(new)
    return additions


def _left_out(case: Case, screened: Screened, bullets: Bullets) -> int:
    """How many of the model's own bullets do not stand."""
    known = {fact.key for fact in (*case.base, *facts(bullets))}
    return sum(fact.key not in known for fact in screened.facts)
