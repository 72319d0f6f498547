"""Trimming a profile that is to be stored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from context_memory.domain.budget import counting
from context_memory.domain.budget.plan import Candidate, plan, together
from context_memory.domain.budget.priority import ranks
from context_memory.domain.profile import pin_of
from context_memory.domain.rendering import render, render_body

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from context_memory.domain.profile import Profile, Section
    from context_memory.domain.tokens import Tokenizer


def fit(
    profile: Profile,
    cap: int,
    tokenizer: Tokenizer,
    *,
    pins: frozenset[str],
    today: date,
    written: Mapping[tuple[Section, str], date],
) -> Profile:
    """Trim a profile until its file has at most `cap` tokens; the marker is set if something went, else removed.

    Args:
        profile: as it is to be stored, its four fields included: they count.
        cap: tokens of the whole file. Below what the file costs without any bullet, that is what is left.
        tokenizer: of the model in use.
        pins: the user's pinned bullets (`profile.pin_of`), which go last.
        today: the day that decides which follow-ups are past.
        written: when bullets were last written, as `ranks` takes it.
    """
    whole, marked = replace(profile, truncated=False), replace(profile, truncated=True)
    if tokenizer.count(render(whole)) <= cap:
        return whole
    bullets = list(profile.bullets.items())
    frame = counting.frame(tokenizer, render(whole).removesuffix(render_body(profile.bullets)))
    candidates = [
        Candidate(section, counting.bullet(tokenizer, bullet), rank, pinned=pin_of(section, bullet) in pins)
        for (section, bullet), rank in zip(bullets, ranks(profile.bullets, today=today, written=written), strict=True)
    ]
    target = cap
    while True:
        planned = plan(candidates, frame, target)
        kept = [bullets[number] for number in planned.kept]
        if planned.room is not None:
            kept = [(section, cut) for section, bullet in kept if (cut := _cut(bullet, planned.room, tokenizer))]
        trimmed = marked.with_bullets(together(kept))
        # Pieces add up to the whole in every encoding that we know; should one not do so, aim lower.
        excess = tokenizer.count(render(trimmed)) - cap
        if excess <= 0 or not kept:
            return trimmed
        target -= excess


def _cut(bullet: str, room: int, tokenizer: Tokenizer) -> str | None:
    """The beginning of a bullet that costs at most `room` tokens, None when there is none."""
    # Only here does the budget need the Markdown reader, which load must not import.
    from context_memory.domain.reading import canonical_bullet  # noqa: PLC0415 - see the line above

    limit = room
    while limit > 0 and (cut := canonical_bullet(tokenizer.head(bullet, limit))):
        excess = counting.bullet(tokenizer, cut) - room
        if excess <= 0:
            return cut
        limit -= excess
    return None
