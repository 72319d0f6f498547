"""What administrators read and write of links, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from context_memory.contracts.body import Body
from context_memory.domain.errors import InvalidId
from context_memory.domain.ids import encode
from context_memory.domain.jobs import JOB_ID
from context_memory.domain.links import DeclaredList, LinkWish, Origin, Provider

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from context_memory.domain.links import Link, LinkChange
    from context_memory.domain.merging import Merge

MOST_LINKS = 100
"""How many links an answer holds."""
MOST_DECLARED = 5000
"""Links, and privileged users, of one declared list."""
type _Id = Annotated[str, Field(min_length=1, max_length=200)]


class LinkBody(Body):
    """To whom a provider shall belong, and what of the past moves along."""

    user_id: _Id
    by: Literal["administrator", "sign_in"] = "administrator"
    merge: bool = False
    merge_from: _Id | None = None
    confirm: bool = False

    def wish(self) -> LinkWish:
        """What is wished.

        Raises:
            InvalidInput: an id that cannot be spelled, or what contradicts itself.
        """
        encode(self.user_id, "user_id")
        if self.merge_from is not None:
            encode(self.merge_from, "merge_from")
        return LinkWish(
            user_id=self.user_id,
            by=Origin(self.by),
            merge=self.merge,
            merge_from=self.merge_from,
            confirmed=self.confirm,
        )


class DeclaredLinkBody(Body):
    """One link of a declared list; `provider` is `channel:user` as a person writes it."""

    provider: Annotated[str, Field(min_length=3, max_length=500)]
    user_id: _Id


class DeclaredListBody(Body):
    """All links that the company declares, and the users to whom nobody is linked without a second thought."""

    links: Annotated[list[DeclaredLinkBody], Field(max_length=MOST_DECLARED)]
    privileged: list[_Id] = Field(default=[], max_length=MOST_DECLARED)
    confirm: bool = False

    def declared(self) -> DeclaredList:
        """The list, its later entries over its earlier ones.

        Raises:
            InvalidInput: names the first entry that is wrong.
        """
        for place, user_id in enumerate(self.privileged):
            encode(user_id, f"privileged.{place}")
        entries = [_entry(place, link) for place, link in enumerate(self.links)]
        return DeclaredList.of(entries, privileged=frozenset(self.privileged), confirmed=self.confirm)


class UnmergeBody(Body):
    """The merge that is to be undone."""

    job_id: Annotated[str, Field(pattern=JOB_ID)]


def _entry(place: int, link: DeclaredLinkBody) -> tuple[Provider, str]:
    field = f"links.{place}"
    encode(link.user_id, f"{field}.user_id")
    try:
        return Provider.read(link.provider), link.user_id
    except InvalidId as error:
        raise InvalidId(f"{field}.provider", error.detail) from error


def link_document(link: Link) -> dict[str, Any]:
    """One link."""
    return {
        "provider": str(link.provider),
        "user_id": link.user_id,
        "origin": link.origin.value,
        "linked_at": _time(link.linked_at),
    }


def linked_document(link: Link, left: str | None, merge: Merge | None) -> dict[str, Any]:
    """The answer to whoever made a link: whom the provider left for it, and the merge that was set off."""
    told = {"job_id": merge.merge_id, "status": merge.status.value} if merge else None
    return {**link_document(link), "left": left, "merge": told}


def unlinked_document(provider: Provider, left: str) -> dict[str, Any]:
    """The answer to whoever removed a link."""
    return {"provider": str(provider), "left": left}


def links_document(links: Sequence[Link], privileged: frozenset[str], after: Provider | None) -> dict[str, Any]:
    """A page of links; `next` is what to ask for the next page with, null on the last one."""
    return {
        "links": [link_document(link) for link in links],
        "privileged": sorted(privileged),
        "next": str(after) if after else None,
    }


def declared_document(
    twice: Sequence[Provider], changes: Sequence[LinkChange], privileged: frozenset[str]
) -> dict[str, Any]:
    """The answer to whoever declared a list: what was said twice, and what became of links that stood."""
    return {
        "twice": [str(provider) for provider in twice],
        "replaced": [_left(change) | {"user_id": change.after.user_id} for change in changes if change.after],
        "removed": [_left(change) for change in changes if change.after is None],
        "privileged": sorted(privileged),
    }


def merge_document(merge: Merge) -> dict[str, Any]:
    """How far a merge is."""
    return {
        "job_id": merge.merge_id,
        "provider": str(merge.provider),
        "status": merge.status.value,
        "source": merge.source_id,
        "user_id": merge.target_id,
        "asked_at": _time(merge.asked_at),
        "moved": merge.moved,
        "left_behind": merge.left_behind,
        "returned": merge.returned,
    }


def _left(change: LinkChange) -> dict[str, Any]:
    origin = change.before.origin.value if change.before else None
    return {"provider": str(change.provider), "left": change.left, "origin": origin}


def _time(at: datetime) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")
