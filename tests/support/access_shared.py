"""What companies share with their users: facts and what finds them. Rights, places, and the cells of both."""

from __future__ import annotations

from itertools import chain, product
from typing import TYPE_CHECKING

from tests.support.access_cells import Cell
from tests.support.access_places import Items, Listing, Object
from tests.support.access_rights import (
    COMPANY,
    FUNCTIONS,
    ITEM_ACTIONS,
    LENA,
    OBJECT_ACTIONS,
    USER_DATA_RIGHTS,
    VERSION_ACTIONS,
)
from tests.support.access_roles import own, session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.access_places import Place
    from tests.support.access_rights import Right

_SHARED_FACTS = ("facts of the company", "facts of a space", "facts of the company and a space")
_SHARED_INDEXES = ("index of the company", "index of a space")
_READ_INDEXES = frozenset(
    {
        *(("s3:GetObject", kind) for kind in _SHARED_INDEXES),
        *(("s3:ListBucket", f"{kind} listing") for kind in _SHARED_INDEXES),
    }
)
SHARED_READING: frozenset[Right] = _READ_INDEXES | {
    (f"dynamodb:{action}", kind) for action in ("GetItem", "BatchGetItem", "Query") for kind in _SHARED_FACTS
}
"""What every session of a user may do to what the user's company shares."""
_KEEP = frozenset(
    (f"dynamodb:{action}", kind)
    for action in ("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem")
    for kind in _SHARED_FACTS
)
_PUBLISH = _READ_INDEXES | {
    (f"s3:{action}", kind) for action in ("PutObject", "DeleteObject") for kind in _SHARED_INDEXES
}
SHARED_WRITING: dict[str, frozenset[Right]] = {"admin": _KEEP, "maintain": _KEEP | _PUBLISH}
"""What functions may do, by roles of their own, to what companies share."""
_STRANGE = ((LENA, ("acme2", "a", "other")), ((), (COMPANY, "")), (LENA[1:], (COMPANY, "")))
"""Session tags, and companies of which they show nothing."""


def shared_data(company: str) -> dict[Right, Place]:
    """Everything that one could want to do to what a company shares with its users."""
    facts = {
        "facts of the company": (f"{company}##global",),
        "facts of a space": (f"{company}##space#s1",),
        "facts of the company and a space": (f"{company}##global", f"{company}##space#s1"),
        "what looks like facts of the company": (f"{company}##global2",),
        "what looks like facts of a space": (f"{company}##space2#s1",),
        "facts of a space and settings": (f"{company}##space#s1", f"{company}##company"),
    }
    indexes = {
        "index of the company": f"recall/{company}/global/snapshots/1.sqlite",
        "index of a space": f"recall/{company}/space-s1/lance/facts.lance",
        "what looks like an index of the company": f"recall/{company}/global2/snapshots/1.sqlite",
        "what looks like an index of a space": f"recall/{company}/spaces/lance/facts.lance",
    }
    listings = {
        "index of the company": f"recall/{company}/global/",
        "index of a space": f"recall/{company}/space-s1/",
        "everything of the company": f"recall/{company}/",
        "homes of the company": f"recall/{company}/home-",
    }
    return {
        **{
            (f"dynamodb:{action}", kind): Items("companies", partitions)
            for kind, partitions in facts.items()
            for action in ITEM_ACTIONS
        },
        **{
            (f"dynamodb:{action}", f"{kind}, in another table"): Items("companies2", partitions)
            for kind, partitions in facts.items()
            for action in ITEM_ACTIONS
        },
        **{
            (f"s3:{action}", kind): Object("work", key)
            for kind, key in indexes.items()
            for action in (*OBJECT_ACTIONS, *VERSION_ACTIONS)
        },
        **{
            (f"s3:{action}", f"{kind}, in another bucket"): Object("work", key, another=True)
            for kind, key in indexes.items()
            for action in OBJECT_ACTIONS
        },
        **{
            (f"s3:{action}", f"{kind} listing{where}"): Listing("work", prefix, another=bool(where))
            for kind, prefix in listings.items()
            for action in ("ListBucket", "ListBucketVersions")
            for where in ("", " of another bucket")
        },
    }


def shared_by_sessions() -> Iterator[Cell]:
    """What a company shares: every session of a user of it reads that, whoever the user; none of another company."""
    for role, tags in product(USER_DATA_RIGHTS, (LENA, (*LENA[:1], ("user_id", "mia")))):
        for right, place in shared_data(COMPANY).items():
            yield Cell(who=session(role, tags), action=right[0], on=place, allowed=right in SHARED_READING)
    for role, (tags, companies) in product(USER_DATA_RIGHTS, _STRANGE):
        for (action, _), place in chain.from_iterable(shared_data(company).items() for company in companies):
            yield Cell(who=session(role, tags), action=action, on=place, allowed=False)
    for role, action, kind in product(USER_DATA_RIGHTS, ITEM_ACTIONS, ("global", "space#s1")):
        mixed = Items("companies", (f"{COMPANY}##{kind}", f"acme2##{kind}"))
        yield Cell(who=session(role, LENA), action=f"dynamodb:{action}", on=mixed, allowed=False)
    for (action, _), place in shared_data(COMPANY).items():
        yield Cell(who=session("lister", LENA[:1]), action=action, on=place, allowed=False)


def shared_by_functions() -> Iterator[Cell]:
    """What companies share, under each function's own role: two write it, of any company, and no other reads it."""
    for function in FUNCTIONS:
        for company in (COMPANY, "other"):
            for right, place in shared_data(company).items():
                allowed = right in SHARED_WRITING.get(function, frozenset())
                yield Cell(who=own(function), action=right[0], on=place, allowed=allowed)
