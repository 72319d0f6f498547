from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.domain.budget import BudgetIndex, build_index, fit, view
from context_memory.domain.profile import Bullets, Profile, Section, fold, pin_of
from context_memory.domain.prompt_section import prompt_section
from context_memory.domain.reading import canonical_bullet, parse
from context_memory.domain.rendering import TRUNCATION_MARKER, render, render_body

if TYPE_CHECKING:
    from context_memory.domain.tokens import Tokenizer

QUICK = settings(max_examples=40, deadline=None)
TODAY = date(2026, 6, 17)
NO_PINS: frozenset[str] = frozenset()
BULLETS = Bullets(
    identity=("I1 works in Bern.", "I2 speaks German."),
    communication=("C1 short answers.", "C2 no emoji."),
    work=("W1 rolls out a scanner.", "W2 night shifts in July."),
    skills=("S1 reads CT.", "S2 reads MRI.\n\n```\n## x\n```"),
    follow_ups=("F1 call Ana.", "F2 paper by 2026-05-01.", "F3 report by 2026-07-01."),
    topics=("2026-06-15 10:00 UTC: T2", "2026-06-10 10:00 UTC: T1", "T0 no stamp"),
)
PROFILE = Profile("u1", BULLETS, turn_count=7)
ORDER = ["T0", "T1", "T2", "F2", "S2", "S1", "W2", "W1", "F3", "F1", "C2", "C1", "I2", "I1"]

TEXTS = st.text(max_size=60) | st.sampled_from(
    ["```\n- x", "## Identity", "a\n\nb", "日本語を話す。", "x" * 900, "🙂" * 90]
)
SOME = st.lists(TEXTS.map(canonical_bullet).filter(bool).map(str), max_size=6).map(tuple)
BODIES = st.builds(Bullets, *[SOME for _ in Section])


def indexed(profile: Profile, *tokenizers: Tokenizer) -> tuple[bytes, BudgetIndex]:
    text = render(profile)
    return text.encode(), build_index(profile, text, tokenizers, {}, TODAY)


def fitted(profile: Profile, cap: int, tokenizer: Tokenizer, pins: frozenset[str] = NO_PINS) -> Profile:
    return fit(profile, cap, tokenizer, pins=pins, today=TODAY, written={})


def marked(bullets: Bullets, tokenizer: Tokenizer) -> int:
    """Tokens of a trimmed file with these bullets."""
    return tokenizer.count(render(Profile("u1", bullets, turn_count=7, truncated=True)))


def names(bullets: Bullets) -> set[str]:
    return {name for name in ORDER if any(name in bullet for _, bullet in bullets.items())}


def test_what_fits_is_stored_whole_and_loses_the_marker(tokenizer: Tokenizer) -> None:
    trimmed = Profile("u1", BULLETS, truncated=True)
    assert fitted(trimmed, 2000, tokenizer) == Profile("u1", BULLETS)


def test_bullets_go_in_the_order_of_priority(tokenizer: Tokenizer) -> None:
    gone: list[str] = []
    for cap in range(tokenizer.count(render(PROFILE)), 0, -1):
        trimmed = fitted(PROFILE, cap, tokenizer)
        left = names(trimmed.bullets)
        gone += [name for name in ORDER if name not in left and name not in gone]
        assert left == set(ORDER[len(gone) :])
        assert trimmed.truncated == bool(gone)
    assert gone == ORDER


def test_pinned_bullets_go_last_of_all_in_the_same_order(tokenizer: Tokenizer) -> None:
    pins = frozenset({pin_of(Section.TOPICS, "T0 no stamp"), pin_of(Section.SKILLS, "S1  reads CT.")})
    cap = marked(Bullets(skills=("S1 reads CT.",), topics=("T0 no stamp",)), tokenizer)
    assert names(fitted(PROFILE, cap, tokenizer, pins).bullets) == {"T0", "S1"}
    assert names(fitted(PROFILE, cap - 1, tokenizer, pins).bullets) == {"S1"}


def test_an_undated_follow_up_is_past_when_it_was_written_long_ago(tokenizer: Tokenizer) -> None:
    profile = Profile("u1", Bullets(skills=("S.",), follow_ups=("Old.", "New."), topics=("T" * 300,)), turn_count=7)
    written = {(Section.FOLLOW_UPS, "Old."): TODAY - timedelta(days=91)}
    left = Bullets(skills=("S.",), follow_ups=("New.",))
    trimmed = fit(profile, marked(left, tokenizer), tokenizer, pins=NO_PINS, today=TODAY, written=written)
    assert trimmed.bullets == left


