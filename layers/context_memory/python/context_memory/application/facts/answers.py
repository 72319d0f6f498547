"""Facts as the bodies that people get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.application.fact_bodies import fact_body

if TYPE_CHECKING:
    from context_memory.application.facts.bringing import Brought
    from context_memory.ports.facts import Facts


def facts_body(page: Facts, following: str | None) -> dict[str, Any]:
    """A page of facts; `count` is of all there are, `next` what the next page is asked for with."""
    return {"facts": [fact_body(fact) for fact in page.facts], "count": page.head.count, "next": following}


def brought_body(brought: Brought) -> dict[str, Any]:
    """What became of each line of a file, by its number alone."""
    return {
        "stored": brought.counts["stored"],
        "merged": brought.counts["merged"],
        "refused": brought.counts["refused"],
        "lines": [
            {"line": line.number, "result": line.result.value} | ({"reason": line.reason.value} if line.reason else {})
            for line in brought.lines
        ],
    }
