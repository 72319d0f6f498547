"""Whose channels are whose is a user's own data: an erase takes all of it, and nobody else's."""

from __future__ import annotations

from datetime import timedelta

import pytest

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.domain.errors import LinkUnknown
from context_memory.domain.ids import UserKey
from context_memory.domain.links import DeclaredList, LinkWish, Origin, Provider
from tests.support.eraser import LENA, SETTLING, Eraser, remains
from tests.support.links import declaring_of, links_of

MIA = UserKey("acme", "mia")
PHONE, CHAT, DESK = (Provider.read(text) for text in ("telegram:123", "slack:u1", "teams:7"))


def linked(world: InMemoryWorld, provider: Provider, user: UserKey, by: Origin = Origin.ADMINISTRATOR) -> None:
    links_of(world).link(user.company_id, provider, LinkWish(user_id=user.user_id, by=by))


@pytest.mark.parametrize("off", [False, True], ids=["erased", "opted out"])
def test_every_provider_of_the_user_goes_whoever_linked_it_and_the_receipt_counts_them(*, off: bool) -> None:
    world = InMemoryWorld()
    declared = DeclaredList.of(
        [(DESK, "lena"), (Provider.read("teams:8"), "mia")], privileged=frozenset(), confirmed=False
    )
    declaring_of(world).declare("acme", declared)
    linked(world, PHONE, LENA)
    linked(world, CHAT, LENA, Origin.SIGN_IN)
    linked(world, Provider.read("slack:u2"), MIA)
    eraser = Eraser(world)
    eraser.erase(off=off)
    eraser.work()
    assert eraser.receipt()["counts"]["items"] == {"links": 3}
    assert [link.user_id for link in world.links.links("acme", limit=10)] == ["mia", "mia"]


def test_the_same_provider_of_another_company_stays() -> None:
    world = InMemoryWorld()
    elsewhere = UserKey("acme2", "lena")
    linked(world, PHONE, LENA)
    linked(world, PHONE, elsewhere)
    eraser = Eraser(world)
    eraser.erase()
    eraser.work()
    assert remains(world) == []
    assert links_of(world).show("acme2", PHONE).user_id == "lena"


def test_a_link_that_is_made_while_the_erase_runs_goes_with_the_second_sweep() -> None:
    world = InMemoryWorld()
    eraser = Eraser(world)
    assert eraser.erase()["status"] == "provisional"
    world.clock.advance(SETTLING.total_seconds() / 2)
    linked(world, PHONE, LENA)
    eraser.work()
    assert eraser.receipt()["counts"]["items"] == {"links": 1}
    with pytest.raises(LinkUnknown):
        links_of(world).show("acme", PHONE)


def test_a_link_that_is_made_afterwards_stays() -> None:
    world = InMemoryWorld()
    eraser = Eraser(world)
    eraser.erase(off=True)
    eraser.work()
    linked(world, PHONE, LENA)
    world.clock.advance(timedelta(days=1).total_seconds())
    assert links_of(world).show("acme", PHONE).user_id == "lena"


def test_more_providers_than_one_page_holds_go_all_the_same() -> None:
    world = InMemoryWorld()
    for number in range(60):
        linked(world, Provider("slack", f"u{number:02}"), LENA)
    eraser = Eraser(world)
    assert eraser.erase()["counts"]["items"] == {"links": 60}


def test_a_provider_that_moves_on_in_the_moment_of_the_erase_is_its_new_users() -> None:
    world = InMemoryWorld()
    linked(world, PHONE, LENA)

    def move(step: str) -> None:
        if step == "before:links.let_go":
            world.whenever(lambda _: None)
            linked(world, PHONE, MIA)

    world.whenever(move)
    eraser = Eraser(world)
    eraser.erase()
    eraser.work()
    assert links_of(world).show("acme", PHONE).user_id == "mia"