def test_a_bullet_that_alone_is_too_long_is_cut(tokenizer: Tokenizer) -> None:
    profile = Profile("u1", Bullets(identity=("word " * 5000,), skills=("S.",)))
    trimmed = fitted(profile, 500, tokenizer)
    (left,) = trimmed.bullets.identity
    assert ("word " * 5000).startswith(left)
    assert 480 < tokenizer.count(render(trimmed)) <= 500
    assert trimmed.bullets.skills == ()


def test_a_cut_that_would_read_as_a_placeholder_leaves_nothing(tokenizer: Tokenizer) -> None:
    profile = Profile("u1", Bullets(identity=("None of the meetings start before ten.",)))
    cap = marked(Bullets(), tokenizer) - 1
    for more in range(8):
        assert parse(render_body(fitted(profile, cap + more, tokenizer).bullets)).bullets.identity != ("None",)


@QUICK
@given(BODIES, st.integers(0, 8000) | st.integers(500, 800), st.data())
def test_what_is_stored_is_never_above_the_cap(
    tokenizer: Tokenizer, byte_tokenizer: Tokenizer, bodies: Bullets, cap: int, data: st.DataObject
) -> None:
    counter = data.draw(st.sampled_from([tokenizer, byte_tokenizer]))
    profile = Profile("u1", bodies)
    pins = frozenset(
        pin_of(*item) for item in data.draw(st.sets(st.sampled_from(list(bodies.items()) or [(Section.WORK, "")])))
    )
    trimmed = fitted(profile, cap, counter, pins)
    assert counter.count(render(trimmed)) <= max(cap, marked(Bullets(), counter))
    assert parse(render(trimmed)).bullets == trimmed.bullets
    if trimmed.bullets.identity != bodies.identity:
        others = [item for item in trimmed.bullets.items() if item[0] is not Section.IDENTITY]
        pinned = [item for item in bodies.items() if pin_of(*item) in pins]
        # The last bullet of all may have been cut.
        assert all(
            any(section is other and whole.startswith(text) for other, whole in pinned) for section, text in others
        )


@QUICK
@given(BODIES, st.integers(0, 3000) | st.none())
def test_what_is_shown_is_never_above_the_cap(
    tokenizer: Tokenizer, byte_tokenizer: Tokenizer, bodies: Bullets, cap: int | None
) -> None:
    profile = Profile("u1", bodies)
    body, index = indexed(profile, tokenizer, byte_tokenizer)
    head = body[: index.body].decode()
    for counter in (tokenizer, byte_tokenizer):
        shown = view(body, index, cap=cap, encoding=counter.encoding, pins=NO_PINS)
        assert shown.tokens <= (cap if cap is not None else shown.tokens)
        assert counter.count(head + shown.memory) <= shown.tokens or not shown.memory
        assert counter.count(shown.prompt or "") <= shown.prompt_tokens
        bullets = parse(shown.memory).bullets
        assert shown.prompt == prompt_section(bullets) or shown.tokens == cap
        assert shown.trimmed == (bullets != bodies) or not shown.memory


@QUICK
@given(BODIES, st.integers(40, 3000))
def test_load_and_writing_let_the_same_bullets_go(tokenizer: Tokenizer, bodies: Bullets, cap: int) -> None:
    profile = Profile("u1", bodies)
    body, index = indexed(profile, tokenizer)
    stored = fitted(profile, cap, tokenizer)
    shown = view(body, index, cap=cap, encoding="pattern", pins=NO_PINS)
    of_shown, of_stored = list(parse(shown.memory).bullets.items()), list(stored.bullets.items())
    if len(of_stored) > 1 or of_stored == of_shown:
        assert of_shown == of_stored
    else:  # the only one left is cut, and load, without tokenizer, cuts it shorter
        assert all(long.startswith(short) for (_, short), (_, long) in zip(of_shown, of_stored, strict=False))


