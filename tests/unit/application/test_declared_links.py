"""All links as one declared list."""

from __future__ import annotations

import pytest

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.domain.errors import LinkConfirmationRequired, StoreUnavailable, VersionConflict
from context_memory.domain.links import DeclaredList, LinkWish, Origin, Provider
from context_memory.ports.links import MOST_LINK_CHANGES
from tests.support.links import declaring_of, links_of

PHONE, DESK = Provider.read("telegram:123"), Provider.read("slack:u1")


def listed(*entries: tuple[str, str], privileged: str = "", confirmed: bool = False) -> DeclaredList:
    pairs = [(Provider.read(text), user_id) for text, user_id in entries]
    return DeclaredList.of(pairs, privileged=frozenset(privileged.split()), confirmed=confirmed)


def standing(world: InMemoryWorld) -> dict[str, tuple[str, Origin]]:
    return {str(link.provider): (link.user_id, link.origin) for link in world.links.links("acme", limit=1000)}


def test_a_provider_that_is_named_twice_goes_to_the_later_and_that_is_said() -> None:
    world = InMemoryWorld()
    wanted = listed(("Telegram:123", "lena"), ("slack:u1", "lena"), ("telegram: 123", "mia"))
    assert wanted.twice == (PHONE,)
    declaring_of(world).declare("acme", wanted)
    assert standing(world) == {"slack:u1": ("lena", Origin.DECLARED), "telegram:123": ("mia", Origin.DECLARED)}


def test_the_list_replaces_what_a_sign_in_made_and_names_whom() -> None:
    world = InMemoryWorld()
    links_of(world).link("acme", PHONE, LinkWish(user_id="mia", by=Origin.SIGN_IN))
    (change,) = declaring_of(world).declare("acme", listed(("telegram:123", "lena"), ("slack:u1", "lena")))
    assert (change.provider, change.left) == (PHONE, "mia")
    assert standing(world)["telegram:123"] == ("lena", Origin.DECLARED)


def test_what_a_sign_in_made_to_the_same_user_becomes_declared_and_nobody_is_left() -> None:
    world = InMemoryWorld()
    links_of(world).link("acme", PHONE, LinkWish(user_id="lena", by=Origin.SIGN_IN))
    assert declaring_of(world).declare("acme", listed(("telegram:123", "lena"))) == []
    assert standing(world) == {"telegram:123": ("lena", Origin.DECLARED)}


def test_what_is_declared_no_more_goes_and_what_others_made_stays() -> None:
    world = InMemoryWorld()
    declaring_of(world).declare("acme", listed(("telegram:123", "lena"), ("slack:u1", "mia")))
    links_of(world).link("acme", Provider.read("matrix:a"), LinkWish(user_id="zoe", by=Origin.SIGN_IN))
    (change,) = declaring_of(world).declare("acme", listed(("slack:u1", "mia")))
    assert (change.provider, change.after, change.left) == (PHONE, None, "lena")
    assert standing(world) == {"matrix:a": ("zoe", Origin.SIGN_IN), "slack:u1": ("mia", Origin.DECLARED)}


def test_the_same_list_again_changes_no_link() -> None:
    world = InMemoryWorld()
    wanted = listed(("telegram:123", "lena"), ("slack:u1", "mia"))
    declaring_of(world).declare("acme", wanted)
    before = world.links.links("acme", limit=10)
    assert declaring_of(world).declare("acme", wanted) == []
    assert world.links.links("acme", limit=10) == before


@pytest.mark.parametrize(("before", "now"), [("", "boss"), ("boss", ""), ("boss", "boss")])
def test_a_new_link_to_whom_either_list_calls_privileged_must_be_confirmed(before: str, now: str) -> None:
    world = InMemoryWorld()
    declaring_of(world).declare("acme", listed(("slack:u1", "lena"), privileged=before))
    stood = standing(world)
    with pytest.raises(LinkConfirmationRequired):
        declaring_of(world).declare("acme", listed(("telegram:123", "boss"), privileged=now))
    assert standing(world) == stood
    assert world.links.declaration("acme").privileged == frozenset(before.split())
    declaring_of(world).declare("acme", listed(("telegram:123", "boss"), privileged=now, confirmed=True))
    assert standing(world) == {"telegram:123": ("boss", Origin.DECLARED)}


