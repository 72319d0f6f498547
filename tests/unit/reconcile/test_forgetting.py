from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.reconcile import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.reconcile import Reconciled

    Reconcile = Callable[..., Reconciled]

NORA = Bullets(
    identity=("Nora has a daughter at school.", "Lives in Lyon."),
    skills=("Plays the cello.", "Teaches the cello.", "Repairs the cello.", "Sails."),
    topics=("2026-06-01 09:00 UTC: Strings for the cello.", "2026-06-02 09:00 UTC: Rotas."),
)


@pytest.mark.parametrize(
    "said", ["Forget everything you know about me.", "Bitte vergiss alles, was du weißt", "Oublie tout", "忘记一切"]
)
def test_forget_everything_empties_all_but_the_pins(reconciled: Reconcile, said: str) -> None:
    rules = Rules(pinned=frozenset({pin_of(Section.IDENTITY, "Lives in Lyon.")}))
    result = reconciled(NORA, Bullets(), said, forget=True, rules=rules)
    assert result.bullets == Bullets(identity=("Lives in Lyon.",))
    assert not result.wiped
    assert not result.pinned_conflict
    assert set(result.forgotten) == {text for _, text in NORA.items()} - {"Lives in Lyon."}


def test_a_model_that_leaves_the_pins_forgets_everything_else_as_well(reconciled: Reconcile) -> None:
    rules = Rules(pinned=frozenset({pin_of(Section.IDENTITY, "Lives in Lyon.")}))
    pins = Bullets(identity=("Lives in Lyon.",))
    assert reconciled(NORA, pins, "Forget all of it", forget=True, rules=rules).bullets == pins


def test_an_empty_body_is_refused_when_the_user_named_some_bullets_only(reconciled: Reconcile) -> None:
    result = reconciled(NORA, Bullets(), "Forget the cello", forget=True)
    assert result.wiped
    assert result.bullets == NORA


def test_an_empty_body_stands_when_the_user_named_every_bullet(reconciled: Reconcile) -> None:
    result = reconciled(Bullets(skills=("Sails.",)), Bullets(), "Forget that I sail", forget=True)
    assert result.bullets.blank
    assert result.forgotten == ("Sails.",)


def test_bullets_that_the_user_named_go_however_many_and_topics_about_them_too(reconciled: Reconcile) -> None:
    candidate = NORA.with_section(Section.SKILLS, ("Sails.",))
    result = reconciled(NORA, candidate, "Please forget the cello", forget=True)
    assert result.bullets.skills == ("Sails.",)
    assert result.bullets.topics == ("2026-06-02 09:00 UTC: Rotas.",)
    assert set(result.forgotten) == {*NORA.skills[:3], NORA.topics[0]}


def test_the_turn_leaves_no_topic_about_what_it_forgot(reconciled: Reconcile) -> None:
    candidate = NORA.with_section(Section.SKILLS, ("Sails.",)).with_section(
        Section.TOPICS, (*NORA.topics, "2026-06-17 11:40 UTC: Asked to forget the cello.")
    )
    assert reconciled(NORA, candidate, "Please forget the cello", forget=True).bullets.topics == (NORA.topics[1],)


def test_bullets_that_the_user_did_not_name_are_put_back(reconciled: Reconcile) -> None:
    candidate = Bullets(identity=("Lives in Lyon.",))
    result = reconciled(NORA, candidate, "Forget my daughter", forget=True)
    assert result.bullets == NORA.with_section(Section.IDENTITY, ("Lives in Lyon.",))
    assert result.forgotten == ("Nora has a daughter at school.",)


def test_a_bullet_named_in_other_words_goes_at_the_models_word(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Vegetarian.", "Lives in Lyon."))
    result = reconciled(base, Bullets(identity=("Lives in Lyon.",)), "Forget my diet", forget=True)
    assert result.bullets == Bullets(identity=("Lives in Lyon.",))
    assert result.forgotten == ("Vegetarian.",)


def test_part_of_a_bullet_may_be_forgotten(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Lives in Lyon with a daughter.",))
    result = reconciled(base, Bullets(identity=("Lives in Lyon.",)), "Forget my daughter", forget=True)
    assert result.bullets.identity == ("Lives in Lyon.",)
    assert result.forgotten == base.identity


def test_a_pinned_bullet_is_not_forgotten_and_the_conflict_is_told(reconciled: Reconcile) -> None:
    rules = Rules(pinned=frozenset({pin_of(Section.IDENTITY, "Lives in Lyon.")}))
    candidate = NORA.with_section(Section.IDENTITY, NORA.identity[:1])
    result = reconciled(NORA, candidate, "Forget Lyon", forget=True, rules=rules)
    assert result.bullets == NORA
    assert result.pinned_conflict
    assert result.forgotten == ()


def test_without_a_request_nothing_counts_as_forgotten(reconciled: Reconcile) -> None:
    candidate = NORA.with_section(Section.IDENTITY, NORA.identity[:1])
    result = reconciled(NORA, candidate, "I left Lyon")
    assert result.bullets == candidate
    assert result.forgotten == ()
