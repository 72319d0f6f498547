from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.hygiene import LONGEST_BULLET
from context_memory.domain.profile import Bullets, Section, pin_of
from context_memory.domain.reconcile import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.reconcile import Reconciled

    Reconcile = Callable[..., Reconciled]

LENA = Bullets(
    identity=("Lena works as a radiographer in Bern.", "Has two daughters."),
    communication=("Prefers short answers.",),
    work=("Rolls out a new scanner until 2026-09-30.",),
    skills=("Reads CT and MRI images.",),
    follow_ups=("Order lead aprons by 2026-07-01.",),
    topics=("2026-06-01 09:00 UTC: Dose reduction.",),
)


# R0


def test_a_section_that_is_missing_or_says_nothing_is_kept(reconciled: Reconcile) -> None:
    candidate = Bullets(communication=("Prefers short answers.",))
    result = reconciled(LENA, candidate, "hello", filled=frozenset({Section.COMMUNICATION}))
    assert result.bullets == LENA
    assert result.restored == 0


@pytest.mark.parametrize("sign", ["a", "\ufdfa"])
def test_a_bullet_that_is_longer_than_bullets_may_be_is_none_unless_it_was_there(
    reconciled: Reconcile, sign: str
) -> None:
    room = LONGEST_BULLET // len(unicodedata.normalize("NFKC", sign)) - len("Sails with ")
    fits, long = f"Sails with {sign * (room - 20)}", f"Sails with {sign * LONGEST_BULLET}"
    for text, stands in ((fits, (fits,)), (long, ())):
        result = reconciled(Bullets(), Bullets(skills=("Plays the cello.", text)), f"I play the cello. {text}")
        assert (result.bullets.skills, result.dropped) == (("Plays the cello.", *stands), int(text == long))
    assert reconciled(Bullets(skills=(long,)), Bullets(skills=(long,)), "Hello.").bullets.skills == (long,)


def test_six_placeholders_against_a_filled_profile_are_refused(reconciled: Reconcile) -> None:
    result = reconciled(LENA, Bullets(), "I love radiographs")
    assert result.wiped
    assert result.bullets == LENA
    assert result.ask_again is not None


def test_six_placeholders_for_an_empty_profile_are_nothing(reconciled: Reconcile) -> None:
    result = reconciled(Bullets(), Bullets(), "hello")
    assert not result.wiped
    assert result.bullets.blank


def test_another_order_alone_is_no_change(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.IDENTITY, reversed(LENA.identity))
    assert reconciled(LENA, candidate, "Bern daughters").bullets == LENA


# R1 and R2


def test_a_bullet_that_differs_in_case_and_blanks_stays_byte_for_byte(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.COMMUNICATION, ("prefers  SHORT answers.",))
    assert reconciled(LENA, candidate, "short answers").bullets == LENA


def test_a_reworded_bullet_without_evidence_is_put_back(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.SKILLS, ("Interprets CT and MRI scans.",))
    result = reconciled(LENA, candidate, "What is the capital of Peru?")
    assert result.bullets == LENA
    assert result.restored == 1
    assert result.dropped == 1


def test_a_shortened_bullet_stands(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.IDENTITY, ("Radiographer in Bern.", "Has two daughters."))
    assert reconciled(LENA, candidate, "hello").bullets.identity == ("Radiographer in Bern.", "Has two daughters.")


def test_a_bullet_that_is_shortened_to_almost_nothing_is_put_back(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.IDENTITY, ("Works.", "Has two daughters."))
    assert reconciled(LENA, candidate, "hello").bullets == LENA


def test_shortening_may_not_lose_a_number(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.WORK, ("Rolls out a new scanner.",))
    assert reconciled(LENA, candidate, "hello").bullets == LENA


def test_two_bullets_may_be_merged(reconciled: Reconcile) -> None:
    base = Bullets(skills=("Uses Python for data.", "Uses SQL for data."))
    merged = Bullets(skills=("Uses Python and SQL for data.",))
    assert reconciled(base, merged, "hello").bullets == merged


