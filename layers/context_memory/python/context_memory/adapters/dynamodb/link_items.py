"""Links and merges as items of the company table. No user's key holds `##`.

pk  <company>##links     sk  #BELONGS#<user>#<channel>:<user>   that the user has this provider, for their erase
                         sk  #DECLARED          who is privileged; its version is the lock of declared lists
                         sk  <channel>:<user>   to whom a provider belongs
pk  <company>##merges    sk  <id>               how far a merge is; goes by itself when it can be undone no more
                         sk  #OF#<user>#<id>    that it is about this user, for their erase; goes with it
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from context_memory.adapters.dynamodb.attributes import moment, stamp
from context_memory.domain.links import Declaration, Link, Origin, Provider
from context_memory.domain.merging import KEPT, Merge, MergeStatus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from context_memory.adapters.dynamodb.attributes import Plain
    from context_memory.domain.ids import UserKey

DECLARED = "#DECLARED"
"""Before every provider: none begins with `#`, nor with anything that sorts before it."""
LAST = "~"
"""Behind every provider: no spelling holds it, nor what sorts after it."""
_OF = "#OF#"
_BELONGS = "#BELONGS#"
"""Before `DECLARED`, behind which links are listed."""


def links_of(company_id: str) -> str:
    """Partition of a company's links."""
    return f"{company_id}##links"


def merges_of(company_id: str) -> str:
    """Partition of a company's merges."""
    return f"{company_id}##merges"


def link_item(company_id: str, link: Link) -> dict[str, Plain]:
    """One link."""
    return {
        "pk": links_of(company_id),
        "sk": link.provider.spelled,
        "user_id": link.user_id,
        "origin": link.origin.value,
        "linked_at": stamp(link.linked_at),
        "version": link.version,
    }


def belongings_of(user: UserKey) -> str:
    """How the sort keys begin that say what providers a user has; no encoded id holds a `#`."""
    return f"{_BELONGS}{user.encoded}#"


def belonging(user: UserKey, provider: Provider) -> str:
    """The sort key that says that a user has a provider."""
    return f"{belongings_of(user)}{provider.spelled}"


def is_itself(sort_key: str) -> bool:
    """Whether this is the sort key of a link or of a merge, and of nothing that is kept beside them."""
    return not sort_key.startswith("#")


def notes_of(user: UserKey) -> str:
    """How the sort keys begin that say which merges are about a user."""
    return f"{_OF}{user.encoded}#"


def merge_notes(merge: Merge) -> Sequence[dict[str, Plain]]:
    """What says of both users that a merge is about them."""
    kept: dict[str, Plain] = {"pk": merges_of(merge.company_id), "expires_at": _expires_at(merge)}
    return [kept | {"sk": f"{notes_of(user)}{merge.merge_id}"} for user in (merge.source, merge.target)]


def link_of(item: Mapping[str, Any]) -> Link:
    """What an item says."""
    return Link(
        provider=Provider.from_segment(item["sk"]),
        user_id=item["user_id"],
        origin=Origin(item["origin"]),
        linked_at=moment(item["linked_at"]),
        version=item["version"],
    )


def declaration_item(company_id: str, declaration: Declaration) -> dict[str, Plain]:
    """What is declared beside the links."""
    return {
        "pk": links_of(company_id),
        "sk": DECLARED,
        "privileged": [*sorted(declaration.privileged)],
        "version": declaration.version,
    }


def declaration_of(item: Mapping[str, Any] | None) -> Declaration:
    """What an item says; nothing where there is none."""
    return Declaration(frozenset(item["privileged"]), item["version"]) if item else Declaration()


def merge_item(merge: Merge) -> dict[str, Plain]:
    """One merge."""
    return {
        "pk": merges_of(merge.company_id),
        "sk": merge.merge_id,
        "provider": merge.provider.spelled,
        "source_id": merge.source_id,
        "target_id": merge.target_id,
        "all_facts": merge.all_facts,
        "asked_at": stamp(merge.asked_at),
        "status": merge.status.value,
        "source_epoch": merge.source_epoch,
        "target_epoch": merge.target_epoch,
        "moved": merge.moved,
        "left_behind": merge.left_behind,
        "returned": merge.returned,
        "version": merge.version,
        "expires_at": _expires_at(merge),
    }


def merge_of(company_id: str, item: Mapping[str, Any]) -> Merge:
    """What an item says."""
    return Merge(
        company_id=company_id,
        merge_id=item["sk"],
        provider=Provider.from_segment(item["provider"]),
        source_id=item["source_id"],
        target_id=item["target_id"],
        all_facts=item["all_facts"],
        asked_at=moment(item["asked_at"]),
        status=MergeStatus(item["status"]),
        source_epoch=item["source_epoch"],
        target_epoch=item["target_epoch"],
        moved=item["moved"],
        left_behind=item["left_behind"],
        returned=item["returned"],
        version=item["version"],
    )


def _expires_at(merge: Merge) -> int:
    return int((merge.asked_at + KEPT).timestamp())
