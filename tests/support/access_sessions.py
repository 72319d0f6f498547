"""Cells of sessions for one user or one company: what is theirs, and all that is not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.support.access_cells import Actor, Cell, Transport
from tests.support.access_inventory import infrastructure, user_data
from tests.support.access_places import Items, Listing, Object
from tests.support.access_rights import (
    COMPANY,
    ITEM_ACTIONS,
    LENA,
    OBJECT_ACTIONS,
    OTHERS,
    RING,
    RING_FACTS,
    SEND_JOBS,
    USER,
    USER_DATA_RIGHTS,
    VERSION_ACTIONS,
)
from tests.support.access_roles import own, session
from tests.support.access_services import watching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.access_places import Place


def sessions() -> Iterator[Cell]:
    """Each role under Lena's tags on what she has, and on what others have; then with tags missing."""
    for role, rights in USER_DATA_RIGHTS.items():
        for right, place in user_data(COMPANY, USER).items():
            yield Cell(who=session(role, LENA), action=right[0], on=place, allowed=right in rights)
            for tags in ((), LENA[:1], LENA[1:]):
                yield Cell(who=session(role, tags), action=right[0], on=place, allowed=False)
        for company, user in OTHERS:
            for (action, _), place in user_data(company, user).items():
                yield Cell(who=session(role, LENA), action=action, on=place, allowed=False)
        for tags in ((), LENA[:1], LENA[1:]):
            for (action, _), place in user_data("", "").items():
                yield Cell(who=session(role, tags), action=action, on=place, allowed=False)


def wide_requests() -> Iterator[Cell]:
    """Requests that reach beyond one user's own keys, or beyond users."""
    home = f"{COMPANY}/home-{USER}/"
    mixed = Items("users", (f"{COMPANY}#{USER}", f"{COMPANY}#mia"))
    requests: list[tuple[str, Place]] = [
        *((f"dynamodb:{action}", place) for action in ITEM_ACTIONS for place in (Items("users"), mixed)),
        *((f"dynamodb:{action}", Items("users")) for action in ("Scan", "PartiQLSelect", "PartiQLUpdate")),
        *((f"dynamodb:{action}", Items("users")) for action in ("DeleteTable", "ExportTableToPointInTime")),
        *(
            (f"s3:{action}", Listing(bucket, prefix))
            for action in ("ListBucket", "ListBucketVersions")
            for bucket in ("profiles", "work")
            for prefix in (
                *(None, "", "acme/", "acme/home-", "acme/home-lena", "acme/user-memory/", "acme/user-memory/lena/"),
                *("recall/", "recall/acme/home-lena", "recall/acme/home-len/", "recall/acme2/home-lena/"),
                *("turns/", "turns/acme/", "turns/acme/home-lena", "turns/acme/home-lena/t"),
                *("kept/", "kept/acme/", "kept/acme/home-lena", "kept/acme/home-lena/t"),
                *(f"{home}user-memory/", f"{home}user-memory/memory.md2", "acme/user-memory/lena/memory.md2"),
            )
        ),
        *(
            (f"s3:{action}", Object(bucket, key))
            for action in (*OBJECT_ACTIONS, *VERSION_ACTIONS)
            for bucket, key in (
                ("profiles", "acme/user-memory/lena/memory.md2"),
                ("profiles", "turns/acme/home-lena/t-1.json"),
                ("work", f"{home}user-memory/memory.md"),
                ("work", "turns/acme/home-lena"),
                ("work", "kept/acme/home-lena"),
                ("profiles", "kept/acme/home-lena/t-1.json"),
                ("work", "users/acme/home-lena/known2"),
                ("work", "users/acme/home-lena"),
                ("elsewhere", f"{home}user-memory/memory.md"),
                ("elsewhere", "acme/user-memory/lena/memory.md"),
                ("elsewhere", "turns/acme/home-lena/t-1.json"),
                ("elsewhere", "kept/acme/home-lena/t-1.json"),
            )
        ),
        *(
            (action, replace(place, another=True))
            for (action, _), place in user_data(COMPANY, USER).items()
            if isinstance(place, Listing)
        ),
        *((action, place) for (action, _), place in (infrastructure() | watching()).items()),
    ]
    for role in USER_DATA_RIGHTS:
        for action, place in requests:
            yield Cell(who=session(role, LENA), action=action, on=place, allowed=False)


