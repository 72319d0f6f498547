"""Answers to users about their own memory."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, RootModel

from context_memory.contracts.openapi.answers.changes import Changes, ShownRevision, UnlearnedFacts, UnlearningPreview
from context_memory.contracts.openapi.answers.facts import ImportedFacts, ShownFact
from context_memory.contracts.openapi.answers.shared import Count, Freshness, Moment, Step, Told, Version
from context_memory.contracts.openapi.answers.turns import FactsOfTurn
from context_memory.domain.enablement import Reason
from context_memory.domain.outcomes import Outcome, TurnStatus


class ShownBullet(Told):
    """One thing that is remembered; the id names it for pins and origins."""

    id: str
    text: str
    pinned: bool


class ShownSection(Told):
    """One of the six sections, empty ones included."""

    heading: str
    bullets: list[ShownBullet]


class ShownMemory(Told):
    """All that is remembered, by section and as Markdown."""

    enabled: bool | None
    reason: Reason | None
    sections: list[ShownSection]
    memory: str | None
    version: Version | None
    freshness: Freshness


class ChangedMemory(ShownMemory):
    """The memory as it now stands, and how it came to that."""

    changes: Changes


class RemovedKind(Told):
    """How many bullets of an import are not taken for one reason."""

    kind: str
    count: Count


class ImportedMemory(ChangedMemory):
    """The memory as it now stands; `facts` are those of the file, null where it has no list of them."""

    facts: ImportedFacts | None


class ImportPreview(Changes):
    """What would become of an import; `etag` is what applying it needs in `If-Match`."""

    removed: list[RemovedKind]
    tokens: Count
    cap: Count
    etag: str
    facts: ImportedFacts | None


class UnlearnedMemory(ChangedMemory):
    """The memory as it now stands, and what became of facts."""

    facts: UnlearnedFacts


class ImportAnswer(RootModel[ImportedMemory | ImportPreview]):
    """What has become of a file, or what would."""


class UnlearningAnswer(RootModel[UnlearnedMemory | UnlearningPreview]):
    """What has become of an unlearning, or what would."""


class ShownPins(Told):
    """The ids of the bullets that are pinned."""

    pins: list[str]


class ShownDenyRules(Told):
    """What is never to be remembered."""

    phrases: list[str]
    kinds: list[str]


class ChangedDenyRules(ShownDenyRules):
    """The rules as they now stand, and how many bullets they took out at once."""

    removed: Count


class ErasePart(Told):
    """The newest erase, where there was one."""

    state: Literal["running", "done"]
    requested_at: Moment


class ShownSettings(Told):
    """What the user has set, and whether the memory is used."""

    context_memory: bool
    enabled: bool | None
    reason: Reason | None
    erase: ErasePart | None
    pins: list[str]
    deny_rules: ShownDenyRules
    keep_turns_days: int | None


class RecentTurn(Told):
    """What became of one turn, without what was said in it."""

    turn_id: str
    chat_id: str | None
    occurred_at: Moment
    accepted_at: Moment
    status: TurnStatus
    outcome: Outcome | None
    reason: str | None
    revision: Count | None
    facts: FactsOfTurn
    step: Step | None


class RecentTurns(Told):
    """Turns, the newest first."""

    turns: list[RecentTurn]


class WaitingTurn(BaseModel):
    """A turn that waits to be consolidated, with what was said in it."""

    model_config = ConfigDict(extra="allow")


class ForgottenHash(Told):
    """That something was forgotten: when, and a keyed hash of it."""

    said_at: Moment
    hash: str


class KeptTurn(Told):
    """A turn whose text is kept, and until when at the latest."""

    turn_id: str
    chat_id: str | None
    occurred_at: Moment
    kept_until: Moment


class LeftOut(Told):
    """How many entries an export has no room for."""

    facts: Count
    revisions: Count
    turns: Count
    waiting: Count
    kept_turns: Count


class Exported(Told):
    """All that is held about a user."""

    format: Literal["context-memory/export"]
    version: Literal[1]
    exported_at: Moment
    company_id: str
    user_id: str
    memory: str
    legacy_file: str | None
    time_zone: str | None
    revisions: list[ShownRevision]
    settings: ShownSettings
    turns: list[RecentTurn]
    waiting: list[WaitingTurn]
    forgotten: list[ForgottenHash]
    facts: list[ShownFact]
    kept_turns: list[KeptTurn]
    left_out: LeftOut
