"""Answers to administrators about links between channels and users."""

from __future__ import annotations

from typing import Literal

from context_memory.contracts.openapi.answers.shared import Count, Moment, Told

Origin = Literal["administrator", "declared", "sign_in"]
MergeState = Literal[
    "asked",
    "moving",
    "merged",
    "dropping",
    "dropped",
    "undo_asked",
    "returning",
    "clearing",
    "undone",
    "kept",
]


class ShownLink(Told):
    """To whom a provider belongs, and who said so."""

    provider: str
    user_id: str
    origin: Origin
    linked_at: Moment


class StartedMerge(Told):
    """A merge of past facts that was set off."""

    job_id: str
    status: MergeState


class MadeLink(ShownLink):
    """A link as it stands now; `left` is the user to whom the provider belonged before."""

    left: str | None
    merge: StartedMerge | None


class RemovedLink(Told):
    """A link that stands no more, and whom the provider left."""

    provider: str
    left: str


class LinksPage(Told):
    """Links; `next` asks for the next page, and is null on the last."""

    links: list[ShownLink]
    privileged: list[str]
    next: str | None


class LostLink(Told):
    """A link that the declared list has removed."""

    provider: str
    left: str
    origin: Origin


class ReplacedLink(LostLink):
    """A link that the declared list has moved to `user_id`."""

    user_id: str


class DeclaredLinks(Told):
    """What was declared: providers named twice, which went to the later, and users whom a provider has left."""

    twice: list[str]
    replaced: list[ReplacedLink]
    removed: list[LostLink]
    privileged: list[str]


class ShownMerge(Told):
    """How far a merge is: facts that moved, that found no room, and that went back."""

    job_id: str
    provider: str
    status: MergeState
    source: str
    user_id: str
    asked_at: Moment
    moved: Count
    left_behind: Count
    returned: Count
