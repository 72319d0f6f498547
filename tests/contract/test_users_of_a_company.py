from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.ids import UserKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.support.stores import MockedAws, Stores

PLACES: dict[str, Callable[[Stores, UserKey], object]] = {
    "profile": lambda stores, user: stores.profiles.put(user, b"text", replaces=None),
    "turn": lambda stores, user: stores.payloads.put(user, "t1", "0" * 64, b"{}"),
    "kept turn": lambda stores, user: stores.texts.put(user, "t1", "0" * 64, b"{}"),
    "roster": lambda stores, user: stores.roster.enter(user),
    "legacy": lambda stores, user: stores.write_legacy(user, b"text"),
}
# In the order of folders, in which a slash comes behind a hyphen and before a digit.
NAMES = ("lena-x", "lena.frei", "lena", "lena0", "lena=", "ü/# 猫", "home-lena", "user-memory", ".")


def people(names: Iterable[str] = NAMES, company_id: str = "acme") -> list[UserKey]:
    return [UserKey(company_id, name) for name in names]


def everybody(stores: Stores, *, limit: int, legacy: bool = True, company_id: str = "acme") -> list[UserKey]:
    """All users, page by page."""
    found: list[UserKey] = []
    while page := stores.directory.users(
        company_id, after=found[-1].encoded if found else None, limit=limit, legacy=legacy
    ):
        found += page
    return found


@pytest.mark.parametrize("place", PLACES)
def test_who_has_anything_anywhere_is_found(stores: Stores, place: str) -> None:
    for user in people():
        PLACES[place](stores, user)
    assert set(everybody(stores, limit=100)) == {*people()}


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_who_is_found_in_several_places_is_told_once_and_in_the_same_order(stores: Stores, limit: int) -> None:
    for number, user in enumerate(people()):
        for place in list(PLACES.values())[number % 3 :]:
            place(stores, user)
    found = everybody(stores, limit=limit)
    assert [f"{user.encoded}/" for user in found] == sorted(f"{user.encoded}/" for user in people())


def test_who_comes_meanwhile_is_told_if_their_name_is_yet_to_come(stores: Stores) -> None:
    for user in people(["b", "d"]):
        stores.roster.enter(user)
    (first,) = stores.directory.users("acme", after=None, limit=1, legacy=False)
    for user in people(["a", "c"]):
        stores.roster.enter(user)
    rest = stores.directory.users("acme", after=first.encoded, limit=10, legacy=False)
    assert [first, *rest] == people(["b", "c", "d"])


def test_the_last_one_known_may_have_gone(stores: Stores) -> None:
    for user in people(["a", "b", "c"]):
        stores.roster.enter(user)
    stores.roster.strike(people(["b"])[0])
    assert stores.directory.users("acme", after="b", limit=10, legacy=False) == people(["c"])


def test_users_of_companies_with_similar_names_are_not_told(stores: Stores) -> None:
    for company_id in ("acme2", "acm", "acme-x", "ac"):
        for place in PLACES.values():
            place(stores, UserKey(company_id, "lena"))
    assert everybody(stores, limit=10) == []


def test_old_files_are_looked_for_only_where_the_company_has_some(stores: Stores) -> None:
    stores.write_legacy(UserKey("acme", "lena"), b"text")
    assert everybody(stores, limit=10, legacy=False) == []


def test_who_was_struck_from_the_roster_is_not_told_and_may_be_struck_again(stores: Stores) -> None:
    lena, look_alike = people(["lena", "lena2"])
    for user in (lena, look_alike):
        stores.roster.enter(user)
        stores.roster.enter(user)
    stores.roster.strike(lena)
    stores.roster.strike(lena)
    assert everybody(stores, limit=10) == [look_alike]


def test_a_hundred_users_cost_five_requests_however_many_there_are(aws_stores: Stores, mocked_aws: MockedAws) -> None:
    for number in range(160):
        user = UserKey("acme", f"user-{number:03}")
        aws_stores.roster.enter(user)
        aws_stores.write_legacy(user, b"text")
        aws_stores.profiles.put(user, b"text", replaces=None)
    mocked_aws.wire.signed.clear()
    page = aws_stores.directory.users("acme", after="user-049", limit=100, legacy=True)
    assert len(page) == 100
    services = [service for service, _ in mocked_aws.wire.signed]
    assert services.count("s3") == 5


def test_who_lists_signs_as_the_company_s_lister_alone(aws_stores: Stores, mocked_aws: MockedAws) -> None:
    aws_stores.roster.enter(UserKey("acme", "lena"))
    mocked_aws.wire.signed.clear()
    aws_stores.directory.users("acme", after=None, limit=10, legacy=True)
    listers = {key for service, key in mocked_aws.wire.signed if service == "s3"}
    owns = {key for service, key in mocked_aws.wire.signed if service == "sts"}
    assert len(listers) == 1
    assert not listers & owns
