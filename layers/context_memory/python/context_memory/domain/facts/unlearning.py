"""Taking out the facts that were learned from a source: turns, chats or a time.

A fact names the turn that it was first learned from. What it took the place of comes back, unless that was learned from
the same source. Facts do not tell which model or prompts they were read with: where those are asked for, none is meant.
A fact that others were merged into is parted when one of them goes; once it cannot be parted any more it goes whole.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from context_memory.domain.facts.compacting.parting import apart
from context_memory.domain.facts.fact import Compaction, Fact, Origin
from context_memory.domain.facts.rewriting import Rewrite

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from context_memory.domain.condemnation import Condemnation
    from context_memory.domain.facts.fact import Past, Source


def _none(_fact: Fact) -> bool:
    return False


def unlearn_facts(
    facts: Sequence[Fact],
    condemned: Condemnation,
    tokens: Callable[[str], int],
    *,
    spares: Callable[[Fact], bool] = _none,
) -> Rewrite:
    """What is to be done with facts; nothing where nothing was learned from what is condemned.

    Args:
        facts: all of a user's.
        condemned: where what goes was learned from.
        tokens: counts a text.
        spares: whether a fact stays all the same.
    """

    def goes(fact: Fact) -> bool:
        return _is_meant(condemned, fact) and not spares(fact)

    known, found = {fact.id: fact for fact in facts}, apart(facts, goes)
    going = {one: fact for one, fact in found.items() if goes(fact)}
    standing = {one: _innocent(fact, condemned) for one, fact in found.items() if one not in going}
    back: dict[str, Fact] = {}
    for fact in going.values():
        earlier = _innocent(fact, condemned).supersedes
        if earlier and earlier[0].id not in standing:
            back.setdefault(earlier[0].id, _restored(fact, earlier, tokens))
    changed = [fact for one, fact in standing.items() if fact != known.get(one)]
    return Rewrite(frozenset(known.keys() - standing.keys() - back.keys()), (*changed, *back.values()), frozenset(back))


def _is_meant(condemned: Condemnation, fact: Fact) -> bool:
    """Whether a fact, or one of those that were merged into it, was learned from what is condemned."""
    origins = fact.compaction.origins if fact.compaction else (Origin(fact.id, fact.source, fact.created_at),)
    return any(_is_condemned(condemned, origin.source, origin.created_at) for origin in origins)


def _is_meant_then(condemned: Condemnation, past: Past) -> bool:
    origins = past.origins or (Origin(past.id, past.source, _happened(past)),)
    return any(_is_condemned(condemned, origin.source, origin.created_at) for origin in origins)


def _is_condemned(condemned: Condemnation, source: Source, happened: datetime) -> bool:
    """Whether every criterion fits; what a person wrote themselves was learned from no turn."""
    if condemned.models or condemned.prompt_versions or source.turn_id is None:
        return False
    return condemned.names(source.turn_id, source.chat_id, happened)


def _innocent(fact: Fact, condemned: Condemnation) -> Fact:
    """The fact without what it remembers of what is condemned, and so those that it was merged from."""
    kept = tuple(past for past in fact.supersedes if not _is_meant_then(condemned, past))
    innocent = fact if kept == fact.supersedes else replace(fact, supersedes=kept)
    merged = fact.compaction
    if merged is None:
        return innocent
    originals = tuple(_innocent(one, condemned) for one in merged.originals)
    return (
        innocent
        if originals == merged.originals
        else replace(innocent, compaction=replace(merged, originals=originals))
    )


def _restored(gone: Fact, earlier: tuple[Past, ...], tokens: Callable[[str], int]) -> Fact:
    """What stood before `gone`, with what stood before that."""
    newest = earlier[0]
    created = _happened(newest)
    return Fact(
        id=newest.id,
        tier=newest.tier,
        text=newest.text,
        tokens=tokens(newest.text),
        created_at=created,
        last_confirmed_at=created,
        source=newest.source,
        uses=gone.uses,
        supersedes=earlier[1:],
        compaction=Compaction(at=newest.replaced_at, origins=newest.origins) if newest.origins else None,
        epoch=gone.epoch,
    )


def _happened(past: Past) -> datetime:
    """When it was learned, or where that is not known, until when it stood."""
    return past.created_at or past.replaced_at
