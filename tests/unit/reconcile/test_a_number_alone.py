"""Changes that are but a number, which the user may say without a word of the bullet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.reconcile import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.reconcile import Reconciled

    Reconcile = Callable[..., Reconciled]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Is 34 years old.", "Is 35 years old.", "It's my birthday today, I turned 35!"),
        ("Is 34 years old.", "Is 35 years old.", "I'm thirty-five now"),
        ("Ist 34 Jahre alt.", "Ist 35 Jahre alt.", "Ich bin heute 35 geworden"),
        ("A 34 ans.", "A 35 ans.", "Je viens de fêter mes 35"),
        ("34岁。", "35岁。", "我今天满35了"),
        ("Has 12 direct reports.", "Has 15 direct reports.", "We're 15 now, two more joined us"),
        ("Uses Python 3.11.", "Uses Python 3.13.", "I upgraded to 3.13"),
        ("Wakes up at 6:00.", "Wakes up at 7:00.", "I get up at 7 nowadays"),
        ("Dentist on 2026-06-20.", "Dentist on 2026-06-24.", "They moved it to the 24th"),
        ("Budget: 50000 CHF.", "Budget: 80000 CHF.", "We got 80k approved"),
    ],
)
def test_a_number_that_the_user_said_changes_a_bullet(reconciled: Reconcile, old: str, new: str, said: str) -> None:
    assert reconciled(Bullets(work=(old,)), Bullets(work=(new,)), said).bullets.work == (new,)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Is 34 years old.", "Is 35 years old.", "It's my birthday today!"),
        ("Is 34 years old.", "Is 36 years old.", "I turned 35"),
        ("Has 2 daughters.", "Has 1 daughter.", "Just one thing, please"),
        ("Retires in 2040.", "Retires in 2026.", "Which films came out in 2026?"),
        ("Is 34 years old.", "Was born 35 years before Christ.", "I turned 35"),
        ("Is 34 years old, has 3 cats.", "Is 35 years old, has 4 cats.", "I turned 35"),
    ],
)
def test_another_number_or_more_than_a_number_is_put_back(reconciled: Reconcile, old: str, new: str, said: str) -> None:
    result = reconciled(Bullets(work=(old,)), Bullets(work=(new,)), said)
    assert result.bullets.work == (old,)
    assert result.restored == 1


def test_a_number_of_one_bullet_changes_no_other(reconciled: Reconcile) -> None:
    base = Bullets(work=("Audit on 2026-06-20.", "Dentist on 2026-06-22."))
    candidate = Bullets(work=("Audit on 2026-06-24.", "Dentist on 2026-06-24."))
    result = reconciled(base, candidate, "The audit moved to the 24th")
    assert result.bullets.work == (candidate.work[0], base.work[1])


def test_a_number_of_a_new_bullet_changes_no_other(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Is 34 years old.",))
    candidate = Bullets(identity=("Is 35 years old.",), skills=("Breeds rabbits, 35 of them.",))
    result = reconciled(base, candidate, "I breed rabbits, 35 of them")
    assert result.bullets == candidate.with_section(Section.IDENTITY, base.identity)


def test_a_topic_about_the_change_does_not_take_its_number(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Is 34 years old.",))
    candidate = Bullets(identity=("Is 35 years old.",), topics=("Birthday, turned 35.",))
    assert reconciled(base, candidate, "It's my birthday, I turned 35").bullets == candidate


def test_a_number_against_a_pinned_bullet_is_a_conflict(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Is 34 years old.",))
    rules = Rules(pinned=frozenset({pin_of(Section.IDENTITY, "Is 34 years old.")}))
    result = reconciled(base, Bullets(identity=("Is 35 years old.",)), "I turned 35", rules=rules)
    assert result.bullets == base
    assert result.pinned_conflict


def test_a_late_number_changes_nothing(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Is 35 years old.",))
    assert reconciled(base, Bullets(identity=("Is 34 years old.",)), "I turned 34", late=True).bullets == base
