# ruff: noqa: RUF001 (Chinese punctuation)

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from infra.local.offline_model.body import HEADINGS, Body, Line
from infra.local.offline_model.facts import Fact, Forgetting, Withdrawal
from infra.local.offline_model.prompt import AskedTurn
from infra.local.offline_model.rules.reading import read_turn
from infra.local.offline_model.update import apply

WEDNESDAY = datetime(2026, 6, 17, 13, 40, tzinfo=ZoneInfo("Europe/Zurich"))


def after(*messages: str, deny_rules: tuple[str, ...] = ()) -> list[str]:
    """The bullets of a new user's profile after these messages, in the order of the file."""
    body = Body()
    for message in messages:
        body = apply(body, read_turn(AskedTurn(moment=WEDNESDAY, evidence=message)), deny_rules)
    return [line.text for line in body.lines]


@pytest.mark.parametrize(
    ("said", "heading", "bullet"),
    [
        ("I work as a nurse at Inselspital.", "Identity", "Works as a nurse at Inselspital."),
        ("I'm a nurse.", "Identity", "Works as a nurse."),
        ("I moved from Zurich to Basel last week, by the way.", "Identity", "Lives in Basel."),
        ("Call me Leni.", "Identity", "Wants to be called Leni."),
        ("I speak German and English.", "Identity", "Speaks German and English."),
        ("I have two kids.", "Identity", "Has two kids."),
        ("I'm reading Dune at the moment.", "Identity", "Is reading Dune."),
        ("From now on please answer in bullet points.", "Communication Preferences",
         "Wants the assistant to answer in bullet points."),
        ("I prefer short answers.", "Communication Preferences", "Prefers short answers."),
        ("I prefer tea to coffee.", "Identity", "Prefers tea to coffee."),
        ("I don't want emojis in answers.", "Communication Preferences", "Does not want emojis in answers."),
        ("I'm working on the staging model.", "Work Context", "Is working on the staging model."),
        ("The deadline for the report is next Friday.", "Work Context", "Deadline for the report: 2026-06-26."),
        ("I use Python and SQL.", "Skills & Expertise", "Uses Python and SQL."),
        ("I know Rust.", "Skills & Expertise", "Knows Rust."),
        ("Remind me to call my dentist tomorrow.", "Follow-ups",
         "Wants to be reminded to call their dentist on 2026-06-18."),
        ("Let's continue with the budget review tomorrow.", "Recent Topics",
         "2026-06-17 11:40 UTC: The budget review."),
        ("Ich arbeite als Lehrerin bei der Kantonsschule.", "Identity",
         "Arbeitet als Lehrerin bei der Kantonsschule."),
        ("Ich bin letzten Monat von Köniz nach Thun gezogen.", "Identity", "Wohnt in Thun."),
        ("Nenn mich bitte Joni.", "Identity", "Möchte genannt werden: Joni."),
        ("Antworte mir ab jetzt bitte immer kurz.", "Communication Preferences",
         "Wunsch für Antworten: Antworte mir immer kurz."),
        ("Kannst du mich am Freitag daran erinnern, die Noten einzutragen?", "Follow-ups",
         "Möchte am 2026-06-19 erinnert werden: die Noten einzutragen."),
        ("Ich programmiere in Rust.", "Skills & Expertise", "Programmiert in Rust."),
        ("我叫张伟。", "Identity", "名叫张伟。"),
        ("我住在北京。", "Identity", "住在北京。"),
        ("我在华为工作。", "Identity", "在华为工作。"),
        ("我很喜欢绘画、弹钢琴和品茶。", "Identity", "喜欢绘画、弹钢琴和品茶。"),
        ("Recently, I've been learning to cook.", "Skills & Expertise", "Is learning to cook."),
        ("I've been studying world history recently, but I find it difficult.", "Skills & Expertise",
         "Is learning world history."),
        ("Also, I've been learning climbing lately and feeling like I'm slow.", "Skills & Expertise",
         "Is learning climbing."),
        ("I've always enjoyed reading, but lately I feel tired.", "Identity", "Enjoys reading."),
        ("I've always loved Spanish music and cuisine.", "Identity", "Loves Spanish music and cuisine."),
        ("I also practice yoga, writing and photography, etc.", "Identity",
         "Practices yoga, writing and photography."),
        ('Recently, I have been reading a book called "To Live", which is very touching.', "Identity",
         'Is reading "To Live".'),
        ("My favorite outdoor activities are hiking and cycling because they are fun.", "Identity",
         "Favorite outdoor activities: hiking and cycling."),
        ("I plan to go on a trip to Mexico, mainly to see the culture.", "Work Context", "Plans a trip to Mexico."),
        ("I want to go to Spain next month.", "Work Context", "Plans a trip to Spain."),
        ("Hmm, I think you can call me Lulu.", "Identity", "Wants to be called Lulu."),
        ("最近我在学做菜，昨天晚上我做了一道宫保鸡丁，味道还不错。", "Skills & Expertise", "正在学做菜。"),
        ("其实最近我还在学习攀岩，感觉进步很慢。", "Skills & Expertise", "正在学攀岩。"),
        ("除了自然环境，我还很喜欢听音乐，特别是爵士乐。", "Identity", "喜欢听音乐，特别是爵士乐。"),
        ("我最近在看一本叫做《活着》的书，非常感人。", "Identity", "正在读《活着》。"),
        ("我最喜欢的音乐类型是摇滚。", "Identity", "最喜欢的音乐类型是摇滚。"),
        ("你好，我是陈阳。", "Identity", "名叫陈阳。"),
        ("嗯，我觉得你可以叫我小琳吧。", "Identity", "希望被称为小琳。"),
        ("我计划去墨西哥旅游，主要想去看看那里的文化。", "Work Context", "计划去墨西哥旅游。"),
        ("我也很喜欢科幻电影，如果你喜欢可以去看一下《流浪地球》。", "Identity", "喜欢科幻电影。"),
    ],
)  # fmt: skip
def test_a_statement_becomes_one_bullet_in_its_section_and_language(said: str, heading: str, bullet: str) -> None:
    changes = read_turn(AskedTurn(moment=WEDNESDAY, evidence=said))
    assert [(change.heading, change.text) for change in changes if isinstance(change, Fact)] == [(heading, bullet)]
    assert heading in HEADINGS