def test_a_change_that_the_user_spoke_of_stands_in_its_place(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.IDENTITY, ("Lena works as a radiographer in Thun.", "Has two daughters."))
    assert reconciled(LENA, candidate, "I changed to the hospital in Thun").bullets == candidate


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("The scanner comes on 15 October", "Rolls out a new scanner until 2026-10-15."),
        ("The scanner is two weeks late", "Rolls out a new scanner until 14 October 2026."),
        ("The scanner took us until next year", "Rolls out a new scanner until March 2027."),
        ("We have used the scanner for 4 years", "Rolls out a new scanner since 2022 and until 2026-09-30."),
        ("We have used the scanner for four years", "Rolls out a new scanner since 2022 and until 2026-09-30."),
    ],
)
def test_a_new_number_stands_if_it_is_a_date_computed_from_the_turn(
    reconciled: Reconcile, said: str, line: str
) -> None:
    candidate = LENA.with_section(Section.WORK, (line,))
    assert reconciled(LENA, candidate, said).bullets.work == (line,)


@pytest.mark.parametrize(
    "line",
    [
        "Rolls out 12 new scanners until 2026-09-30.",
        "Rolls out a new scanner until 2028-01-15.",
        "Rolls out a new scanner since 2019 and until 2026-09-30.",
    ],
)
def test_a_new_number_that_nobody_said_is_put_back(reconciled: Reconcile, line: str) -> None:
    candidate = LENA.with_section(Section.WORK, (line,))
    assert reconciled(LENA, candidate, "The scanner is late").bullets == LENA


def test_the_turns_own_time_in_the_users_zone_is_a_known_number(reconciled: Reconcile) -> None:
    base = Bullets(work=("Calls the clinic.",))
    candidate = Bullets(work=("Calls the clinic at 13:40.",))
    assert reconciled(base, candidate, "Call the clinic now", time_zone="Europe/Zurich").bullets == candidate
    assert reconciled(base, candidate, "Call the clinic now", time_zone="Mars/Olympus").bullets == base