@QUICK
@given(BODIES, st.booleans())
def test_an_index_finds_every_bullet_and_survives_json(tokenizer: Tokenizer, bodies: Bullets, truncated: bool) -> None:  # noqa: FBT001 - drawn
    profile = Profile("lena: 1", bodies, truncated=truncated, extra={"note": "# User Memory"})
    body, index = indexed(profile, tokenizer)
    assert BudgetIndex.from_json(index.to_json()) == index
    assert set(index.written_on(body.decode())) == {(section, fold(bullet)) for section, bullet in bodies.items()}
    shown = view(body, index, cap=None, encoding="pattern", pins=NO_PINS)
    assert shown.memory == render_body(bodies, truncated=truncated)
    assert shown.tokens == tokenizer.count(body.decode())
    assert (shown.trimmed, shown.prompt) == (False, prompt_section(bodies))
    assert shown.prompt_tokens == tokenizer.count(shown.prompt or "")


def test_the_day_a_bullet_was_written_is_carried_on_while_it_stands(tokenizer: Tokenizer) -> None:
    first = Profile("u1", Bullets(follow_ups=("Call  Ana.", "Pay.")))
    text = render(first)
    index = build_index(first, text, [tokenizer], {}, date(2026, 1, 1))
    second = Profile("u1", Bullets(follow_ups=("Call Ana.", "Pay soon.")))
    again = build_index(second, render(second), [tokenizer], index.written_on(text), TODAY)
    assert again.written_on(render(second)) == {
        (Section.FOLLOW_UPS, "Call Ana."): date(2026, 1, 1),
        (Section.FOLLOW_UPS, "Pay soon."): TODAY,
    }


def test_an_encoding_that_nobody_counted_in_goes_by_the_largest_figures(
    tokenizer: Tokenizer, byte_tokenizer: Tokenizer
) -> None:
    body, index = indexed(PROFILE, tokenizer, byte_tokenizer)
    unknown = view(body, index, cap=450, encoding="unheard_of", pins=NO_PINS)
    assert unknown == view(body, index, cap=450, encoding="bytes", pins=NO_PINS)
    assert unknown.trimmed
    assert not view(body, index, cap=450, encoding="pattern", pins=NO_PINS).trimmed


def test_a_trimmed_view_says_so_in_the_text_and_keeps_pins(tokenizer: Tokenizer) -> None:
    body, index = indexed(PROFILE, tokenizer)
    pins = frozenset({pin_of(Section.SKILLS, BULLETS.skills[1])})
    shown = view(body, index, cap=index.sizes_in("pattern").total - 60, encoding="pattern", pins=pins)
    assert shown.memory.endswith(f"\n\n{TRUNCATION_MARKER}\n")
    assert BULLETS.skills[1] in parse(shown.memory).bullets.skills
    assert shown.prompt is not None
    assert TRUNCATION_MARKER not in shown.prompt


def test_a_cap_that_leaves_no_room_for_the_headings_shows_nothing(tokenizer: Tokenizer) -> None:
    body, index = indexed(PROFILE, tokenizer)
    shown = view(body, index, cap=10, encoding="pattern", pins=NO_PINS)
    assert (shown.memory, shown.prompt, shown.tokens, shown.prompt_tokens) == ("", None, 0, 0)


def test_the_index_of_a_long_profile_stays_small(tokenizer: Tokenizer) -> None:
    profile = Profile("u1", Bullets(work=tuple(f"Fact number {number} of many." for number in range(800))))
    _, index = indexed(profile, tokenizer)
    assert len(index.to_json()) < 40_000


@pytest.mark.parametrize("cap", [500, 2000, 8000])
def test_fitting_a_long_profile_uses_most_of_the_cap(tokenizer: Tokenizer, cap: int) -> None:
    profile = Profile(
        "u1", Bullets(*(tuple(f"{section} {number}: " + "word " * 9 for number in range(150)) for section in Section))
    )
    tokens = tokenizer.count(render(fitted(profile, cap, tokenizer)))
    assert cap - 60 < tokens <= cap


class DearerTogether:
    """No encoding that we know: a whole costs more than its pieces do."""

    encoding = "dearer"

    def count(self, text: str) -> int:
        return len(text) + (len(text) // 50) ** 2

    def head(self, text: str, limit: int) -> str:
        return text[: max(limit, 0)]

    def tail(self, text: str, limit: int) -> str:
        return text[-limit:] if limit > 0 else ""


def test_even_where_pieces_do_not_add_up_the_cap_holds() -> None:
    counter = DearerTogether()
    trimmed = fitted(PROFILE, 700, counter)
    assert counter.count(render(trimmed)) <= 700
    assert names(trimmed.bullets)
