from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from context_memory.domain.language.words import content_words, digit_groups
from context_memory.domain.pairing import facts, key_of
from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.reconcile import Grounds, Reconciled, Rules, reconcile
from context_memory.domain.replies.candidate import Candidate
from tests.unit.reconcile.conftest import ALL, TURN

if TYPE_CHECKING:
    from collections.abc import Iterable

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# Few words, so that bullets meet; several scripts, faint words and numbers among them.
WORDS = "nurse cello Bern Basel scanner tea works likes not 12 2026-07-01 Zürich daughter 東京 喝茶 sails".split()  # noqa: SIM905 - a list of words is read as a text
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple({key_of(text): text for text in texts}.values())


sections = st.lists(texts, max_size=4).map(_distinct)
bodies = st.builds(Bullets, sections, sections, sections, sections, sections, sections)
filled = st.frozensets(st.sampled_from(Section))
evidence = st.lists(st.sampled_from([*WORDS, "hello", "forget", "moved"]), max_size=6).map(" ".join)


def run(base: Bullets, candidate: Bullets, said: str, rules: Rules | None = None, **grounds: bool) -> Reconciled:
    return reconcile(base, Candidate(candidate, ALL), Grounds(said, TURN, None, **grounds), rules or Rules())


@QUICK
@given(bodies, evidence, st.booleans(), st.booleans())
def test_a_candidate_equal_to_the_base_is_the_base(base: Bullets, said: str, forget: bool, late: bool) -> None:  # noqa: FBT001 - drawn by Hypothesis
    if forget and base.blank:
        return
    result = run(base, base, said, forget=forget, late=late)
    assert result.bullets == base
    assert (result.restored, result.dropped, result.forgotten) == (0, 0, ())


@QUICK
@given(bodies, bodies, filled)
def test_without_evidence_every_old_bullet_stands_or_is_merged(
    base: Bullets, candidate: Bullets, named: frozenset[Section]
) -> None:
    result = reconcile(base, Candidate(candidate, named), Grounds("hello", TURN), Rules())
    standing = facts(result.bullets)
    for old in facts(base):
        alike = any(new.key == old.key for new in standing)
        shorter = any(3 * len(new.words & old.words) >= len(old.words) and old.digits <= new.digits for new in standing)
        assert alike or shorter or old.section in {Section.TOPICS, Section.FOLLOW_UPS}


@QUICK
@given(bodies, bodies)
def test_without_evidence_no_word_and_no_number_is_added(base: Bullets, candidate: Bullets) -> None:
    result = run(base, candidate, "hello")
    before = " ".join(text for _, text in base.items())
    for text in (text for section in Section for text in result.bullets[section]):
        assert content_words(text) <= content_words(before)
        assert digit_groups(text) <= digit_groups(before)


@QUICK
@given(bodies, bodies, evidence)
def test_what_stands_is_a_bullet_of_the_base_or_of_the_candidate(base: Bullets, candidate: Bullets, said: str) -> None:
    known = {text for _, text in (*base.items(), *candidate.items())}
    assert {text for _, text in run(base, candidate, said).bullets.items()} <= known


@QUICK
@given(bodies, bodies, evidence)
def test_a_bullet_that_both_have_is_byte_identical(base: Bullets, candidate: Bullets, said: str) -> None:
    result = run(base, candidate, said)
    for section in Section:
        assert set(base[section]) & set(candidate[section]) <= set(result.bullets[section])


@QUICK
@given(bodies, bodies, evidence, st.booleans(), st.booleans())
def test_pins_always_stand(base: Bullets, candidate: Bullets, said: str, forget: bool, late: bool) -> None:  # noqa: FBT001 - drawn by Hypothesis
    pins = [(section, text) for section, text in base.items() if len(text) % 2]
    rules = Rules(pinned=frozenset(pin_of(section, text) for section, text in pins))
    result = run(base, candidate, said, rules, forget=forget, late=late)
    for section, text in pins:
        assert text in result.bullets[section]


@QUICK
@given(bodies, bodies, evidence)
def test_reconciling_the_result_again_changes_nothing(base: Bullets, candidate: Bullets, said: str) -> None:
    once = run(base, candidate, said).bullets
    assert run(once, once, said).bullets == once


@QUICK
@given(bodies, bodies, evidence)
def test_a_late_turn_only_adds(base: Bullets, candidate: Bullets, said: str) -> None:
    result = run(base, candidate, said, late=True).bullets
    for section in Section:
        assert result[section][: len(base[section])] == base[section]


@QUICK
@given(bodies, bodies, evidence)
def test_a_second_try_only_adds_what_the_user_spoke_of(base: Bullets, candidate: Bullets, said: str) -> None:
    result = reconcile(base, Candidate(candidate, ALL), Grounds(said, TURN), Rules(), additions_only=True)
    assert result.partial
    for section in Section:
        assert result.bullets[section][: len(base[section])] == base[section]


@QUICK
@given(bodies)
def test_forget_everything_empties_all_but_the_pins(base: Bullets) -> None:
    pinned = frozenset(pin_of(section, text) for section, text in base.items() if len(text) % 2)
    result = run(base, Bullets(), "forget everything", Rules(pinned=pinned), forget=True)
    assert all(pin_of(section, text) in pinned for section, text in result.bullets.items())
    assert not result.wiped


@QUICK
@given(bodies, evidence)
def test_an_empty_answer_never_empties_a_filled_profile_unasked(base: Bullets, said: str) -> None:
    result = run(base, Bullets(), said)
    assert result.bullets == base
    assert result.wiped is not base.blank


@QUICK
@given(bodies, bodies, evidence)
def test_the_sentence_for_the_model_holds_no_text_of_the_user(base: Bullets, candidate: Bullets, said: str) -> None:
    asked = run(base, candidate, said).ask_again
    assert asked is None or not content_words(asked) & content_words("nurse cello Bern Basel scanner tea Zürich sails")
