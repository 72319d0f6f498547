from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from context_memory.domain.errors import ProfileBlank, ProfileNotUtf8, ProfileOwnerMismatch
from context_memory.domain.profile import NEVER, Bullets, Profile, Section
from context_memory.domain.reading import read_committed, read_legacy
from context_memory.domain.rendering import render

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "cases" / "stored_files.json").read_text(encoding="utf-8")
)["cases"]
USUAL = Bullets(
    identity=("Lena works as a radiographer in Bern.",),
    communication=("Prefers short answers.",),
    skills=("Reads CT and MRI images.",),
)
OTHERWISE = {
    "no title, older heading and order": Bullets(
        identity=("A.",), follow_ups=("C.",), topics=("2026-06-17 11:40 UTC: B.",)
    ),
    "a section of the user's own": USUAL.with_section(Section.WORK, ("Hobbies: Chess.",)),
    "body with two horizontal rules and no frontmatter": USUAL.with_section(Section.TOPICS, ("end",)),
    "only frontmatter": Bullets(),
}


def of_kind(*beginnings: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "case",
        [pytest.param(case, id=case["name"]) for case in CASES if case["is"].startswith(beginnings)],
    )


def read(text: str, *, committed: bool = True) -> Profile:
    profile = (read_committed if committed else read_legacy)(text.encode(), owner="u1")
    assert profile is not None
    return profile


@of_kind("ok", "shown")
def test_a_stored_file_is_read_whole(case: dict[str, Any]) -> None:
    profile = read(case["text"])
    assert profile.bullets == OTHERWISE.get(case["name"], USUAL)
    assert profile.turn_count == case["turn_count"]
    assert profile.user_id == "u1"
    assert profile.truncated == (case["name"] == "truncation marker")
    assert profile.schema_version == (2 if case["name"] == "newer schema" else 1)


@of_kind("ok", "shown")
def test_what_was_read_and_written_is_read_the_same(case: dict[str, Any]) -> None:
    profile = read(case["text"])
    assert read(render(profile)) == profile


@of_kind("refused: owner")
def test_a_file_of_another_owner_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(ProfileOwnerMismatch) as refusal:
        read(case["text"])
    assert "u2" not in str(refusal.value)


@of_kind("committed: refused")
def test_a_blank_file_is_an_error_when_committed_and_absent_when_legacy(case: dict[str, Any]) -> None:
    for body in (case["text"].encode(), b"\xef\xbb\xbf" + case["text"].encode()):
        with pytest.raises(ProfileBlank):
            read_committed(body, owner="u1")
        assert read_legacy(body, owner="u1") is None


@of_kind("refused: not UTF-8")
@pytest.mark.parametrize("committed", [True, False])
def test_bytes_that_are_no_utf8_are_refused_and_not_shown_to_logs(case: dict[str, Any], committed: bool) -> None:  # noqa: FBT001 - a parameter
    body = case["text"].replace("0xE9", "\xe9").encode("latin-1")
    with pytest.raises(ProfileNotUtf8) as refusal:
        (read_committed if committed else read_legacy)(body, owner="u1")
    assert refusal.value.__cause__ is None
    assert refusal.value.__suppress_context__


def test_every_case_of_the_file_is_run() -> None:
    kinds = ("ok", "shown", "refused: owner", "committed: refused", "refused: not UTF-8")
    assert all(case["is"].startswith(kinds) for case in CASES)
    assert len(CASES) == 22


def test_a_file_as_we_write_it_comes_back_byte_for_byte() -> None:
    text = CASES[0]["text"]
    assert render(read(text)) == text


def test_unknown_fields_survive_a_rewrite_in_their_order() -> None:
    text = CASES[0]["text"].replace(
        "turn_count: 7\n", "turn_count: 7\nnote: keep me\ntags:\n- a\n- 2\ndue: 2026-07-01\n"
    )
    assert render(read(text)) == text