def test_who_was_linked_to_a_privileged_user_before_needs_no_confirmation() -> None:
    world = InMemoryWorld()
    wanted = listed(("telegram:123", "boss"), privileged="boss", confirmed=True)
    declaring_of(world).declare("acme", wanted)
    again = listed(("telegram:123", "boss"), ("slack:u1", "lena"), privileged="boss")
    declaring_of(world).declare("acme", again)
    assert set(standing(world)) == {"telegram:123", "slack:u1"}


def test_a_list_of_many_pages_stands_whole_and_goes_whole() -> None:
    world = InMemoryWorld()
    many = listed(*((f"slack:u{number}", f"user {number}") for number in range(2 * MOST_LINK_CHANGES + 7)))
    declaring_of(world).declare("acme", many)
    assert len(standing(world)) == 2 * MOST_LINK_CHANGES + 7
    gone = declaring_of(world).declare("acme", listed())
    assert len(gone) == 2 * MOST_LINK_CHANGES + 7
    assert standing(world) == {}


def test_of_two_lists_at_once_the_later_stands_whole_and_the_other_is_refused() -> None:
    world = InMemoryWorld()
    many = [f"slack:u{number}" for number in range(MOST_LINK_CHANGES + 5)]
    later = listed(*((text, "later") for text in many))
    writes = 0

    def interfere(step: str) -> None:
        nonlocal writes
        writes += step == "after:links.write"
        if step == "after:links.write" and writes == 1:
            declaring_of(world).declare("acme", later)

    world.whenever(interfere)
    with pytest.raises(VersionConflict):
        declaring_of(world).declare("acme", listed(*((text, "earlier") for text in many)))
    assert {user_id for user_id, _ in standing(world).values()} == {"later"}
    assert len(standing(world)) == len(many)


def test_a_link_that_somebody_makes_meanwhile_is_outranked_like_one_that_stood() -> None:
    world = InMemoryWorld()

    interfered = False

    def interfere(step: str) -> None:
        nonlocal interfered
        if step == "before:links.write" and not interfered:
            interfered = True
            links_of(world).link("acme", PHONE, LinkWish(user_id="mia", by=Origin.SIGN_IN))

    world.whenever(interfere)
    (change,) = declaring_of(world).declare("acme", listed(("telegram:123", "lena")))
    assert change.left == "mia"
    assert standing(world) == {"telegram:123": ("lena", Origin.DECLARED)}


def test_a_list_that_ended_early_is_whole_when_it_is_declared_anew() -> None:
    world = InMemoryWorld()
    many = listed(*((f"slack:u{number}", "lena") for number in range(MOST_LINK_CHANGES + 5)))
    writes = 0

    def die(step: str) -> None:
        nonlocal writes
        writes += step == "before:links.write"
        if step == "before:links.write" and writes == 2:
            raise StoreUnavailable("as wanted")

    world.whenever(die)
    with pytest.raises(StoreUnavailable):
        declaring_of(world).declare("acme", many)
    assert len(standing(world)) == MOST_LINK_CHANGES
    declaring_of(world).declare("acme", many)
    assert len(standing(world)) == MOST_LINK_CHANGES + 5


def test_pages_show_who_is_privileged_and_where_they_go_on() -> None:
    world = InMemoryWorld()
    declaring_of(world).declare("acme", listed(("slack:u1", "lena"), ("telegram:123", "mia"), privileged="boss"))
    first = declaring_of(world).page("acme", limit=1, after=None)
    assert ([str(link.provider) for link in first.links], first.following) == (["slack:u1"], DESK)
    second = declaring_of(world).page("acme", limit=1, after=first.following)
    assert ([str(link.provider) for link in second.links], second.following) == (["telegram:123"], None)
    assert first.privileged == second.privileged == {"boss"}
