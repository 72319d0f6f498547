"""The budget, counted by the real tokenizer: no stored file and no shown one is above its cap, figures are no less."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.budget import BudgetIndex, build_index, fit, view
from context_memory.domain.profile import Bullets, Profile, Section, pin_of
from context_memory.domain.reading import canonical_bullet
from context_memory.domain.rendering import render

if TYPE_CHECKING:
    from context_memory.adapters.tiktoken_tokenizer import TiktokenTokenizer

TODAY = date(2026, 6, 17)
# What encodings take apart in ways of their own, and what Markdown takes for its own.
PIECES = st.sampled_from(
    [
        "Works as a radiographer in Bern.", "Prefers short answers", "don't", " ", "\n", "\n\n", "1234567890", "//",
        "2026-06-17", "我在苏黎世的一家银行工作。", "日本語で答えてほしい", "مرحبا بالعالم", "👩🏽‍🚀", "<|endoftext|>",
        "```", "---", "## Identity", "- ", "`code`", "…", "https://example.org/a_b?c=1", "ÄÖÜ", "x" * 90,
        "    indented", "*", "\t",
    ]
)  # fmt: skip
BULLETS = st.lists(PIECES, min_size=1, max_size=25).map("".join).map(canonical_bullet).filter(bool)
SECTIONS = st.dictionaries(st.sampled_from(Section), st.lists(BULLETS, max_size=8), max_size=6)
PROFILES = st.builds(
    lambda sections, count: Profile(
        user_id="lena@example.org",
        bullets=Bullets.of(sections),
        turn_count=count,
        last_updated=datetime(2026, 6, 17, 11, 40, tzinfo=UTC),
    ),
    SECTIONS,
    st.integers(0, 10_000),
)
# Down to what a file costs without any bullet; below it nothing can help.
CAPS = st.one_of(st.integers(150, 600), st.sampled_from([500, 1_000, 2_000, 8_000]))
QUICK = settings(max_examples=60, deadline=None)


def some_pins(profile: Profile) -> frozenset[str]:
    return frozenset(pin_of(section, bullet) for section, bullet in list(profile.bullets.items())[::5])


@QUICK
@given(profile=PROFILES, cap=CAPS)
def test_a_fitted_file_is_within_its_cap_by_true_count(
    tokenizer: TiktokenTokenizer, profile: Profile, cap: int
) -> None:
    fitted = fit(profile, cap, tokenizer, pins=some_pins(profile), today=TODAY, written={})
    assert tokenizer.count(render(fitted)) <= cap
    if tokenizer.count(render(profile)) <= cap:
        assert fitted == profile


@QUICK
@given(profile=PROFILES, cap=CAPS)
def test_a_shown_file_is_within_its_cap_and_costs_no_more_than_it_says(
    tokenizer: TiktokenTokenizer, profile: Profile, cap: int
) -> None:
    text = render(profile)
    file = text.encode()
    index = BudgetIndex.from_json(build_index(profile, text, [tokenizer], {}, TODAY).to_json())
    shown = view(file, index, cap=cap, encoding=tokenizer.encoding, pins=some_pins(profile))
    whole = tokenizer.count(file[: index.body].decode() + shown.memory)
    assert whole <= shown.tokens <= cap
    assert tokenizer.count(shown.prompt or "") <= shown.prompt_tokens
    if not shown.trimmed:
        assert (whole, tokenizer.count(shown.prompt or "")) == (shown.tokens, shown.prompt_tokens)


@QUICK
@given(profile=PROFILES, cap=CAPS)
def test_an_encoding_that_nobody_counted_in_stays_within_the_cap_of_the_one_counted(
    tokenizer: TiktokenTokenizer, profile: Profile, cap: int
) -> None:
    text = render(profile)
    index = build_index(profile, text, [tokenizer], {}, TODAY)
    known, unknown = (
        view(text.encode(), index, cap=cap, encoding=name, pins=frozenset()) for name in (tokenizer.encoding, "other")
    )
    assert known == unknown