@pytest.mark.parametrize(
    ("written", "second"),
    [
        ("2026-06-17T12:00:00Z", "2026-06-17T12:00:00+00:00"),
        ("2026-06-17T14:00:00+02:00", "2026-06-17T12:00:00+00:00"),
        ("2026-06-17 12:00:00", "2026-06-17T12:00:00+00:00"),
        ("'2026-06-17T12:00:00.900Z'", "2026-06-17T12:00:00+00:00"),
        ("2026-06-17", "2026-06-17T00:00:00+00:00"),
        ("2026-13-45", NEVER.isoformat()),
        ("soon", NEVER.isoformat()),
        ("0001-01-01T00:00:00+14:00", NEVER.isoformat()),
        ("[1, 2]", NEVER.isoformat()),
    ],
)
def test_the_time_of_the_last_change_is_utc_or_never(written: str, second: str) -> None:
    text = f"---\nuser_id: u1\nlast_updated: {written}\nturn_count: 3\n---\n## Identity\n- A.\n"
    profile = read(text)
    assert profile.last_updated.isoformat() == second
    assert profile.turn_count == 3


@pytest.mark.parametrize(
    ("written", "count"),
    [("7", 7), ("'7'", 7), ("007", 7), ("0x10", 0), ("-1", 0), ("7.0", 0), ("", 0), ("true", 0), ("9" * 5000, 0)],
)
def test_a_count_that_cannot_be_read_is_zero(written: str, count: int) -> None:
    assert read(f"---\nuser_id: u1\nturn_count: {written}\n---\n").turn_count == count


@pytest.mark.parametrize(("written", "version"), [("1", 1), ("2.1", 2), ('"2 (beta)"', 2), ("", 1), ("new", 1)])
def test_a_newer_schema_is_never_taken_for_ours(written: str, version: int) -> None:
    assert read(f"---\nuser_id: u1\nschema_version: {written}\n---\n").schema_version == version


@pytest.mark.parametrize("owner", ["007", "1e3", "yes", "null", "~", "2026-06-17", "0x1F", "12_000"])
def test_an_owner_is_text_even_when_yaml_would_read_something_else(owner: str) -> None:
    profile = read_committed(f"---\nuser_id: {owner}\n---\n- A.\n".encode(), owner=owner)
    assert profile.user_id == owner


def test_rules_around_prose_are_no_frontmatter() -> None:
    profile = read("---\nAn introduction: short.\n---\n## Identity\n- A.\n")
    assert profile.bullets == Bullets(identity=("A.",), work=("An introduction: short.",))
    assert profile.turn_count == 0


def test_text_before_the_first_heading_is_kept_before_that_of_unknown_headings() -> None:
    profile = read("Met in May.\n\n## Pets\n- A cat.\n- A dog.\n\n## Work Context\n- Night shifts.\n\n## Cars:\nnone\n")
    assert profile.bullets.work == ("Night shifts.", "Met in May.", "Pets: A cat.", "Pets: A dog.")


@pytest.mark.parametrize("field", ["user_id", "turn_count", "schema_version"])
def test_a_field_that_would_unfold_without_end_is_never_written_out(field: str) -> None:
    aliases = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{number}: &a{number} [{', '.join([f'*a{number - 1}'] * 9)}]\n" for number in range(1, 12)
    )
    text = f"---\n{aliases}{field}: *a11\n---\n# User Memory\n## Identity\n- A.\n"
    if field == "user_id":
        with pytest.raises(ProfileOwnerMismatch):
            read(text)
    else:
        assert (read(text).turn_count, read(text).schema_version) == (0, 1)


def test_nesting_without_end_in_the_frontmatter_is_no_frontmatter() -> None:
    profile = read("---\nuser_id: " + "[" * 5000 + "\n---\n## Identity\n- A.\n")
    assert profile.bullets.identity == ("A.",)


@pytest.mark.parametrize(
    "owner", ["\x85", "a\nb", "\u2028", "a\n---\nb", " lena ", "#1", "- x", "a: b", '"', "'", "\ufeff", "\x07", "🙂"]
)
def test_an_owner_of_any_characters_is_written_so_that_it_is_read_again(owner: str) -> None:
    profile = Profile(owner, Bullets(identity=("A.",)), turn_count=3, extra={"note": owner})
    assert read_committed(render(profile).encode(), owner=owner) == profile


@pytest.mark.parametrize("between", ["- user_id", "user_id", "a: user_id", "user_id: [", "x: y: user_id"])
def test_only_a_mapping_with_one_of_our_fields_is_frontmatter(between: str) -> None:
    profile = read(f"---\n{between}\n---\n## Identity\n- A.\n")
    assert profile.bullets == Bullets(identity=("A.",), work=(between.removeprefix("- "),))
