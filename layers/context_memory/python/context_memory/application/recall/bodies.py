"""What callers of recall and of citations get, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.recall.block import block, block_tokens
from context_memory.domain.recall.markers import defused, marker

if TYPE_CHECKING:
    from context_memory.application.recall.citing import Cited
    from context_memory.application.recall.recalling import Recalled
    from context_memory.domain.recall.match import Match

_DIGITS = 4


def recall_body(recalled: Recalled) -> dict[str, object]:
    """Body of `POST …/recall`."""
    found = recalled.found
    given = found.given if found else ()
    cited = found is not None and found.cited
    return {
        "enabled": recalled.reason is None,
        "reason": recalled.reason,
        "block": block(given, cited=cited),
        "hits": [_hit(one, cited=cited) for one in given],
        "tokens": block_tokens(given),
        "backend": found and found.backend,
        "cached": found is not None and found.cached,
        "notes": list(found.notes) if found else [],
    }


def citations_body(cited: Cited) -> dict[str, object]:
    """Body of `POST …/citations`."""
    return {
        "answer": cited.answer,
        "citations": [{"id": one.id, "text": one.text, "scope": one.scope} for one in cited.citations],
        "invented": cited.invented,
        "withdrawn": cited.withdrawn,
        "notes": list(cited.notes),
    }


def _hit(one: Match, *, cited: bool) -> dict[str, object]:
    return {
        "id": one.fact.id,
        "marker": marker(one.fact.id) if cited else None,
        "text": defused(one.fact.text),
        "tier": one.fact.tier,
        "scope": one.scope.scope if one.scope else None,
        "score": round(one.score, _DIGITS),
        "why": list(one.why),
    }
