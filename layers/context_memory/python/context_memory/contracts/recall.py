"""Bodies of `POST …/recall` and `POST …/citations`, checked. Standard library only: somebody waits for the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.contracts.fields import Fields
from context_memory.domain.delegation import Delegation
from context_memory.domain.facts.fact import LONGEST_TEXT
from context_memory.domain.recall.question import (
    FEWEST_TOKENS,
    HITS,
    MOST_HITS,
    MOST_TOKENS,
    TOKENS,
    Question,
)
from context_memory.domain.spaces import Backend

if TYPE_CHECKING:
    from typing import Self

MOST_EPHEMERAL = 50


def question(raw: bytes) -> Question:
    """Read the body of a recall.

    Raises:
        BodyTooLarge: more than 1 MB.
        InvalidInput: names the first field that is wrong.
    """
    body = Fields.of(raw)
    asked = Question(
        query=body.text("query"),
        space_id=body.required_id("space_id"),
        chat_id=body.optional_id("chat_id"),
        prompt_id=body.optional_id("prompt_id"),
        max_hits=body.number("max_hits", least=1, most=MOST_HITS, otherwise=HITS),
        max_tokens=body.number("max_injected_tokens_est", least=FEWEST_TOKENS, most=MOST_TOKENS, otherwise=TOKENS),
        ephemeral=body.texts("ephemeral", most=MOST_EPHEMERAL, longest=LONGEST_TEXT),
        backend=body.one_of("backend", Backend),
        disabled=body.flag("disable_recall") or False,
        use_memory=_reads(body.fields("use_memory")),
        web_search=body.flag("web_search"),
        delegation=_delegation(body),
    )
    body.end()
    return asked


def _reads(use: Fields | None) -> bool | None:
    if use is None:
        return None
    reads = use.flag("read")
    use.flag("write")  # a turn's own shape; a recall writes nothing
    use.end()
    return reads


def _delegation(body: Fields) -> Delegation:
    worker = body.fields("as_subagent")
    inherits = worker.flag("inherit_memory") if worker else None
    if worker:
        worker.end()
    return Delegation(
        parent_turn_id=body.optional_id("parent_turn_id"), inherit_memory=inherits, worker=worker is not None
    )


@dataclass(frozen=True, slots=True)
class CitationsBody:
    """An answer whose markers are to be resolved, and the prompt that it answers."""

    answer: str
    prompt_id: str

    @classmethod
    def parse(cls, raw: bytes) -> Self:
        """Read the body.

        Raises:
            BodyTooLarge: more than 1 MB.
            InvalidInput: names the first field that is wrong.
        """
        body = Fields.of(raw)
        read = cls(body.text("answer"), body.required_id("prompt_id"))
        body.end()
        return read
