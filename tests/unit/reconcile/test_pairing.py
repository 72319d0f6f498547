from __future__ import annotations

from context_memory.domain.pairing import Pairing, facts, pair
from context_memory.domain.profile import Bullets


def paired(old: Bullets, new: Bullets) -> tuple[dict[str, str], set[str]]:
    result: Pairing = pair(facts(old), facts(new))
    partners = {before.text: after.text for before, after in result.partner.items()}
    return partners, {fact.text for fact in result.unpaired}


def test_equal_bullets_pair_across_sections_whatever_their_case_and_blanks() -> None:
    old = Bullets(identity=("Works  as a nurse",), skills=("Python",))
    new = Bullets(work=("works as a NURSE",), skills=("Python",))
    assert paired(old, new) == ({"Works  as a nurse": "works as a NURSE", "Python": "Python"}, set())


def test_half_of_the_smaller_bullets_words_is_enough() -> None:
    old = Bullets(identity=("Radiographer in Bern",))
    assert paired(old, Bullets(identity=("Radiographer since spring",)))[0]
    assert paired(old, Bullets(identity=("Radiographer with two cats, a boat and a garden",)))[0]
    assert paired(old, Bullets(identity=("Painter since spring",))) == ({}, {"Painter since spring"})


def test_the_likest_pair_is_matched_first() -> None:
    old = Bullets(skills=("Writes Python for pipelines", "Writes Python for games"))
    new = Bullets(skills=("Writes Python for games and toys", "Writes Python for data pipelines"))
    assert paired(old, new)[0] == {
        "Writes Python for pipelines": "Writes Python for data pipelines",
        "Writes Python for games": "Writes Python for games and toys",
    }


def test_several_bullets_may_be_merged_into_one() -> None:
    old = Bullets(skills=("Uses Python for data", "Uses SQL for data"))
    new = Bullets(skills=("Uses Python and SQL for data",))
    assert set(paired(old, new)[0]) == set(old.skills)


def test_a_bullet_hollowed_out_to_one_common_word_is_no_merge() -> None:
    old = Bullets(identity=("Works at the airport", "Works with wood", "Works near Geneva"))
    partners, _ = paired(old, Bullets(identity=("Works",)))
    assert len(partners) == 1


def test_a_bullet_is_merged_into_an_unchanged_one_only_if_all_it_says_stands_there() -> None:
    kept = "Drinks green tea in the morning"
    assert paired(Bullets(identity=(kept, "Drinks green tea")), Bullets(identity=(kept,)))[0] == {
        kept: kept,
        "Drinks green tea": kept,
    }
    assert paired(Bullets(identity=(kept, "Drinks green tea at work")), Bullets(identity=(kept,)))[0] == {kept: kept}


def test_a_text_that_stands_twice_takes_one_old_bullets_place() -> None:
    old = Bullets(skills=("Nurse.",), topics=("Nurse with a cello.",))
    new = Bullets(skills=("Nurse.",), follow_ups=("Nurse.",))
    assert paired(old, new)[0] == {"Nurse.": "Nurse."}


def test_faint_words_pair_within_a_section_only() -> None:
    assert paired(Bullets(identity=("Lives in Zurich",)), Bullets(identity=("Lives in Basel",)))[0]
    assert not paired(Bullets(identity=("Lives in Zurich",)), Bullets(work=("Lives in Basel",)))[0]


def test_the_stamp_of_a_topic_is_no_part_of_what_it_says() -> None:
    old = Bullets(topics=("2026-06-01 09:00 UTC: Night rotas.",))
    new = Bullets(topics=("2026-06-17 11:40 UTC: Night rotas.", "2026-06-01 09:00 UTC: Scanner."))
    partners, unpaired = paired(old, new)
    assert partners == {old.topics[0]: new.topics[0]}
    assert unpaired == {new.topics[1]}
