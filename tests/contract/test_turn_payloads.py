from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.ids import UserKey
from tests.support.records import LENA, LOOK_ALIKES

if TYPE_CHECKING:
    from tests.support.stores import Stores

SHA = "c" * 64
ODD_TURN_IDS = ("plain", "with-dash", "a/b", "..", "größer", "x" * 60 + "-" + "d" * 64, "100 %", "t#1:2")


@pytest.mark.parametrize("turn_id", ODD_TURN_IDS)
def test_a_payload_comes_back_under_its_turn_id(stores: Stores, turn_id: str) -> None:
    stores.payloads.put(LENA, turn_id, SHA, b'{"messages": []}')
    assert stores.payloads.get(LENA, turn_id, SHA) == b'{"messages": []}'
    assert [found[:2] for found in stores.payloads.stored(LENA)] == [(turn_id, SHA)]


def test_storing_the_same_payload_again_changes_nothing(stores: Stores) -> None:
    for _ in range(2):
        stores.payloads.put(LENA, "turn-1", SHA, b"{}")
    assert len(stores.payloads.stored(LENA)) == 1


def test_two_bodies_of_one_turn_id_do_not_overwrite_each_other(stores: Stores) -> None:
    stores.payloads.put(LENA, "turn-1", "1" * 64, b"one")
    stores.payloads.put(LENA, "turn-1", "2" * 64, b"two")
    assert stores.payloads.get(LENA, "turn-1", "1" * 64) == b"one"


def test_a_payload_that_is_gone_is_none(stores: Stores) -> None:
    stores.payloads.put(LENA, "turn-1", SHA, b"{}")
    stores.payloads.delete(LENA, "turn-1", SHA)
    stores.payloads.delete(LENA, "turn-1", SHA)
    assert stores.payloads.get(LENA, "turn-1", SHA) is None
    assert stores.payloads.stored(LENA) == []


def test_several_payloads_go_at_once_and_the_others_stay(stores: Stores) -> None:
    for turn_id in ("turn-1", "turn-2", "a/b"):
        stores.payloads.put(LENA, turn_id, SHA, b"{}")
    stores.payloads.delete_all(LENA, [("turn-1", SHA), ("a/b", SHA), ("never there", SHA)])
    stores.payloads.delete_all(LENA, [])
    assert [turn_id for turn_id, _, _ in stores.payloads.stored(LENA)] == ["turn-2"]


def test_what_is_kept_lies_apart_from_what_waits(stores: Stores) -> None:
    stores.texts.put(LENA, "turn-1", SHA, b"kept")
    assert stores.payloads.get(LENA, "turn-1", SHA) is None
    stores.payloads.put(LENA, "turn-1", SHA, b"waiting")
    stores.payloads.delete(LENA, "turn-1", SHA)
    assert stores.texts.get(LENA, "turn-1", SHA) == b"kept"


@pytest.mark.parametrize("other", LOOK_ALIKES, ids=lambda user: user.partition)
def test_kept_texts_are_the_users_own(stores: Stores, other: UserKey) -> None:
    stores.texts.put(LENA, "turn-1", SHA, b"{}")
    stores.texts.delete_all(other, [("turn-1", SHA)])
    assert stores.texts.get(other, "turn-1", SHA) is None
    assert stores.texts.get(LENA, "turn-1", SHA) == b"{}"


def test_the_directory_names_who_has_kept_texts(stores: Stores) -> None:
    stores.payloads.put(UserKey("acme", "mia"), "turn-1", SHA, b"{}")
    for user in (LENA, UserKey("acme", "ana"), UserKey("acme-2", "lena")):
        stores.texts.put(user, "turn-1", SHA, b"{}")
    assert sorted(stores.directory.companies_with_kept_turns()) == ["acme", "acme-2"]
    assert list(stores.directory.companies_with_turns()) == ["acme"]
    (first,) = stores.directory.users_with_kept_turns("acme", after=None, limit=1)
    assert first == UserKey("acme", "ana")
    assert stores.directory.users_with_kept_turns("acme", after="ana", limit=10) == [LENA]


@pytest.mark.parametrize("other", LOOK_ALIKES, ids=lambda user: user.partition)
def test_payloads_are_the_users_own(stores: Stores, other: UserKey) -> None:
    stores.payloads.put(LENA, "turn-1", SHA, b"{}")
    assert stores.payloads.get(other, "turn-1", SHA) is None
    assert stores.payloads.stored(other) == []


def test_the_directory_names_companies_and_users_with_payloads(stores: Stores) -> None:
    users = {LENA, *LOOK_ALIKES}
    for user in users:
        stores.payloads.put(user, "turn-1", SHA, b"{}")
        stores.payloads.put(user, "turn-2", SHA, b"{}")
    assert sorted(stores.directory.companies_with_turns()) == ["acme", "acme-2"]
    assert sorted(stores.directory.users_with_turns("acme")) == sorted(u for u in users if u.company_id == "acme")
    assert stores.directory.users_with_turns("acme-2") == [UserKey("acme-2", "lena")]


def test_the_directory_forgets_who_has_nothing_left(stores: Stores) -> None:
    stores.payloads.put(LENA, "turn-1", SHA, b"{}")
    stores.payloads.delete(LENA, "turn-1", SHA)
    assert list(stores.directory.companies_with_turns()) == []
    assert list(stores.directory.users_with_turns("acme")) == []
