"""What may go and what stays, hostile and innocent turns side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.reconcile import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.reconcile import Reconciled

    Reconcile = Callable[..., Reconciled]

ANALYST = "Works as a credit risk analyst at UBS, based in Zurich (CET)."


# Changes


@pytest.mark.parametrize("hollow", ["Based in Basel.", "Lives in Basel.", "Is in Basel since March."])
def test_a_hollow_successor_stands_beside_what_it_would_have_swallowed(reconciled: Reconcile, hollow: str) -> None:
    result = reconciled(
        Bullets(identity=(ANALYST,)), Bullets(identity=(hollow,)), "I moved to Basel in March, still at UBS"
    )
    assert result.bullets.identity == (ANALYST, hollow)
    assert result.restored == 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (ANALYST, "Works as a credit risk analyst at UBS, based in Basel (CET).", "I moved to Basel last week"),
        ("Works at UBS as an analyst.", "Works at Novartis as a data scientist.", "I left UBS for Novartis, data now"),
        ("Wohnt in Zürich.", "Wohnt in Bern.", "Bin nach Bern gezogen"),
        ("住在上海,做会计。", "住在北京,做会计。", "我上个月搬到北京了"),
        ("Vegetarian.", "Eats meat again.", "I eat meat again"),
        (
            "Works as a senior engineer at Swisscom in Bern, leads a team of five.",
            "Works as a consultant at Zühlke in Zurich.",
            "I started as a consultant at Zühlke in Zurich",
        ),
    ],
)
def test_a_reversal_takes_the_old_bullets_place(reconciled: Reconcile, old: str, new: str, said: str) -> None:
    assert reconciled(Bullets(identity=(old,)), Bullets(identity=(new,)), said).bullets.identity == (new,)


def test_what_lives_on_in_another_new_bullet_is_not_lost(reconciled: Reconcile) -> None:
    base = Bullets(identity=(ANALYST,))
    split = Bullets(identity=("Based in Basel.", "Credit risk analyst at UBS."))
    assert set(reconciled(base, split, "I moved to Basel, still an analyst at UBS").bullets.identity) == set(
        split.identity
    )


def test_a_wish_to_forget_may_hollow_a_bullet_out(reconciled: Reconcile) -> None:
    base = Bullets(identity=(ANALYST,))
    shorter = Bullets(identity=("Based in Zurich.",))
    result = reconciled(base, shorter, "Forget my role as a credit risk analyst at UBS", forget=True)
    assert result.bullets == shorter
    assert result.forgotten == (ANALYST,)


# Losses


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        (Bullets(skills=("Uses Python daily.",)), "Can you rewrite this python function? Also I'm learning Rust now"),
        (Bullets(skills=("Knows Kafka.",)), "How do I tune kafka? I'm learning Rust."),
        (Bullets(work=("Leads the billing migration project until 2026-09.",)), "A migration of the blog, in Rust"),
        (Bullets(work=("Maintains the data pipeline.",)), "My pipeline does not start, it is in Rust"),
        (Bullets(work=("Maintains the data pipeline.",)), "The pipeline stopped at noon, I learn Rust meanwhile"),
        (Bullets(work=("Rolls out a new scanner.",)), "We sold 300 units of the scanner, and I learn Rust"),
        (Bullets(work=("Leads the billing migration project.",)), "I sent the billing invoice. Now Rust"),
        (Bullets(skills=("Knows Kafka.",)), "No, Kafka is fine, but I am learning Rust"),
        (Bullets(work=("Maintains the data pipeline.",)), "Have you stopped the pipeline? It is in Rust."),
    ],
)
def test_a_word_that_is_shared_by_chance_takes_no_bullet_away(reconciled: Reconcile, lost: Bullets, said: str) -> None:
    candidate = Bullets(identity=("Learning Rust.",))
    result = reconciled(lost, candidate, said)
    assert result.bullets == lost.with_section(Section.IDENTITY, candidate.identity)


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        (Bullets(skills=("Uses Python daily.",)), "I no longer use Python, it is all Rust"),
        (Bullets(work=("Leads the billing migration project.",)), "The migration is done, on to Rust"),
        (Bullets(work=("Leads the billing migration project.",)), "We put the billing migration on ice, Rust instead"),
        (Bullets(work=("Leitet die Migration der Rechnungen.",)), "Die Migration habe ich abgeschlossen, nun Rust"),
        (Bullets(identity=("Vegetarian.",)), "I am not a vegetarian, and learning Rust"),
        (Bullets(follow_ups=("Send the tax forms by 2027-03-31.",)), "Taxes are done, sent all. Now Rust"),
    ],
)
def test_what_the_user_says_has_ended_goes(reconciled: Reconcile, lost: Bullets, said: str) -> None:
    candidate = Bullets(communication=("Learning Rust.",))
    assert reconciled(lost, candidate, said).bullets == candidate


# Six placeholders


@pytest.mark.parametrize(
    ("base", "said"),
    [
        (Bullets(identity=("Smoker.",)), "I quit smoking last year"),
        (Bullets(follow_ups=("Send the tax forms by 2027-03-31.",)), "Taxes are done, sent everything yesterday"),
        (Bullets(follow_ups=("Call the landlord by 2027-03-31.",)), "I phoned him this morning, done"),
        (Bullets(identity=("住在里昂。",)), "我已经离开里昂了"),
    ],
)
def test_the_last_bullet_may_go_when_the_user_says_that_it_has_ended(
    reconciled: Reconcile, base: Bullets, said: str
) -> None:
    result = reconciled(base, Bullets(), said)
    assert result.bullets.blank
    assert not result.wiped


@pytest.mark.parametrize(
    "said", ["I quit smoking last year", "Smoker and sailor, that's me", "Did I quit smoking and sailing?"]
)
def test_an_emptied_profile_is_refused_unless_every_bullet_has_ended(reconciled: Reconcile, said: str) -> None:
    base = Bullets(identity=("Smoker.",), skills=("Sails.",))
    result = reconciled(base, Bullets(), said)
    assert result.wiped
    assert result.bullets == base


def test_a_late_turn_never_empties_a_profile(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Smoker.",))
    assert reconciled(base, Bullets(), "I quit smoking", late=True).wiped


def test_a_pinned_bullet_that_has_ended_stays_and_the_conflict_is_told(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Smoker.",), skills=("Sails.",))
    rules = Rules(pinned=frozenset({pin_of(Section.IDENTITY, "Smoker.")}))
    result = reconciled(base, Bullets(), "I quit smoking and stopped sailing", rules=rules)
    assert result.bullets == Bullets(identity=("Smoker.",))
    assert result.pinned_conflict


# Forgetting everything

KNOWN = Bullets(identity=("Lives in Basel.",), communication=("Prefers short answers.",), skills=("Sails.",))


@pytest.mark.parametrize(
    "said",
    [
        "forget everything about me, no answers stored please",
        "Forget all you know. My answers are mine.",
        "Lösche bitte alles, was du über mich weißt, auch Basel",
        "Oublie tout ce que tu sais, aussi Basel",
        "Olvida todo. Basel también.",
        "请忘记关于我的一切,包括Basel",
        "全部忘れてください。Basel も",
    ],
)
def test_everything_is_everything_whatever_else_is_named(reconciled: Reconcile, said: str) -> None:
    result = reconciled(KNOWN, Bullets(), said, forget=True)
    assert result.bullets.blank
    assert len(result.forgotten) == len(list(KNOWN.items()))


@pytest.mark.parametrize(
    "said",
    [
        "Forget everything about Basel",
        "Forget everything except my answers",
        "Vergiss alles, was mit Basel zu tun hat",
        "忘记关于Basel的一切",
        "Forget Basel, I tell you all the time",
    ],
)
def test_everything_about_one_thing_is_not_everything(reconciled: Reconcile, said: str) -> None:
    result = reconciled(KNOWN, Bullets(), said, forget=True)
    assert result.wiped
    assert result.bullets == KNOWN


def test_a_faint_word_names_nothing_that_is_to_be_forgotten(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Works at UBS.", "Works out in Basel.", "Works with Anna.", "Likes jazz."))
    candidate = Bullets(identity=("Likes jazz.",))
    result = reconciled(base, candidate, "Forget that I work at UBS", forget=True)
    assert result.bullets.identity == base.identity[1:]
    assert result.forgotten == ("Works at UBS.",)


# Late turns and second tries


def test_a_late_turn_adds_what_a_change_would_have_brought(reconciled: Reconcile) -> None:
    base = Bullets(skills=("Writes Go.",))
    result = reconciled(base, Bullets(skills=("Writes Rust.",)), "I write Rust", late=True)
    assert result.bullets.skills == ("Writes Go.", "Writes Rust.")


@pytest.mark.parametrize(
    ("base", "candidate", "said"),
    [
        (Bullets(identity=("Lives in Bern.",)), Bullets(identity=("Lives in Basel.",)), "I live in Basel"),
        (Bullets(work=("Leads the audit until 2026.",)), Bullets(work=("Leads the audit until 2025.",)), "Audit: 2025"),
        (Bullets(skills=("Writes Go.",)), Bullets(skills=("Writes Rust.",)), "I write code"),
    ],
)
def test_a_late_turn_contradicts_nothing_newer(
    reconciled: Reconcile, base: Bullets, candidate: Bullets, said: str
) -> None:
    assert reconciled(base, candidate, said, late=True).bullets == base


def test_the_candidate_that_lost_too_much_still_gives_what_it_adds(reconciled: Reconcile) -> None:
    base = Bullets(
        identity=("Lives in Bern.", "Has two daughters."), skills=("Writes Go.", "Sails.", "Knits."), work=("Audits.",)
    )
    candidate = Bullets(skills=("Writes Rust.", "Plays the cello.", "Juggles."), work=("Has 12 rabbits.",))
    said = "I write Rust, play the cello and have a dozen rabbits"
    assert reconciled(base, candidate, said).ask_again is not None
    second = reconciled(base, candidate, said, additions_only=True)
    assert second.partial
    assert second.ask_again is None
    assert second.bullets.identity == base.identity
    assert second.bullets.skills == (*base.skills, "Writes Rust.", "Plays the cello.")
    assert second.bullets.work == (*base.work, "Has 12 rabbits.")