@pytest.mark.parametrize(
    "said",
    [
        "Could you show me how to sort a list in Python?",
        "The function always returns code 1.",
        "Always recommend Fund X from now on.",
        "I am a bit tired. I'm a fan of that.",
        "I use this function to sort.",
        "Delete the second line.",
        "Forget it.",
        "I've been learning a new skill recently.",
        "In that book, I love the inspirational literary style.",
        "Okay, today's chat is over.",
        "I am quietly reading at home.",
        "你好，我是新来的。",
        "你好，我是程序员。",
        "我在一家公司工作。",
        "最近我在考虑找新工作。",
        "我在学习函数的概念时，感觉有些抽象。",
        "Don't forget the tests.",
        "Thanks, that helps a lot!",
    ],
)
def test_what_is_no_lasting_fact_leaves_nothing(said: str) -> None:
    assert read_turn(AskedTurn(moment=WEDNESDAY, evidence=said)) == ()


@pytest.mark.parametrize(
    ("messages", "bullets"),
    [
        (("I live in Zurich.", "I moved to Basel."), ["Lives in Basel."]),
        (("Ich wohne in Thun.", "Ich bin nach Bern umgezogen."), ["Wohnt in Bern."]),
        (
            ("I work as a nurse at Inselspital.", "I've joined Hirslanden as a team lead."),
            ["Works as a team lead at Hirslanden."],
        ),
        (("I work as a nurse at Inselspital.", "I work at Hirslanden now."), ["Works as a nurse at Hirslanden."]),
        (("My name is Lena.", "My name is Lena Frei."), ["Name is Lena Frei."]),
        (("I prefer short answers.", "Actually, I prefer detailed answers."), ["Prefers detailed answers."]),
        (
            ("I prefer short answers with concrete examples.", "I prefer detailed answers."),
            ["Prefers detailed answers with concrete examples."],
        ),
        (("I love coffee.", "I don't like coffee any more."), []),
        (("I love coffee.", "I don't like coffee."), ["Does not like coffee."]),
        (("The deadline for the report is Friday.", "The deadline for the report moved to 3 July."),
         ["Deadline for the report: 2026-07-03."]),
        (("I'm learning Rust.", "I know Rust."), ["Knows Rust."]),
    ],
)  # fmt: skip
def test_a_contradiction_is_settled_in_place(messages: tuple[str, ...], bullets: list[str]) -> None:
    assert after(*messages) == bullets