def test_a_bullet_that_falls_into_pieces_without_evidence_stays_whole(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Lives in Zurich and plays the cello.",))
    candidate = Bullets(identity=("Lives in Zurich.", "Plays the cello."))
    assert reconciled(base, candidate, "hello").bullets == base


def test_a_bullet_that_falls_into_pieces_with_evidence_keeps_all_of_them(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Lives in Zurich and plays the cello.",))
    candidate = Bullets(identity=("Lives in Basel.", "Plays the cello."))
    result = reconciled(base, candidate, "I moved to Basel")
    assert set(result.bullets.identity) == {"Lives in Basel.", "Plays the cello."}


def test_a_bullet_may_move_where_it_does_not_expire(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Reads CT images.",))
    assert reconciled(base, Bullets(skills=("Reads CT images.",)), "hello").bullets == Bullets(
        skills=("Reads CT images.",)
    )
    assert reconciled(base, Bullets(topics=("Reads CT images.",)), "hello").bullets == base


def test_a_topic_is_not_dated_anew_without_evidence(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.TOPICS, ("2026-06-17 11:40 UTC: Dose reduction.",))
    assert reconciled(LENA, candidate, "What is the capital of Peru?").bullets == LENA
    assert reconciled(LENA, candidate, "More on dose reduction").bullets == candidate


# R3 and R4


@pytest.mark.parametrize(
    "said", ["I moved from Zurich to Basel", "I moved to Basel", "No longer in Zurich, I am in Basel"]
)
def test_a_reversal_leaves_exactly_one_bullet(reconciled: Reconcile, said: str) -> None:
    base = Bullets(identity=("Lives in Zurich", "Has two daughters"))
    candidate = Bullets(identity=("Lives in Basel", "Has two daughters"))
    assert reconciled(base, candidate, said).bullets == candidate


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Wohnt in Zürich.", "Wohnt in Basel.", "Ich bin nach Basel gezogen"),
        ("Habite à Lyon.", "Habite à Paris.", "J'ai quitté Lyon pour Paris"),
        ("用户住在苏黎世。", "用户住在巴塞尔。", "我从苏黎世搬到巴塞尔了"),
        ("東京に住んでいる。", "大阪に住んでいる。", "大阪に引っ越しました"),
        ("취리히에 삽니다.", "바젤에 삽니다.", "바젤로 이사했어요"),
    ],
)
def test_a_reversal_leaves_one_bullet_in_every_language(reconciled: Reconcile, old: str, new: str, said: str) -> None:
    base, candidate = Bullets(identity=(old, "Lena.")), Bullets(identity=(new, "Lena."))
    assert reconciled(base, candidate, said).bullets.same_as(candidate)


def test_a_reversal_in_other_words_leaves_exactly_one_bullet(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Vegetarian.",))
    candidate = Bullets(identity=("Eats meat again.",))
    assert reconciled(base, candidate, "I eat meat again").bullets == candidate


def test_if_the_model_keeps_the_old_bullet_beside_the_new_one_both_stand(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Lives in Zurich",))
    candidate = Bullets(identity=("Lives in Zurich", "Works in Basel"))
    assert reconciled(base, candidate, "I work in Basel").bullets == candidate


def test_a_withdrawn_bullet_goes(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.IDENTITY, LENA.identity[1:])
    assert reconciled(LENA, candidate, "I am no radiographer any more").bullets == candidate


def test_a_word_found_in_many_bullets_points_at_none(reconciled: Reconcile) -> None:
    base = Bullets(skills=("Python at work", "Python for games", "Python on a plane"))
    candidate = Bullets(skills=("Python at work", "Python for games"))
    assert reconciled(base, candidate, "A question on Python").bullets == base


def test_one_new_bullet_explains_one_loss_only(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Lives in Zurich.", "Plays the cello.", "Name is Lena."))
    result = reconciled(base, Bullets(identity=("Resides in Basel.",)), "I moved to Basel")
    assert set(result.bullets.identity) == {"Resides in Basel.", "Plays the cello.", "Name is Lena."}
    assert result.restored == 2


def test_a_bullet_that_is_appended_takes_no_other_ones_place(reconciled: Reconcile) -> None:
    base = Bullets(communication=("Prefers short answers.", "Wants tables for figures."))
    candidate = Bullets(communication=("Wants tables for figures.", "Wants amounts in Swiss francs."))
    result = reconciled(base, candidate, "Amounts in Swiss francs please")
    assert result.bullets.communication == (*base.communication, "Wants amounts in Swiss francs.")
    assert result.restored == 1


def test_a_bullet_in_the_place_of_another_stands_for_it(reconciled: Reconcile) -> None:
    base = Bullets(communication=("Be brief.", "Wants tables for figures."))
    candidate = Bullets(communication=("Explain at length.", "Wants tables for figures."))
    result = reconciled(base, candidate, "Please explain at length from now on")
    assert set(result.bullets.communication) == set(candidate.communication)


@pytest.mark.parametrize("section", [Section.SKILLS, Section.FOLLOW_UPS])
def test_a_new_skill_or_follow_up_pushes_no_old_one_out(reconciled: Reconcile, section: Section) -> None:
    base = Bullets().with_section(section, ("Draws plans.",))
    result = reconciled(base, Bullets().with_section(section, ("Learn Python.",)), "I have begun to learn Python")
    assert result.bullets[section] == ("Draws plans.", "Learn Python.")


def test_a_new_skill_in_the_words_of_another_pushes_it_out_only_from_its_place(reconciled: Reconcile) -> None:
    base = Bullets(skills=("Uses Python.", "Uses SQL."))
    said = "I use Excel now"
    appended = reconciled(base, Bullets(skills=("Uses SQL.", "Uses Excel.")), said)
    assert appended.bullets.skills == ("Uses Python.", "Uses SQL.", "Uses Excel.")
    in_place = reconciled(base, Bullets(skills=("Uses Excel.", "Uses SQL.")), said)
    assert in_place.bullets.skills == ("Uses Excel.", "Uses SQL.")


def test_a_topic_about_a_forgotten_bullet_does_not_pass_for_its_change(reconciled: Reconcile) -> None:
    candidate = Bullets(identity=LENA.identity[:1], topics=("The daughters are forgotten.",))
    result = reconciled(LENA, candidate, "Please forget that I have daughters", forget=True)
    assert "Has two daughters." in result.forgotten
    assert not any("daughters" in text for _, text in result.bullets.items())


def test_a_pinned_bullet_is_not_contradicted_by_what_is_appended(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Lives in Bern.", "Plays the cello."))
    candidate = Bullets(identity=("Plays the cello.", "Is married."))
    rules = Rules(pinned=frozenset({pin_of(Section.IDENTITY, "Lives in Bern.")}))
    result = reconciled(base, candidate, "I am married", rules=rules)
    assert result.bullets.identity == ("Lives in Bern.", "Plays the cello.", "Is married.")
    assert not result.pinned_conflict


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Möchte gesiezt werden.", "Möchte geduzt werden.", "Du kannst mich ab jetzt duzen"),
        ("Souhaite être vouvoyée.", "Souhaite être tutoyée.", "Tu peux me tutoyer"),
        ("Hat die Stelle zugesagt.", "Hat die Stelle abgelehnt.", "Ich will das Angebot doch ablehnen"),
    ],
)
def test_a_change_in_another_ending_than_the_user_said_stands(
    reconciled: Reconcile, old: str, new: str, said: str
) -> None:
    assert reconciled(Bullets(identity=(old,)), Bullets(identity=(new,)), said).bullets.identity == (new,)


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("Prefers concise responses.", "Keep it short from now on"),
        ("Prefers short answers.", "Bitte fass dich immer knapp"),
        ("Souhaite des réponses détaillées.", "J'aime quand c'est plus long"),
        ("偏好简洁回复。", "以后说短一点"),
        ("Wants bullet points.", "Ab jetzt immer Stichpunkte"),
    ],
)
def test_a_wish_for_the_form_of_answers_may_stand_in_other_words(reconciled: Reconcile, wish: str, said: str) -> None:
    assert reconciled(Bullets(), Bullets(communication=(wish,)), said).bullets.communication == (wish,)


def test_the_opposite_wish_in_other_words_replaces_the_old_one(reconciled: Reconcile) -> None:
    base = Bullets(communication=("Prefers detailed answers.",))
    candidate = Bullets(communication=("Prefers concise answers.",))
    assert reconciled(base, candidate, "Keep it short from now on").bullets == candidate


def test_synonyms_make_no_rewording_stand(reconciled: Reconcile) -> None:
    base = Bullets(communication=("Prefers short answers.",), skills=("Sails.",))
    candidate = Bullets(communication=("Prefers concise answers.",), skills=("Sails.", "Knits."))
    result = reconciled(base, candidate, "I have learned to knit")
    assert result.bullets == base.with_section(Section.SKILLS, ("Sails.", "Knits."))


def test_a_word_that_only_looks_like_a_participle_backs_nothing(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Spielt Geige.",))
    assert reconciled(base, Bullets(identity=("Spielt Gebet.",)), "Ich höre gerade Radio").bullets == base


def test_a_new_topic_does_not_push_an_old_one_out(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.TOPICS, ("2026-06-17 11:40 UTC: Night rotas.",))
    result = reconciled(LENA, candidate, "I will go on with the night rotas")
    assert set(result.bullets.topics) == {*LENA.topics, "2026-06-17 11:40 UTC: Night rotas."}


def test_a_topic_beyond_the_limit_may_go(reconciled: Reconcile) -> None:
    lines = tuple(f"2026-05-{day:02} 09:00 UTC: Subject {'abcdefghijklmnopqrst'[day - 1] * 4}." for day in range(1, 21))
    new = "2026-06-17 11:40 UTC: Night rotas."
    candidate = Bullets(topics=(*lines[2:], new))
    result = reconciled(Bullets(topics=lines), candidate, "I will go on with the night rotas")
    assert lines[0] not in result.bullets.topics
    assert lines[1] in result.bullets.topics


def test_a_follow_up_past_its_date_may_go_and_an_open_one_not(reconciled: Reconcile) -> None:
    base = Bullets(follow_ups=("Call Anna on 2026-06-10.", "Send slides by 2026-06-20."))
    result = reconciled(base, Bullets(work=("Builds a barn.",)), "I build a barn")
    assert result.bullets.follow_ups == ("Send slides by 2026-06-20.",)


def test_when_most_bullets_are_missing_the_model_is_asked_again(reconciled: Reconcile) -> None:
    candidate = Bullets(identity=("Has two daughters.", "Plays the cello."))
    first = reconciled(LENA, candidate, "I play the cello")
    assert first.ask_again is not None
    assert "cello" not in first.ask_again
    assert not any(text in first.ask_again for _, text in LENA.items())
    second = reconciled(LENA, candidate, "I play the cello", additions_only=True)
    assert second.partial
    assert second.ask_again is None
    assert second.bullets == LENA.with_section(Section.IDENTITY, (*LENA.identity, "Plays the cello."))


def test_when_few_are_missing_they_are_put_back_without_asking(reconciled: Reconcile) -> None:
    base = Bullets(skills=("Sails.", "Skis.", "Knits."))
    result = reconciled(base, Bullets(skills=("Sails.",)), "hello")
    assert result.bullets == base
    assert (result.restored, result.ask_again) == (2, None)


# R5


def test_a_pinned_bullet_is_not_changed_and_the_conflict_is_told(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Lives in Zurich", "Has two daughters"))
    rules = Rules(pinned=frozenset({pin_of(Section.IDENTITY, "Lives in Zurich")}))
    candidate = Bullets(identity=("Lives in Basel", "Has two daughters"))
    result = reconciled(base, candidate, "I moved to Basel", rules=rules)
    assert result.bullets == base
    assert result.pinned_conflict


def test_a_pinned_bullet_that_the_model_merely_lost_is_put_back_without_conflict(reconciled: Reconcile) -> None:
    rules = Rules(pinned=frozenset({pin_of(Section.COMMUNICATION, "Prefers short answers.")}))
    result = reconciled(LENA, LENA.with_section(Section.COMMUNICATION, ()), "hello", rules=rules)
    assert result.bullets == LENA
    assert not result.pinned_conflict


def test_a_pinned_bullet_does_not_move(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Reads CT images.",))
    rules = Rules(pinned=frozenset({pin_of(Section.IDENTITY, "Reads CT images.")}))
    assert reconciled(base, Bullets(skills=base.identity), "hello", rules=rules).bullets == base


def test_what_would_take_a_pinned_bullets_place_is_not_added(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Vegetarian.",))
    rules = Rules(pinned=frozenset({pin_of(Section.IDENTITY, "Vegetarian.")}))
    result = reconciled(base, Bullets(identity=("Eats meat again.",)), "I eat meat again", rules=rules)
    assert result.bullets == base
    assert result.pinned_conflict


def test_a_pinned_bullet_that_age_would_take_is_kept_without_conflict(reconciled: Reconcile) -> None:
    base = Bullets(follow_ups=("Call Anna on 2026-06-10.",))
    rules = Rules(pinned=frozenset({pin_of(Section.FOLLOW_UPS, base.follow_ups[0])}))
    result = reconciled(base, Bullets(work=("Builds a barn.",)), "I build a barn", rules=rules)
    assert result.bullets.follow_ups == base.follow_ups
    assert not result.pinned_conflict


# R6


def test_a_new_bullet_needs_a_word_of_the_user(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.WORK, (*LENA.work, "Plans a trip to Peru.", "Owns a horse."))
    result = reconciled(LENA, candidate, "I plan to see Peru")
    assert result.bullets.work == (*LENA.work, "Plans a trip to Peru.")
    assert result.dropped == 1


def test_faint_words_are_no_evidence(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.WORK, (*LENA.work, "Works as a spy and likes it."))
    assert reconciled(LENA, candidate, "How does this work? I like it").bullets == LENA


@pytest.mark.parametrize(
    ("said", "bullet"),
    [
        ("ich koche gern", "Kocht gern."),
        ("cocino mucho", "Cocina mucho."),
        ("我喜欢喝茶", "用户喜欢喝茶。"),
        ("東京に住んでいます", "東京在住。"),
        ("Zürich!", "Lives in Zurich."),
    ],
)
def test_evidence_is_found_in_every_language(reconciled: Reconcile, said: str, bullet: str) -> None:
    assert reconciled(Bullets(), Bullets(identity=(bullet,)), said).bullets.identity == (bullet,)


@pytest.mark.parametrize(
    "again",
    ["prefers SHORT answers.", "Answers: short ones preferred.", "Short answers!"],
)
def test_restating_a_fact_adds_nothing(reconciled: Reconcile, again: str) -> None:
    candidate = LENA.with_section(Section.COMMUNICATION, (*LENA.communication, again))
    assert reconciled(LENA, candidate, "I prefer short answers").bullets == LENA


def test_a_bullet_is_not_added_to_a_second_section(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.WORK, (*LENA.work, *LENA.skills))
    assert reconciled(LENA, candidate, "I read CT and MRI images").bullets == LENA


def test_a_denied_bullet_is_not_added_nor_changed_into(reconciled: Reconcile) -> None:
    rules = Rules(deny_phrases=("Thun", "喝茶"))
    moved = LENA.with_section(Section.IDENTITY, ("Lena works as a radiographer in Thun.", "Has two daughters."))
    assert reconciled(LENA, moved, "I changed to Thun", rules=rules).bullets == LENA
    tea = LENA.with_section(Section.SKILLS, (*LENA.skills, "她喜欢喝茶"))
    assert reconciled(LENA, tea, "我喜欢喝茶", rules=rules).bullets == LENA


def test_a_denied_phrase_matches_whole_words_only(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.SKILLS, (*LENA.skills, "Plays the cello in Thunstetten."))
    result = reconciled(LENA, candidate, "I play the cello", rules=Rules(deny_phrases=("thun", "  ", "!?")))
    assert result.bullets == candidate


def test_a_forgotten_bullet_is_not_learned_again(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.SKILLS, (*LENA.skills, "Plays the cello."))
    rules = Rules(forgotten=lambda text: text == "Plays the cello.")
    assert reconciled(LENA, candidate, "I play the cello", rules=rules).bullets == LENA


# R7 and R8


def test_text_of_our_prompts_explains_nothing_and_is_not_stored(reconciled: Reconcile) -> None:
    candidate = LENA.with_section(Section.COMMUNICATION, ("<fact about the user>", "Drinks elderflower water."))
    rules = Rules(own_sentences=frozenset({"drinks elderflower water."}))
    result = reconciled(LENA, candidate, "a fact about water", rules=rules)
    assert result.bullets == LENA
    assert result.dropped == 2


def test_a_new_bullet_loses_links_the_user_did_not_write_and_hidden_characters(reconciled: Reconcile) -> None:
    candidate = Bullets(skills=("Reads [radiology papers](https://evil.example/x?d=1) \u200bdaily\u202e.",))
    result = reconciled(Bullets(), candidate, "I read radiology papers daily")
    assert result.bullets.skills == ("Reads radiology papers daily.",)
    kept = Bullets(skills=("Reads [papers](https://good.example/x).",))
    assert reconciled(Bullets(), kept, "I read papers on https://good.example/x").bullets == kept


def test_a_link_of_the_base_stays_when_its_bullet_changes(reconciled: Reconcile) -> None:
    base = Bullets(work=("Project page: [scanner](https://wiki.example/scanner).",))
    candidate = Bullets(work=("Project page: [scanner](https://wiki.example/scanner), now in Thun.",))
    assert reconciled(base, candidate, "The project is in Thun now").bullets == candidate


# Late turns


def test_a_late_turn_adds_but_neither_changes_nor_removes(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Lives in Zurich", "Plays the cello"))
    candidate = Bullets(identity=("Lives in Basel", "Has two dogs"))
    result = reconciled(base, candidate, "I moved from Zurich to Basel with two dogs, no cello", late=True)
    assert result.bullets.identity == ("Lives in Zurich", "Plays the cello", "Has two dogs")


def test_a_late_turn_may_forget(reconciled: Reconcile) -> None:
    base = Bullets(identity=("Lives in Zurich", "Plays the cello"))
    result = reconciled(base, Bullets(identity=("Lives in Zurich",)), "Forget the cello", late=True, forget=True)
    assert result.bullets.identity == ("Lives in Zurich",)
    assert result.forgotten == ("Plays the cello",)
