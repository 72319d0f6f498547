from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.recall.markers import defused, marker, markers, rewritten
from tests.support.growth import LIKE_THE_LENGTH, growth, repeated

ID, OTHER = "0123456789abcdef0123", "fedcba9876543210fedc"
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
PIECES = st.sampled_from(["[", "[[", "]", "]]", "cite", ":", "mem", ID, " ", "\n", "\\", "x", "Cite:Mem:"])


def everything(_: str) -> bool:
    return True


def nothing(_: str) -> bool:
    return False


@pytest.mark.parametrize(
    "spelled",
    [
        f"[[cite:mem:{ID}]]",
        f"[[CITE:Mem:{ID.upper()}]]",
        f"[[cite:mem: {ID} ]]",
        f"[[ cite : mem : {ID} ]]",
        f"[ [cite:mem:{ID}] ]",
        f"[[ci\nte:mem:{ID[:7]}\n{ID[7:]}]\n]",
        f"[[cite:\r\nmem:{ID[:7]} {ID[7:]}]]",
        rf"\[\[cite:mem:{ID}\]\]",
    ],
)
def test_a_marker_is_read_however_pieces_of_an_answer_were_joined_and_comes_back_as_it_was_given(spelled: str) -> None:
    answer = f"You live in Basel {spelled}, I think."
    assert [found.ids for found in markers(answer)] == [(ID,)]
    assert rewritten(answer, everything) == f"You live in Basel {marker(ID)}, I think."
    assert rewritten(answer, nothing) == "You live in Basel, I think."


@pytest.mark.parametrize(
    "spelled", [f"[[cite:mem:{ID}, {OTHER}]]", f"[[cite:mem:{ID}; mem:{OTHER}]]", f"[[cite:mem:{ID}|cite:mem:{OTHER}]]"]
)
def test_several_facts_in_one_marker_are_told_apart(spelled: str) -> None:
    assert rewritten(f"Both {spelled}.", everything) == f"Both {marker(ID)}{marker(OTHER)}."
    assert rewritten(f"Both {spelled}.", OTHER.__eq__) == f"Both {marker(OTHER)}."


@pytest.mark.parametrize("cut", ["", "]", "\\]", " "])
def test_a_marker_that_the_end_of_an_answer_cut_off_is_one(cut: str) -> None:
    assert rewritten(f"In Basel [[cite:mem:{ID}{cut}", everything) == f"In Basel {marker(ID)}"
    assert rewritten(f"In Basel [[cite:mem:{ID[:9]}{cut}", ID.__eq__) == "In Basel"


@pytest.mark.parametrize("invented", ["fact-about-dogs", "", "1", "<id>", "…", "x" * 200])
def test_whatever_stands_in_a_marker_it_is_no_text_for_anybody(invented: str) -> None:
    answer = f"Yes [[cite:mem:{invented}]]."
    assert len(list(markers(answer))) == 1
    assert rewritten(answer, ID.__eq__) == "Yes."


@pytest.mark.parametrize(
    "text",
    [
        "[cite:mem:1]",
        "[[cite:web:1]]",
        "[[mem:1]]",
        "[[excite:mem:1]]",
        "a[[b]]",
        f"[[cite:mem:{'x' * 500}]]",
        "((cite:mem:1))",
        "[[cite:mem:a[0]]]",
    ],
)
def test_what_is_no_marker_of_ours_stays(text: str) -> None:
    assert rewritten(text, nothing) == text


def test_brackets_around_a_marker_are_the_answers_own() -> None:
    assert rewritten(f"[{marker(ID)}](x)", nothing) == "[](x)"


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        (f"A boat {marker(ID)}{marker(OTHER)}.", "A boat."),
        (f"A boat {marker(ID)} {marker(OTHER)}.", "A boat."),
        (f"A boat {marker(ID)}", "A boat"),
        (f"A boat {marker(ID)} and a dog.", "A boat and a dog."),
        (f"A boat {marker(ID)}and a dog.", "A boat and a dog."),
        (f"A boat  {marker(ID)}.", "A boat ."),
        (f"- {marker(ID)}x", "- x"),
    ],
)
def test_what_is_taken_out_leaves_words_apart_and_no_sentence_torn(answer: str, left: str) -> None:
    assert rewritten(answer, nothing) == left


def test_a_blank_before_a_marker_that_stays_in_part_stays() -> None:
    assert rewritten(f"A boat {marker(ID)}{marker(OTHER)}.", OTHER.__eq__) == f"A boat {marker(OTHER)}."


@given(
    before=st.lists(PIECES, max_size=30).map("".join) | TEXTS, ids=st.lists(st.sampled_from([ID, OTHER]), max_size=4)
)
def test_text_between_markers_stays_byte_for_byte(before: str, ids: list[str]) -> None:
    text = re.sub(r"[\[\]\\]", "", before)  # brackets of the text and of a marker beside it may make another marker
    answer = "".join(f"{text}{marker(one)}" for one in ids) + text
    assert rewritten(answer, everything) == answer
    if not text.endswith(" "):
        assert rewritten(answer, nothing) == text * (len(ids) + 1)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_what_is_taken_out_leaves_everything_around_it_but_blanks(answer: str) -> None:
    position, kept = 0, []
    for found in markers(answer):
        assert "cite" in "".join(answer[found.start : found.end].split()).casefold()
        kept.append(answer[position : found.start])
        position = found.end
    around = "".join((*kept, answer[position:]))
    assert rewritten(answer, nothing).replace(" ", "") == around.replace(" ", "")
    assert around.count(" ") - rewritten(answer, nothing).count(" ") <= len(kept)


@given(st.lists(PIECES, max_size=40).map("".join) | TEXTS)
def test_no_fact_can_pass_for_a_marker(text: str) -> None:
    inside = f"- {defused(text)} {marker(ID)}"
    assert [found.ids for found in markers(inside)] == [(ID,)]
    assert "cite" in text or defused(text) == text or "cite" in "".join(text.split()).casefold()


@pytest.mark.parametrize(("begin", "piece"), [("", "["), ("", "[[cite:mem:"), ("", "[ "), ("[[cite:mem:", " ")])
def test_the_time_of_reading_an_answer_grows_like_its_length(begin: str, piece: str) -> None:
    def read(rest: str) -> None:
        rewritten(begin + rest, nothing)
        defused(begin + rest)

    assert growth(read, repeated(piece), 20_000) < LIKE_THE_LENGTH
