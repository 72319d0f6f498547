"""Reading files of facts: JSON lines, Markdown, exports; whatever stands in them, no line stops another."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.domain.errors import InvalidInput
from context_memory.domain.facts.admitting import Unfit, Written
from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.files.json_lines import json_lines
from context_memory.domain.facts.files.lines import MOST_LINES, Line, entries
from context_memory.domain.facts.files.markdown import markdown
from tests.support.growth import LIKE_THE_LENGTH, growth, repeated

NO_FACT = Unfit.UNREADABLE
WORDS = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="#-*+_"), min_size=1).filter(str.strip)
TEXTS = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
TIERS = st.sampled_from([Tier.CORE, Tier.CONTEXTUAL, Tier.ARCHIVAL])


@given(st.lists(st.tuples(TIERS, TEXTS), max_size=20))
def test_bullets_under_headings_of_tiers_come_back_as_they_were_written(facts: list[tuple[Tier, str]]) -> None:
    file = "\n".join(f"# {tier.value}\n- {text}" for tier, text in facts)
    expected = [Written(text=text, tier=tier) for tier, text in facts]
    assert [line.brought for line in markdown(file, "markdown")] == expected


@given(st.lists(TEXTS, max_size=20))
def test_texts_on_lines_of_json_come_back_as_they_were_written(texts: list[str]) -> None:
    file = "\n".join(json.dumps(text) for text in texts)
    assert [line.brought for line in json_lines(file, "jsonl")] == [Written(text=text) for text in texts]


@given(st.text())
def test_any_text_is_read_line_by_line_and_never_fails(text: str) -> None:
    for lines in (json_lines(text, "jsonl"), markdown(text, "markdown")):
        assert all(isinstance(line.brought, Written | Unfit) for line in lines)
        assert [line.number for line in lines] == sorted({line.number for line in lines})


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(["text", "tier", "keywords", "created_at"]), inner)
        ),
        max_leaves=8,
    )
)
def test_any_value_of_json_is_an_entry_or_none(value: object) -> None:
    (line,) = entries([value], "facts")
    assert isinstance(line.brought, Written | Unfit)


def test_a_file_of_markdown_is_read_as_people_write_it() -> None:
    file = (
        "\ufeffSome words first.\r\n"
        "- Before any heading\r\n\r\n"
        "##  CORE ##\r\n"
        "* Answers in\r\n"
        "  German,\r\n"
        "always.\r\n"
        "---\r\n"
        "    + deeper\r\n"
        "# Things about work\r\n"
        "- 12 * 12 # is 144\r\n"
        "#hashtag\r\n"
        "# ephemeral\r\n"
        "- Only today"
    )
    assert list(markdown(file, "markdown")) == [
        Line(1, NO_FACT),
        Line(2, Written(text="Before any heading")),
        Line(5, Written(text="Answers in German, always.", tier=Tier.CORE)),
        Line(9, Written(text="deeper", tier=Tier.CORE)),
        Line(11, Written(text="12 * 12 # is 144 #hashtag")),
        Line(14, Written(text="Only today", tier=Tier.EPHEMERAL)),
    ]


def test_lines_of_json_are_counted_with_the_blank_ones() -> None:
    file = '\ufeff{"text": "a b", "tier": "core"}\r\n\n{"text": \n"c\u2028d"\n[1]\nNaN\n'
    assert list(json_lines(file, "jsonl")) == [
        Line(1, Written(text="a b", tier=Tier.CORE)),
        Line(3, NO_FACT),
        Line(4, Written(text="c\u2028d")),
        Line(5, NO_FACT),
        Line(6, NO_FACT),
    ]


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"tier": "core"},
        {"text": 1},
        {"text": "a", "tier": "x"},
        {"text": "a", "tier": ["core"]},
        {"text": "a", "keywords": "b"},
        {"text": "a", "keywords": [1]},
        {"text": "a", "created_at": 1},
        {"text": "a", "created_at": "2026-06-17"},
        {"text": "a", "created_at": "2026-06-17T11:40:00"},
        {"text": "a", "last_confirmed_at": "0001-01-01T00:00:00+14:00"},
    ],
    ids=repr,
)
def test_an_entry_with_anything_wrong_is_no_fact(value: object) -> None:
    assert entries([value], "facts") == [Line(1, NO_FACT)]


def test_an_entry_of_an_export_is_read_with_its_dates_in_utc_and_without_its_source() -> None:
    value = {
        "text": "a",
        "tier": "archival",
        "keywords": ["b"],
        "created_at": "2026-06-17T13:40:00+02:00",
        "last_confirmed_at": "2026-06-18T00:00:00Z",
        "source": {"turn_id": "t1"},
        "uses": 3,
        "embedding": [1, 2],
    }
    (line,) = entries([value], "facts")
    assert line.brought == Written(
        text="a",
        tier=Tier.ARCHIVAL,
        keywords=("b",),
        stated_at=datetime(2026, 6, 17, 11, 40, tzinfo=UTC),
        confirmed_at=datetime(2026, 6, 18, tzinfo=UTC),
    )


@pytest.mark.parametrize("read", [json_lines, markdown])
def test_too_many_facts_are_refused_by_the_name_of_their_field(read: object) -> None:
    with pytest.raises(InvalidInput, match="file"):
        (json_lines if read is json_lines else markdown)("- x\n" * (MOST_LINES + 1), "file")


@pytest.mark.parametrize(
    ("begin", "piece", "end"), [("", "#", ""), ("# ", " #", "x"), ("", "- ", ""), ("", "*", "x"), ("", "[", "")]
)
def test_the_time_of_reading_a_file_grows_like_its_length(begin: str, piece: str, end: str) -> None:
    def read(middle: str) -> None:
        json_lines(begin + middle + end, "jsonl")
        markdown(begin + middle + end, "markdown")

    assert growth(read, repeated(piece), 20_000) < LIKE_THE_LENGTH
