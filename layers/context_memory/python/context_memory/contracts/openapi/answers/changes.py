"""What answers tell of changes and of revisions."""

from __future__ import annotations

from context_memory.contracts.openapi.answers.shared import Count, Moment, Told, Usage
from context_memory.domain.admitting import Refused
from context_memory.domain.operations import OperationKind
from context_memory.domain.profile import Section
from context_memory.domain.writers import Writer


class BulletChange(Told):
    """What became of one bullet: `before` is null where it is new, `after` where it is gone."""

    kind: OperationKind
    section: Section
    before: str | None
    after: str | None


class DroppedBullet(Told):
    """A bullet that may not stand as it was wanted; the text of a secret is not repeated."""

    section: Section
    reason: Refused
    text: str = ""


class CutBullet(Told):
    """A bullet for which there was no room."""

    section: Section
    text: str


class Changes(Told):
    """What a change did, and what of the wish may not stand."""

    operations: list[BulletChange]
    dropped: list[DroppedBullet]
    cut: list[CutBullet]


class SourceTurn(Told):
    """A turn that something was learned from."""

    turn_id: str
    chat_id: str | None
    occurred_at: Moment | None


class ShownRevision(Told):
    """A stored change: who made it, when, why, of what, and what it did."""

    n: Count
    writer: Writer
    written_at: Moment
    reason: str | None
    operations: list[BulletChange]
    turns: list[SourceTurn]
    model: str | None
    prompt_version: str | None
    policy_version: str | None
    usage: list[Usage]
    restored: Count | None
    restorable: bool
    redacted: bool


class OneRevision(ShownRevision):
    """A stored change with the Markdown that stood after it; null where that is kept no more."""

    memory: str | None


class ListedRevisions(Told):
    """Stored changes, the newest first; `next` is what the next page is asked `before`."""

    revisions: list[ShownRevision]
    next: Count | None


class OriginStep(Told):
    """One change that a bullet came through."""

    revision: Count
    kind: OperationKind
    writer: Writer
    written_at: Moment
    turn_id: str | None
    model: str | None
    prompt_version: str | None


class BulletOrigin(Told):
    """A bullet with the changes that led to it, the oldest first; none where history tells no more of it."""

    id: str
    section: Section
    text: str
    chain: list[OriginStep]


class Origins(Told):
    """Where every bullet comes from."""

    bullets: list[BulletOrigin]


class UnlearnedFacts(Told):
    """How many facts go, or would, and how many come back that those had taken the place of."""

    removed: Count
    restored: Count


class UnlearningPreview(Changes):
    """What an unlearning would do: the revisions it concerns, and pinned bullets that go all the same."""

    revisions: list[Count]
    pinned: list[str]
    etag: str
    facts: UnlearnedFacts
