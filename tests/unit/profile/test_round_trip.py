from __future__ import annotations

import re
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.profile import NEVER, Bullets, Profile, Section
from context_memory.domain.reading import canonical_bullet, parse, read_committed, read_legacy
from context_memory.domain.rendering import TRUNCATION_MARKER, bullet_of, item, render, render_body

QUICK = settings(max_examples=100, deadline=None)
HOSTILE = st.sampled_from(
    [
        "- ", "* ", "+ ", "-", "1. ", "2) ", "17. ", "```", "~~~", "````py", "# ", "## Identity", "## Pets",
        "---", "===",
        "***", "<!--", "-->", "<div>", "</div>", "<script>", "> ", "[a]: /u", "\\", "\t", " ", "  ", "    ", "      ",
        "\n", "\n", "\n\n", "\n  ", "\n    ", "\n\t", "\r\n", "\r", "\x00", "\x0c", "\u00a0", "\u2028", "\ufeff",
        "_(empty)_",
        "none", "**Identity**", "2026-06-17 11:40 UTC: ", "<|endoftext|>", "&amp;", "_", "`", "|", "日本", "é", "word",
        TRUNCATION_MARKER,
    ]
)  # fmt: skip
FRAGMENTS = st.lists(HOSTILE | st.text(max_size=5), max_size=14).map("".join)
BULLETS = FRAGMENTS.map(canonical_bullet).filter(lambda bullet: bullet is not None).map(str)
BODIES = st.builds(Bullets, *[st.lists(BULLETS, max_size=4).map(tuple) for _ in Section])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)
PROFILES = st.builds(
    Profile,
    user_id=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
    bullets=BODIES,
    turn_count=st.integers(0, 10**9),
    last_updated=st.datetimes(datetime(1970, 1, 1), datetime(2999, 1, 1)).map(  # noqa: DTZ001 - made aware right away
        lambda moment: moment.replace(tzinfo=UTC, microsecond=0)
    ),
    schema_version=st.integers(1, 3),
    truncated=st.booleans(),
    extra=st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), VALUES, max_size=2),
)


@QUICK
@given(PROFILES)
def test_what_was_written_is_read_as_it_was(profile: Profile) -> None:
    text = render(profile)
    back = read_committed(text.encode(), owner=profile.user_id)
    assert back == profile
    assert render(back) == text


@QUICK
@given(BODIES, st.booleans(), st.booleans())
def test_a_body_has_nothing_before_behind_or_beside_its_bullets(
    bullets: Bullets,
    truncated: bool,  # noqa: FBT001 - a value that is drawn
    drop: bool,  # noqa: FBT001 - a value that is drawn
) -> None:
    document = parse(render_body(bullets, truncated=truncated), drop_trailing_prose=drop)
    assert document.bullets == bullets
    assert document.filled == document.headed == set(Section)
    assert (document.truncated, document.preamble, document.unknown) == (truncated, (), ())


@QUICK
@given(FRAGMENTS | st.text())
def test_making_a_bullet_of_a_bullet_changes_nothing(text: str) -> None:
    bullet = canonical_bullet(text)
    if bullet is not None:
        assert canonical_bullet(bullet) == bullet
        assert bullet_of(item(bullet)) == bullet
        assert "".join(bullet.split()).removeprefix("\\") == "".join(text.split()).removeprefix("\\")


@QUICK
@given(FRAGMENTS | st.text(), FRAGMENTS)
def test_reading_what_was_read_changes_nothing(start: str, end: str) -> None:
    profile = read_committed(f"{start}\n## Work Context\n- kept\n\n{end}".encode(errors="replace"), owner="u")
    assert profile.last_updated == NEVER
    assert "kept" in "".join(bullet for _, bullet in profile.bullets.items())
    assert read_committed(render(profile).encode(), owner="u") == profile


@QUICK
@given(st.lists(HOSTILE, max_size=30), st.data())
def test_every_word_of_a_file_is_in_some_bullet(pieces: list[str], data: st.DataObject) -> None:
    words = [f"word{number}x" for number in range(len(pieces))]
    kept = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    text = "".join(piece + (word if keep else "") for piece, word, keep in zip(pieces, words, kept, strict=True))
    profile = read_legacy(text.encode(), owner="u")
    found = "\n".join(bullet for _, bullet in profile.bullets.items()) if profile else ""
    lost = [word for word, keep in zip(words, kept, strict=True) if keep and word not in found]
    # The words of a heading go with it when nothing stands below it.
    headings = re.compile(r"^[ \t]*#|\n[ \t]*(?:=+|-+)[ \t]*(?:\n|$)", re.MULTILINE)
    assert not lost or headings.search(text.replace("\r\n", "\n").replace("\r", "\n"))
