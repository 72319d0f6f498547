"""Taking the notes, when a profile is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.budget import counting
from context_memory.domain.budget.index import BudgetIndex, Entry, Sizes
from context_memory.domain.budget.priority import ranks
from context_memory.domain.profile import Section, fold
from context_memory.domain.prompt_section import OPENING, TAGS_BYTES, prompt_section
from context_memory.domain.prompt_section import heading as prompt_heading
from context_memory.domain.rendering import PLACEHOLDER, TITLE, heading, item, render_body

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from context_memory.domain.profile import Bullets, Profile
    from context_memory.domain.tokens import Tokenizer


def build_index(
    profile: Profile,
    text: str,
    tokenizers: Sequence[Tokenizer],
    written: Mapping[tuple[Section, str], date],
    today: date,
) -> BudgetIndex:
    """Note where each bullet stands, what it costs, when it was written and when it goes.

    Args:
        profile: what is stored.
        text: its file, as `rendering.render` spells it.
        tokenizers: at least one; load in another encoding goes by the largest figures.
        written: what the index before knew (`BudgetIndex.written_on`); bullets that it does not hold are new today.
        today: the day of the change.
    """
    head = text[: len(text) - len(render_body(profile.bullets, truncated=profile.truncated))]
    start_of_body = len(head.encode())
    spans = _spans(profile.bullets, start_of_body)
    order = ranks(profile.bullets, today=today, written=written)
    return BudgetIndex(
        body=start_of_body,
        entries=tuple(
            Entry(section, start, end, rank, written.get((section, fold(bullet)), today))
            for (section, bullet), (start, end), rank in zip(profile.bullets.items(), spans, order, strict=True)
        ),
        sizes={tokenizer.encoding: _sizes(profile, text, head, tokenizer) for tokenizer in tokenizers},
    )


def _spans(bullets: Bullets, position: int) -> Iterator[tuple[int, int]]:
    """Byte offsets of every list item, walking the file as it is rendered."""
    position += len(f"{TITLE}\n")
    for section, of_it in bullets.sections():
        position += len(f"\n{heading(section)}\n")
        for bullet in of_it:
            size = len(item(bullet).encode())
            yield position, position + size
            position += size + len("\n")
        position += 0 if of_it else len(f"{PLACEHOLDER}\n")


def _sizes(profile: Profile, text: str, head: str, tokenizer: Tokenizer) -> Sizes:
    headings = sum(counting.piece(tokenizer, f"{prompt_heading(section)}\n") for section in Section)
    return Sizes(
        total=tokenizer.count(text),
        prompt=tokenizer.count(prompt_section(profile.bullets) or ""),
        # A token covers a byte at least: whatever the digits of the tags are, they cost no more than this.
        prompt_frame=counting.piece(tokenizer, OPENING) + headings + TAGS_BYTES,
        frame=counting.frame(tokenizer, head),
        bullets=tuple(counting.bullet(tokenizer, bullet) for _, bullet in profile.bullets.items()),
    )