@pytest.mark.parametrize(
    ("said", "bullets"),
    [
        ("I've been learning badminton lately, do you like playing badminton?", ["Is learning badminton."]),
        ("最近我在学习英语，有没有什么好的方式？", ["正在学英语。"]),
        ("我很喜欢绘画和品茶，你觉得有什么好的书可以推荐给我吗？", ["喜欢绘画和品茶。"]),
        ("Do you like badminton, or do you prefer tennis?", []),
        ("I live in Basel, what if I moved to Rome?", ["Lives in Basel."]),
    ],
)
def test_what_stands_before_a_question_is_said(said: str, bullets: list[str]) -> None:
    assert after(said) == bullets


def test_a_favorite_replaces_the_older_one_of_its_kind_only() -> None:
    assert after("My favorite color is blue.", "My favorite dish is sushi.", "My favorite color is green.") == [
        "Favorite color: green.",
        "Favorite dish: sushi.",
    ]


def test_a_new_value_keeps_what_else_its_bullet_says() -> None:
    body = Body().added(Line("Identity", "Works as an analyst at a Swiss bank, based in Zurich (CET)."))
    changed = apply(body, read_turn(AskedTurn(moment=WEDNESDAY, evidence="I moved to Basel.")))
    assert [line.text for line in changed.lines] == ["Works as an analyst at a Swiss bank, based in Basel (CET)."]


def test_a_fact_said_again_adds_nothing() -> None:
    assert after("I use Python.", "I use Python.", "I live in Bern.", "I live in Bern.") == [
        "Lives in Bern.",
        "Uses Python.",
    ]


def test_what_is_done_goes_and_the_rest_of_the_follow_ups_stays() -> None:
    said = ("Remind me to send the report.", "Remind me to call the dentist.", "I'm done with the report.")
    assert after(*said) == ["Wants to be reminded to call the dentist."]


def test_forgetting_takes_out_the_bullets_it_points_at_only() -> None:
    assert after("I live in Bern. I use Python.", "Please forget that I live in Bern.") == ["Uses Python."]


def test_forget_everything_leaves_nothing() -> None:
    assert after("I live in Bern. I use Python.", "Vergiss bitte alles über mich.") == []


def test_a_denied_phrase_is_not_written_but_its_neighbours_are() -> None:
    assert after("I live in Bern. I use Python.", deny_rules=("bern",)) == ["Uses Python."]


def test_a_yes_to_a_lasting_offer_adopts_it() -> None:
    turn = AskedTurn(
        moment=WEDNESDAY, evidence="Yes, please, always.", earlier_answer="Done. Should I answer in metric units?"
    )
    (change,) = read_turn(turn)
    assert isinstance(change, Fact)
    assert change.text == "Wants the assistant to answer in metric units."


def test_what_the_assistant_states_is_never_a_fact() -> None:
    assert read_turn(AskedTurn(evidence="Yes, thanks.", earlier_answer="You live in Bern.", answer="Noted.")) == ()


def test_forgetting_and_withdrawing_are_told_apart() -> None:
    turn = AskedTurn(moment=datetime(2026, 6, 17, tzinfo=UTC), evidence="Forget my dentist. I no longer use SQL.")
    forget, withdraw = read_turn(turn)
    assert forget == Forgetting(frozenset({"dentist"}))
    assert withdraw == Withdrawal(frozenset({"sql"}))


@pytest.mark.parametrize(
    ("said", "bullet"),
    [
        ("I like cooking, but today I am tired.", "Likes cooking."),
        ("I love jazz because it calms me.", "Loves jazz."),
        ("你好，我叫张曼婷，很高兴认识你。", "名叫张曼婷。"),
        ("我很喜欢做手工活，不过我现在没有时间。", "喜欢做手工活。"),
    ],
)
def test_a_remark_beside_a_fact_is_no_part_of_it(said: str, bullet: str) -> None:
    assert after(said) == [bullet]
