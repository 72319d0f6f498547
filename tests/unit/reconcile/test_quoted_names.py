"""Titles made of words that otherwise say nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.language.quotes import quoted_words
from context_memory.domain.profile import Bullets

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.reconcile import Reconciled

    Reconcile = Callable[..., Reconciled]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('I read "To Live" and “New Work”', {"live", "new", "work"}),
        ("Liest „Gut“, «Vivo» und 'Things'", {"gut", "vivo", "thing"}),
        ("在读《活着》", {"活着"}),
        ('What does "work" mean?', set()),
        ("Anna's dog isn't Bob's", set()),
        ("Live without quotation marks", set()),
        ('A single " Live', set()),
    ],
)
def test_words_of_quoted_titles_are_found(text: str, words: set[str]) -> None:
    assert quoted_words(text) == words


@pytest.mark.parametrize("title", ['"To Live"', "“To Live”", "To Live"])
def test_a_title_of_faint_words_is_not_lost(reconciled: Reconcile, title: str) -> None:
    base = Bullets(identity=("Is reading some military history books.",))
    new = f"Is reading {title}."
    said = 'I am reading a book called "To Live" recently'
    assert new in reconciled(base, Bullets(identity=(new,)), said).bullets.identity


def test_a_title_of_faint_words_is_ground_enough_for_a_new_bullet(reconciled: Reconcile) -> None:
    candidate = Bullets(identity=('Favourite film: "Living".',))
    assert reconciled(Bullets(), candidate, 'Best ever: "Living"').bullets == candidate


def test_a_faint_word_in_a_title_makes_no_pair_with_the_same_word_outside(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Lives alone.",))
    candidate = Bullets(identity=("Lives alone.",), skills=('Translates "To Live".',))
    assert reconciled(base, candidate, 'I translate "To Live"').bullets == candidate


def test_a_faint_word_that_is_quoted_in_a_question_backs_nothing(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Works as a nurse.",))
    candidate = Bullets(identity=("Works as a doctor.",))
    assert reconciled(base, candidate, 'What does "work" mean?').bullets == base
