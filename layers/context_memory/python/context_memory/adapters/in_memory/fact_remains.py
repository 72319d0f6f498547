"""What an erase finds of facts, of extractions that wait, of kept turns, and of prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.erasing import Remnant
from context_memory.ports.erasing import Found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.adapters.in_memory.items import Items

HEAD = "FACT"
MARKS = "MERGED#"
KEPT, CLOSED = "KEPT#", "KEPT"
_MOVED = "MOVED#"


def old_fact_items(items: Items, epoch: int) -> Iterator[Found]:
    """Those of older epochs."""
    if items.facts_head and items.facts_head[0] < epoch:
        yield Found(Remnant.OTHERS, HEAD)
    for fact in items.facts.values():
        if fact.epoch < epoch:
            yield Found(Remnant.FACTS, f"FACT#{fact.id}")
    yield from _old_merges(items, epoch)
    yield from _old_turns(items, epoch)
    for (prompt_id, asked), answer in items.prompts.items():
        if answer.epoch < epoch:
            yield Found(Remnant.PROMPTS, f"PROMPT#{prompt_id}#{asked}")


def _old_turns(items: Items, epoch: int) -> Iterator[Found]:
    for open_key, pending in items.extractions.items():
        if pending.epoch < epoch:
            yield Found(Remnant.EXTRACTIONS, f"EXTRACT#{open_key}")
    for open_key, turn in items.kept.items():
        if turn.epoch < epoch:
            yield Found(Remnant.TURNS, f"{KEPT}{open_key}")
    if items.closed and items.closed[0] < epoch:
        yield Found(Remnant.OTHERS, CLOSED)


def _old_merges(items: Items, epoch: int) -> Iterator[Found]:
    for (merge_id, fact_id), fact in items.moved.items():
        if fact.epoch < epoch:
            yield Found(Remnant.FACTS, f"{_MOVED}{merge_id}#{fact_id}")
    for (merge_id, fact_id), (of, _) in items.marks.items():
        if of < epoch:
            yield Found(Remnant.OTHERS, f"{MARKS}{merge_id}#{fact_id}")


def remove_fact_item(items: Items, found: Found) -> None:
    """Remove one of them, but the head."""
    name = found.key.partition("#")[2]
    if found.key.startswith((_MOVED, MARKS)):
        merge_id, _, fact_id = name.partition("#")
        kept = items.moved if found.key.startswith(_MOVED) else items.marks
        del kept[merge_id, fact_id]
        return
    if found.key == CLOSED:
        items.closed = None
        return
    match found.kind:
        case Remnant.FACTS:
            del items.facts[name]
        case Remnant.EXTRACTIONS:
            del items.extractions[name]
        case Remnant.TURNS:
            del items.kept[name]
        case _:
            prompt_id, _, asked = name.rpartition("#")
            del items.prompts[prompt_id, asked]