def listers() -> Iterator[Cell]:
    """The lister sees which users its company has, and which of them have turns waiting, and nothing else."""
    lister = session("lister", LENA[:1])
    refused: list[tuple[str, Place]] = []
    for bucket, before, behind in (
        ("work", "turns/", "/"),
        ("work", "kept/", "/"),
        ("work", "users/", "/"),
        ("profiles", "", "/"),
        ("profiles", "", "/user-memory/"),
    ):
        users = Listing(bucket, f"{before}acme{behind}", "/")
        yield Cell(who=lister, action="s3:ListBucket", on=users, allowed=True)
        yield Cell(who=session("lister", ()), action="s3:ListBucket", on=users, allowed=False)
        yield Cell(who=session("lister", LENA[1:]), action="s3:ListBucket", on=users, allowed=False)
        yield Cell(
            who=session("lister", ()),
            action="s3:ListBucket",
            on=replace(users, prefix=f"{before}{behind}"),
            allowed=False,
        )
        refused += [
            *(("s3:ListBucket", replace(users, delimiter=delimiter)) for delimiter in (None, "-", "/x")),
            *(
                ("s3:ListBucket", replace(users, prefix=f"{before}{company}{behind}{more}"))
                for company, more in (("acme", "home-lena/"), ("acme", "x"), ("acme2", ""), ("other", ""))
            ),
            ("s3:ListBucket", replace(users, prefix=f"{before}acme{behind}"[:-1])),
            ("s3:ListBucket", replace(users, another=True)),
            ("s3:ListBucketVersions", users),
        ]
    refused += [
        *(("s3:ListBucket", Listing("work", prefix, "/")) for prefix in ("turns/", "kept/", "users/", "acme/", None)),
        *(("s3:ListBucket", Listing("profiles", prefix, "/")) for prefix in ("turns/acme/", "users/acme/", "", None)),
        *((action, place) for (action, _), place in user_data(COMPANY, USER).items()),
    ]
    for action, place in refused:
        yield Cell(who=lister, action=action, on=place, allowed=False)


def transports() -> Iterator[Cell]:
    """What may be done over TLS may not be done without, nor over an old version to a bucket."""
    writer, places = session("erase", LENA), user_data(COMPANY, USER)
    for transport in (Transport.PLAIN, Transport.OLD_TLS):
        for right in (("s3:GetObject", "profile"), ("s3:PutObject", "profile"), ("s3:GetObject", "payload")):
            yield Cell(who=writer, action=right[0], on=places[right], allowed=False, transport=transport)
        for right in (("s3:ListBucketVersions", "home listing"), ("s3:ListBucket", "payload listing")):
            yield Cell(who=writer, action=right[0], on=places[right], allowed=False, transport=transport)
    for who, right in (
        (own("load"), RING),
        (own("consolidate"), ("sqs:ReceiveMessage", "turns queue")),
        (own("consolidate"), ("sqs:SendMessage", "dead-letter queue")),
        (own("consolidate"), RING_FACTS),
        (own("extract"), ("sqs:ReceiveMessage", "facts queue")),
        (own("extract"), ("sqs:SendMessage", "dead facts' queue")),
        (own("account"), SEND_JOBS),
        (own("maintain"), ("sqs:ReceiveMessage", "jobs queue")),
        (Actor(role="somebody", operates=True), ("sqs:ReceiveMessage", "dead jobs' queue")),
    ):
        place = infrastructure()[right]
        yield Cell(who=who, action=right[0], on=place, allowed=False, transport=Transport.PLAIN)
