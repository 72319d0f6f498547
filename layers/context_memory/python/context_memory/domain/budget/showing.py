"""What load shows of a stored file: by offsets and counts alone, without tokenizer and Markdown reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.budget.plan import Candidate, plan, together
from context_memory.domain.placeholders import reads_as_placeholder
from context_memory.domain.profile import Bullets, pin_of
from context_memory.domain.prompt_section import prompt_section
from context_memory.domain.rendering import bullet_of, item, render_body

if TYPE_CHECKING:
    from context_memory.domain.budget.index import BudgetIndex
    from context_memory.domain.profile import Section

_LINE_ENDS = len("\n\n")


@dataclass(frozen=True, slots=True)
class View:
    """A memory as it is shown.

    Attributes:
        memory: the body, without frontmatter; empty when the cap leaves no room even for its headings.
        prompt: the section for a system prompt, None when no bullet is shown.
        tokens: tokens of the file with this body; exact when nothing was trimmed, else an upper bound.
        prompt_tokens: the same of `prompt`.
        trimmed: whether bullets are missing that the stored file has.
        bullets: those that are shown.
    """

    memory: str
    prompt: str | None
    tokens: int
    prompt_tokens: int
    trimmed: bool
    bullets: Bullets


def view(body: bytes, index: BudgetIndex, *, cap: int | None, encoding: str, pins: frozenset[str]) -> View:
    """Show a file within a cap.

    Args:
        body: the object's bytes, those that `index` was built from.
        index: the notes of the commit.
        cap: tokens that the file may have as it is shown; None for the whole of it.
        encoding: in which encoding the cap counts; one that nobody counted in goes by the largest figures.
        pins: the user's pinned bullets (`profile.pin_of`), which go last.
    """
    sizes = index.sizes_in(encoding)
    bullets = _listed(body, index)
    if cap is None or sizes.total <= cap:
        everything = together(bullets)
        memory, prompt = body[index.body :].decode(), prompt_section(everything)
        return View(memory, prompt, sizes.total, sizes.prompt, trimmed=False, bullets=everything)
    candidates = [
        Candidate(bullet[0], tokens, entry.rank, pinned=pin_of(*bullet) in pins)
        for entry, bullet, tokens in zip(index.entries, bullets, sizes.bullets, strict=True)
    ]
    planned = plan(candidates, sizes.frame, cap)
    kept = [bullets[number] for number in planned.kept]
    tokens, costs = planned.tokens, sum(sizes.bullets[number] for number in planned.kept)
    if planned.room is not None:
        kept = [(section, cut) for section, bullet in kept if (cut := _cut(bullet, planned.room))]
        tokens, costs = (cap, planned.room) if kept else (sizes.frame.tokens(filled=0), 0)
    if tokens > cap:
        return View("", None, 0, 0, trimmed=True, bullets=Bullets())
    shown = together(kept)
    return View(
        memory=render_body(shown, truncated=True),
        prompt=prompt_section(shown),
        tokens=tokens,
        prompt_tokens=sizes.prompt_frame + costs if kept else 0,
        trimmed=True,
        bullets=shown,
    )


def bullets_of(body: bytes, index: BudgetIndex) -> Bullets:
    """All bullets of a file, by the notes that were made of it."""
    return together(_listed(body, index))


def _listed(body: bytes, index: BudgetIndex) -> list[tuple[Section, str]]:
    return [(entry.section, bullet_of(body[entry.start : entry.end].decode())) for entry in index.entries]


def _cut(bullet: str, room: int) -> str | None:
    """The beginning of a bullet that has at most `room` tokens in any encoding, for a token covers a byte at least."""
    beginning = item(bullet).encode()[: max(room - _LINE_ENDS, 0)].decode(errors="ignore")
    cut = bullet_of(beginning).rstrip()
    # What is left must still be a bullet: neither a placeholder nor a rule.
    return cut if any(map(str.isalnum, cut)) and not reads_as_placeholder(cut) else None
