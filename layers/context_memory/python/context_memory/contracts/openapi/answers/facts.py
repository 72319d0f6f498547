"""Facts as those get them who may see all of them."""

from __future__ import annotations

from typing import Literal

from context_memory.contracts.openapi.answers.shared import Count, Moment, Told
from context_memory.domain.facts.admitting import Unfit


class FactSource(Told):
    """The turn that it was learned from, with its space and provider; none for what a person wrote or imported."""

    turn_id: str | None
    chat_id: str | None
    provider: str | None
    space_id: str | None


class PastText(Told):
    """What a fact said before."""

    text: str
    replaced_at: Moment


class MergedFrom(Told):
    """What a fact was merged from, and when; it can be parted `until`, and tells the texts as long as it can."""

    at: Moment
    until: Moment
    texts: list[str]


class ShownFact(Told):
    """One fact."""

    id: str
    tier: Literal["core", "contextual", "archival"]
    text: str
    keywords: list[str]
    created_at: Moment
    last_confirmed_at: Moment
    source: FactSource
    uses: Count
    supersedes: list[PastText]
    merged: MergedFrom | None


class FactsPage(Told):
    """Some of the facts, in the order of their ids; `count` is of all, `next` what the next page is asked `after`."""

    facts: list[ShownFact]
    count: Count
    next: str | None


class ExportedFacts(FactsPage):
    """Shared facts in a document that an import takes."""

    format: Literal["context-memory/facts"]
    version: Literal[1]
    exported_at: Moment


class ImportedLine(Told):
    """What became of one line of a file, or would; `reason` says why it was refused."""

    line: Count
    result: Literal["stored", "merged", "refused"]
    reason: Unfit = Unfit.UNREADABLE


class ImportedFacts(Told):
    """What became of a file of facts, or would."""

    stored: Count
    merged: Count
    refused: Count
    lines: list[ImportedLine]
