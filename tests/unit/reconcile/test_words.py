# ruff: noqa: RUF001 - full-width letters and digits are what is tested
from __future__ import annotations

import pytest

from context_memory.domain.language.inflection import stem
from context_memory.domain.language.number_words import spelled_numbers
from context_memory.domain.language.words import beyond_request, content_words, digit_groups
from context_memory.domain.pairing import Fact
from context_memory.domain.profile import Section


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I'm moving from Zürich to Basel", {"move", "zurich", "basel"}),
        ("The user's answers, they are short.", {"user", "answer", "short"}),
        ("Je m'appelle Zoé et j'habite à l'hôtel", {"appelle", "zoe", "habite", "hotel"}),
        ("Ich heiße Jörg und bin Pfleger", {"heisse", "jorg", "pfleger"}),
        ("Bevorzugt kurze Antworten", {"bevorzugt", "kurze", "antworten"}),
        ("credit-loss staging (IFRS)", {"credit", "loss", "stage", "ifr"}),
        ("ＡＢＣ Ａ／Ｂ", {"abc", "b"}),
        ("of the and to", set()),
        ("", set()),
    ],
)
def test_content_words_are_folded_and_without_stop_words(text: str, words: set[str]) -> None:
    assert content_words(text) == words


def test_numbers_are_apart_from_words_but_names_with_figures_stay_whole() -> None:
    assert content_words("Python3 on k8s in 10km, 2nd of B2B") == {"python", "k8s", "km", "b2b"}
    assert digit_groups("Python3 on k8s in 10km, 2nd of B2B") == {"3", "8", "10", "2"}


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("2026-06-07 at 09:30", {"2026", "6", "7", "9", "30"}),
        ("1'250, 1,250 and 1.250", {"1250"}),
        ("12,345,678", {"12345678"}),
        ("3.12.1", {"3", "12", "1"}),
        ("007", {"7"}),
        ("0", {"0"}),
        ("١٢ and １２", {"12"}),
        ("none", set()),
    ],
)
def test_groups_of_digits_have_one_spelling(text: str, groups: set[str]) -> None:
    assert digit_groups(text) == groups


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("喝茶", {"喝茶"}),
        ("喜欢喝茶", {"喜欢", "欢喝", "喝茶"}),
        ("茶", {"茶"}),
        ("東京タワー", {"東京", "タワ", "ワー"}),
        ("취리히", {"취리", "리히"}),
        ("ชา", {"ชา"}),
    ],
)
def test_scripts_without_blanks_count_as_pairs_of_characters(text: str, words: set[str]) -> None:
    assert content_words(text) == words


def test_a_sentence_and_a_bullet_in_chinese_or_japanese_share_words() -> None:
    assert content_words("我住在苏黎世") & content_words("用户住在苏黎世。") >= {"苏黎", "黎世"}
    assert content_words("私は東京に住んでいます") & content_words("東京在住") >= {"東京"}


def test_marks_that_are_letters_stay() -> None:
    assert content_words("हिन्दी") == {"हिन्दी"}
    assert content_words("かばん") != content_words("かはん")


def test_invisible_characters_do_not_part_words() -> None:
    assert content_words("Zu\u200brich Zu\u00adrich") == {"zurich"}


@pytest.mark.parametrize(
    ("forms", "base"),
    [
        (("move", "moves", "moved", "moving"), "move"),
        (("climb", "climbs", "climbed", "climbing"), "climb"),
        (("plan", "plans", "planned", "planning"), "plan"),
        (("study", "studies", "studied", "studying"), "study"),
        (("manage", "manages", "managed", "managing"), "manage"),
        (("box", "boxes", "boxed", "boxing"), "box"),
        (("create", "creates", "created", "creating"), "create"),
    ],
)
def test_regular_forms_of_a_word_are_one(forms: tuple[str, ...], base: str) -> None:
    assert {stem(form) for form in forms} == {base}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("new", "news"),
        ("unit", "united"),
        ("even", "evening"),
        ("bu", "bus"),
        ("plan", "plane"),
        ("car", "care"),
        ("process", "proces"),
        ("business", "busines"),
        ("str", "string"),
        ("ne", "need"),
        ("pari", "paris"),
        ("hard", "harding"),
    ],
)
def test_different_words_stay_different(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_faint_words_tell_nothing_unless_there_is_nothing_else() -> None:
    assert Fact.of(Section.WORK, 0, "Works as a nurse").telling == {"nurse"}
    assert Fact.of(Section.WORK, 0, "Likes work").telling == {"like", "work"}


def test_what_asks_to_forget_is_told_from_what_is_to_be_forgotten() -> None:
    assert beyond_request(content_words("Please forget everything you know about me")) == frozenset()
    assert beyond_request(content_words("Bitte vergiss alles über meinen Hund")) == {"hund"}
    assert beyond_request(content_words("忘记一切")) <= {"记一"}


def test_negation_is_a_content_word() -> None:
    assert content_words("Eats meat") != content_words("Does not eat meat")


def test_small_numbers_spelled_in_letters_are_known() -> None:
    assert spelled_numbers("I have three daughters and zwölf Hühner, dos gatos") == {"3", "12", "2"}
    assert spelled_numbers("三") == {"3"}
    assert spelled_numbers("someone") == frozenset()


def test_short_names_in_capitals_are_content_words_unless_all_is_in_capitals() -> None:
    assert content_words("I am in IT at the EU, OK?") == {"it", "european", "union"}
    assert content_words("it is about us") == frozenset()
    assert content_words("TELL US HOW IT IS") == {"tell"}
    assert content_words("usa Python") == {"usa", "python"}
