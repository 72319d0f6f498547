from __future__ import annotations

import pytest

from context_memory.domain.hygiene import LONGEST_BULLET
from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.reconcile import check_condensed
from context_memory.domain.replies.candidate import Candidate

ALL = frozenset(Section)
BASE = Bullets(
    identity=("Lena works as a radiographer in Bern.", "Has two daughters."),
    communication=("Prefers short answers.", "Prefers answers in German."),
    work=("Rolls out a new scanner in the east wing until 2026-09-30.", "Leads a team of 4."),
    skills=("Reads CT images.", "Reads MRI images."),
    topics=("2026-06-01 09:00 UTC: Dose reduction.", "2026-06-10 09:00 UTC: Night rotas."),
)


def check(condensed: Bullets, pinned: frozenset[str] = frozenset(), filled: frozenset[Section] = ALL) -> Bullets | None:
    return check_condensed(BASE, Candidate(condensed, filled), pinned)


def test_shortened_merged_and_left_out_bullets_are_accepted() -> None:
    condensed = Bullets(
        identity=BASE.identity,
        communication=("Prefers short answers in German.",),
        work=("New scanner until 2026-09-30.",),
        skills=("Reads CT and MRI images.",),
        topics=BASE.topics[1:],
    )
    assert check(condensed) == condensed


def test_a_section_that_is_missing_is_kept() -> None:
    condensed = BASE.with_section(Section.TOPICS, BASE.topics[1:])
    without = condensed.with_section(Section.IDENTITY, ())
    assert check(without, filled=ALL - {Section.IDENTITY}) == condensed


@pytest.mark.parametrize(
    "lossy",
    [
        BASE.with_section(Section.IDENTITY, BASE.identity[:1]),
        BASE.with_section(Section.COMMUNICATION, BASE.communication[:1]),
        BASE.with_section(Section.IDENTITY, ("Lena.", "Has two daughters.")),
        BASE.with_section(Section.WORK, ("Rolls out a new scanner in the east wing.",)),
        Bullets(),
    ],
    ids=["an identity is lost", "a preference is lost", "an identity is hollowed out", "a date is lost", "all is lost"],
)
def test_what_loses_too_much_is_not_accepted(lossy: Bullets) -> None:
    assert check(lossy) is None


@pytest.mark.parametrize(
    "inventive",
    [
        BASE.with_section(Section.WORK, ("Rolls out a new scanner until 2026-09-30.", "Leads a team of 5.")),
        BASE.with_section(Section.SKILLS, (*BASE.skills, "Plays the cello.")),
        BASE.with_section(Section.WORK, ("Rolls out 3 scanners in the east wing until 2026-09-30.",)),
    ],
    ids=["another number", "another bullet", "a new number"],
)
def test_what_says_more_than_the_input_is_not_accepted(inventive: Bullets) -> None:
    assert check(inventive) is None


def test_a_bullet_that_is_longer_than_bullets_may_be_is_not_accepted_unless_it_was_there() -> None:
    long = "Reads MRI images " * (LONGEST_BULLET // 17 + 1)
    assert check(BASE.with_section(Section.SKILLS, (BASE.skills[0], long[:LONGEST_BULLET]))) is not None
    assert check(BASE.with_section(Section.SKILLS, (BASE.skills[0], long))) is None
    old = BASE.with_section(Section.SKILLS, (long,))
    assert check_condensed(old, Candidate(old, ALL), frozenset()) == old


def test_untouched_bullets_are_byte_identical_and_in_order() -> None:
    condensed = BASE.with_section(Section.SKILLS, ("reads  MRI images.", "READS CT IMAGES."))
    assert check(condensed) == BASE


def test_a_pinned_bullet_is_put_back() -> None:
    pinned = frozenset({pin_of(Section.WORK, "Leads a team of 4."), pin_of(Section.IDENTITY, "Has two daughters.")})
    condensed = BASE.with_section(Section.WORK, BASE.work[:1]).with_section(Section.IDENTITY, BASE.identity[:1])
    assert check(condensed, pinned) == BASE
