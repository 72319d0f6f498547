"""True facts that share no plain word with what the user said, each beside one that nobody said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.profile import Bullets

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.reconcile import Reconciled

    Reconcile = Callable[..., Reconciled]


@pytest.mark.parametrize(
    ("said", "bullet"),
    [
        ("I'm 34 btw", "Is 34 years old."),
        ("thirty-four, since you ask", "Is 34 years old."),
        ("I'm from the US", "From the United States."),
        ("i'm from the us", "From the US."),
        ("I'm from the U.S.", "American origin: USA."),
        ("Ich komme aus den USA", "Stammt aus den Vereinigten Staaten."),
        ("I moved to NYC", "Lives in New York."),
        ("I work in IT", "Is in IT."),
        ("My desk is in HR", "Member of HR."),
    ],
)
def test_a_new_bullet_is_backed_by_a_number_or_a_short_name(reconciled: Reconcile, said: str, bullet: str) -> None:
    assert reconciled(Bullets(), Bullets(identity=(bullet,)), said).bullets.identity == (bullet,)


@pytest.mark.parametrize(
    ("said", "bullet"),
    [
        ("I have 3 questions", "Is 34 years old."),
        ("Is one of them free?", "Has 1 sister."),
        ("What are the tax rates of 2026?", "Retires in 2026."),
        ("Tell us how it works", "From the United States."),
        ("TELL US HOW IT WORKS", "From the United States."),
        ("Is it late?", "Is in IT."),
        ("The 34 rows are sorted", "Has 34 dogs and 12 cats."),
    ],
)
def test_a_new_bullet_is_not_backed_by_what_only_looks_like_it(reconciled: Reconcile, said: str, bullet: str) -> None:
    assert reconciled(Bullets(), Bullets(identity=(bullet,)), said).bullets.blank


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Weekly team meeting at 10:00.", "Weekly team meeting at 15:00.", "our weekly team meeting moved to 3pm"),
        ("Weekly team meeting at 10:00.", "Weekly team meeting at 3 pm.", "the team meeting is at 15:00 now"),
        ("Teamsitzung um 10:00.", "Teamsitzung um 15:30.", "die Teamsitzung ist neu um 15.30 Uhr"),
        ("Programs in Python.", "Programs in Python, 20 years of it.", "I've programmed in Python for twenty years"),
        ("Programs in Python.", "Programs in Python since 2001.", "I've programmed in Python for twenty-five years"),
        ("Programmiert in Python.", "Programmiert seit 20 Jahren in Python.", "ich mache seit zwanzig Jahren Python"),
        ("团队有5人。", "团队有15人。", "我们团队现在有十五个人了"),
        ("Project budget: 50000 CHF.", "Project budget: 75000 CHF.", "the project's budget was raised to 75k"),
        ("Project budget: 50000 CHF.", "Project budget: 75k CHF.", "the project's budget was raised to 75'000"),
        ("Project budget: 300000.", "Project budget: 500000.", "project budget is now half a million euros"),
        ("Projektbudget: 300000.", "Projektbudget: 1500000.", "das Projektbudget liegt jetzt bei 1,5 Mio"),
        ("Project budget: 300000.", "Project budget: 2000000.", "project budget is 2 million now"),
        ("Möchte gesiezt werden.", "Möchte geduzt werden.", "Du kannst mich duzen"),
    ],
)
def test_a_changed_number_stands_however_it_was_said(reconciled: Reconcile, old: str, new: str, said: str) -> None:
    assert reconciled(Bullets(work=(old,)), Bullets(work=(new,)), said).bullets.work == (new,)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Weekly team meeting at 10:00.", "Weekly team meeting at 16:00.", "our weekly team meeting moved to 3pm"),
        ("Weekly team meeting at 10:00.", "Weekly team meeting at 15:00.", "our weekly team meeting moved to 3am"),
        ("Project budget: 50000 CHF.", "Project budget: 750000 CHF.", "the project's budget was raised to 75k"),
        ("Programs in Python.", "Programs in Python, 25 years of it.", "I've programmed in Python for twenty years"),
        ("团队有5人。", "团队有50人。", "我们团队现在有十五个人了"),
    ],
)
def test_another_number_than_was_said_is_put_back(reconciled: Reconcile, old: str, new: str, said: str) -> None:
    assert reconciled(Bullets(work=(old,)), Bullets(work=(new,)), said).bullets.work == (old,)
