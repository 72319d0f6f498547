"""The policy's say over new facts, before they are decided on: whoever wrote them is not who judges them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.likeness import Likeness, likeness
from context_memory.domain.reading import canonical_bullet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.application.asking.policy_reader import PolicyReader
    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.proposals import Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class Policing:
    """Has the policy's reader look at the texts that are new."""

    reader: PolicyReader

    def police(self, proposals: Sequence[Proposal], facts: Sequence[Fact]) -> tuple[Proposal, ...]:
        """`proposals` without the texts that the policy forbids; after a veto without any that is new.

        What only says again what is stored needs no reader, who is asked for nothing then.
        """
        new = [one for one in proposals if one.operation.brings_text and not _is_known(one.text, facts)]
        if not new:
            return tuple(proposals)
        core = [fact.text for fact in facts if fact.tier is Tier.CORE]
        reply = self.reader.read([one.text for one in new], identity=core)
        lines = reply.lines if reply else [None] * len(new)
        verdicts = {id(one): line for one, line in zip(new, lines, strict=True)}
        judged = (_judged(one, verdicts[id(one)]) if id(one) in verdicts else one for one in proposals)
        return tuple(one for one in judged if one is not None)


def _is_known(text: str, facts: Sequence[Fact]) -> bool:
    return any(likeness(text, fact.text) is Likeness.SAME for fact in facts)


def _judged(proposal: Proposal, line: str | None) -> Proposal | None:
    """A proposal with its verdict; the keywords of a text that was shortened may name what was struck out."""
    if line is None or line == proposal.text:
        return None if line is None else proposal
    text = canonical_bullet(line)
    return None if text is None else replace(proposal, text=text, keywords=())
