"""One link: to whom a provider belongs, and whom it leaves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.domain.errors import (
    Contended,
    InvalidInput,
    LinkConfirmationRequired,
    LinkDeclared,
    LinkUnknown,
    StoreUnavailable,
)
from context_memory.domain.jobs import JobKind, MergeJob
from context_memory.domain.links import DeclaredList, LinkWish, Origin, Provider
from tests.support.links import asking_of, declaring_of, links_of

if TYPE_CHECKING:
    from context_memory.application.links.linking import LinkAdministration

PHONE = Provider.read("telegram:123")
LENA, MIA = LinkWish(user_id="lena"), LinkWish(user_id="mia")


def declared(world: InMemoryWorld, *entries: tuple[str, str], privileged: frozenset[str] = frozenset()) -> None:
    pairs = [(Provider.read(text), user_id) for text, user_id in entries]
    declaring_of(world).declare("acme", DeclaredList.of(pairs, privileged=privileged, confirmed=True))


def test_a_provider_belongs_to_whom_it_was_linked_and_leaves_nobody_the_first_time() -> None:
    links = links_of(InMemoryWorld())
    linked = links.link("acme", PHONE, LENA)
    assert (linked.link.user_id, linked.link.origin, linked.left, linked.merge) == (
        "lena",
        Origin.ADMINISTRATOR,
        None,
        None,
    )
    assert links.show("acme", PHONE) == linked.link


def test_linking_it_elsewhere_names_whom_it_left() -> None:
    links = links_of(InMemoryWorld())
    links.link("acme", PHONE, LENA)
    assert links.link("acme", PHONE, MIA).left == "lena"
    assert links.show("acme", PHONE).user_id == "mia"


def test_linking_it_again_to_the_same_user_changes_nothing() -> None:
    links = links_of(InMemoryWorld())
    first = links.link("acme", PHONE, LENA)
    again = links.link("acme", PHONE, LENA)
    assert (again.link, again.left) == (first.link, None)


def test_unlinking_names_whom_it_left_and_counts_at_once() -> None:
    links = links_of(InMemoryWorld())
    links.link("acme", PHONE, LENA)
    assert links.unlink("acme", PHONE) == "lena"
    for gone in (links.show, links.unlink):
        with pytest.raises(LinkUnknown):
            gone("acme", PHONE)


@pytest.mark.parametrize("user_id", ["boss", "BOSS"])
def test_only_the_very_user_who_is_privileged_must_be_confirmed(user_id: str) -> None:
    world = InMemoryWorld()
    declared(world, privileged=frozenset({"boss"}))
    links = links_of(world)
    if user_id == "boss":
        with pytest.raises(LinkConfirmationRequired):
            links.link("acme", PHONE, LinkWish(user_id=user_id))
        with pytest.raises(LinkUnknown):
            links.show("acme", PHONE)
    assert links.link("acme", PHONE, LinkWish(user_id=user_id, confirmed=True)).link.user_id == user_id


def test_who_is_marked_privileged_meanwhile_is_not_linked_unconfirmed() -> None:
    world = InMemoryWorld()

    def mark(step: str) -> None:
        if step == "before:links.write" and not world.links.declaration("acme").version:
            declared(world, privileged=frozenset({"lena"}))

    world.whenever(mark)
    with pytest.raises(LinkConfirmationRequired):
        links_of(world).link("acme", PHONE, LENA)
    assert world.links.link("acme", PHONE) is None


def test_a_sign_in_may_not_move_what_is_declared_but_an_administrator_may() -> None:
    world = InMemoryWorld()
    declared(world, ("telegram:123", "lena"))
    links = links_of(world)
    with pytest.raises(LinkDeclared):
        links.link("acme", PHONE, LinkWish(user_id="mia", by=Origin.SIGN_IN))
    assert links.show("acme", PHONE).user_id == "lena"
    assert links.link("acme", PHONE, MIA).left == "lena"


def test_a_sign_in_may_not_move_what_an_administrator_has_linked() -> None:
    links = links_of(InMemoryWorld())
    links.link("acme", PHONE, LENA)
    with pytest.raises(LinkDeclared):
        links.link("acme", PHONE, LinkWish(user_id="mia", by=Origin.SIGN_IN))
    assert links.show("acme", PHONE).user_id == "lena"


def test_a_sign_in_moves_what_another_sign_in_has_linked() -> None:
    links = links_of(InMemoryWorld())
    links.link("acme", PHONE, LinkWish(user_id="lena", by=Origin.SIGN_IN))
    assert links.link("acme", PHONE, LinkWish(user_id="mia", by=Origin.SIGN_IN)).left == "lena"


@pytest.mark.parametrize("linked", ["nobody", "mia", "boss"])
def test_no_fact_of_a_privileged_user_becomes_anothers_unconfirmed(linked: str) -> None:
    world = InMemoryWorld()
    links = links_of(world)
    if linked != "nobody":
        links.link("acme", PHONE, LinkWish(user_id=linked, confirmed=True))
    declared(world, privileged=frozenset({"boss"}))
    source = None if linked == "boss" else "boss"
    taking = LinkWish(user_id="mia", merge=True, merge_from=source)
    with pytest.raises(LinkConfirmationRequired):
        links.link("acme", PHONE, taking)
    assert world.jobs.receive() is None
    merge = links.link("acme", PHONE, replace(taking, confirmed=True)).merge
    assert merge is not None
    assert merge.source_id == "boss"


def test_facts_are_not_brought_to_a_privileged_user_unconfirmed_over_a_link_that_stands() -> None:
    world = InMemoryWorld()
    links = links_of(world)
    links.link("acme", PHONE, LinkWish(user_id="boss"))
    declared(world, privileged=frozenset({"boss"}))
    with pytest.raises(LinkConfirmationRequired):
        links.link("acme", PHONE, LinkWish(user_id="boss", merge=True, merge_from="mia"))


@pytest.mark.parametrize("by", [Origin.SIGN_IN, Origin.ADMINISTRATOR])
def test_what_is_declared_stays_declared_when_the_same_is_said_again(by: Origin) -> None:
    world = InMemoryWorld()
    declared(world, ("telegram:123", "lena"))
    assert links_of(world).link("acme", PHONE, LinkWish(user_id="lena", by=by)).link.origin is Origin.DECLARED


def test_what_an_administrator_confirms_is_a_sign_ins_no_more() -> None:
    links = links_of(InMemoryWorld())
    links.link("acme", PHONE, LinkWish(user_id="lena", by=Origin.SIGN_IN))
    linked = links.link("acme", PHONE, LENA)
    assert (linked.link.origin, linked.left) == (Origin.ADMINISTRATOR, None)


def test_a_merge_is_asked_for_with_its_link_and_looked_after() -> None:
    world = InMemoryWorld()
    links = links_of(world)
    links.link("acme", PHONE, MIA)
    merge = links.link("acme", PHONE, LinkWish(user_id="lena", merge=True)).merge
    assert merge is not None
    assert (merge.source_id, merge.target_id, merge.all_facts) == ("mia", "lena", False)
    assert asking_of(world).show("acme", PHONE, merge.merge_id) == merge
    delivery = world.jobs.receive()
    assert delivery is not None
    assert delivery.job == MergeJob(company_id="acme", job_id=merge.merge_id)
    (entry,) = world.agenda.due("acme", world.clock.now().date().replace(day=30))
    assert (entry.kind, entry.job()) == (JobKind.MERGE, delivery.job)


def test_whose_facts_move_may_be_said() -> None:
    links = links_of(InMemoryWorld())
    merge = links.link("acme", PHONE, LinkWish(user_id="lena", merge=True, merge_from="old lena")).merge
    assert merge is not None
    assert (merge.source_id, merge.all_facts) == ("old lena", True)


def test_nothing_is_merged_where_nobody_was_left() -> None:
    world = InMemoryWorld()
    assert links_of(world).link("acme", PHONE, LinkWish(user_id="lena", merge=True)).merge is None
    assert world.jobs.receive() is None


@pytest.mark.parametrize("wrong", [{"merge_from": "mia"}, {"merge": True, "merge_from": "lena"}])
def test_a_wish_that_contradicts_itself_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInput) as refused:
        LinkWish(user_id="lena", **wrong)  # type: ignore[arg-type]  # as given above
    assert refused.value.field == "merge_from"


def test_a_link_that_was_never_stored_sets_nothing_off() -> None:
    world = InMemoryWorld()
    links = links_of(world)
    links.link("acme", PHONE, MIA)

    def fail(step: str) -> None:
        if step == "before:links.write":
            raise StoreUnavailable("as wanted")

    world.whenever(fail)
    with pytest.raises(StoreUnavailable):
        links.link("acme", PHONE, LinkWish(user_id="lena", merge=True))
    assert world.jobs.receive() is None


def test_a_merge_whose_message_is_lost_is_in_the_agenda_all_the_same() -> None:
    world = InMemoryWorld()
    links = links_of(world)
    links.link("acme", PHONE, MIA)

    def fail(step: str) -> None:
        if step == "before:jobs.send":
            raise StoreUnavailable("as wanted")

    world.whenever(fail)
    with pytest.raises(StoreUnavailable):
        links.link("acme", PHONE, LinkWish(user_id="lena", merge=True))
    (entry,) = world.agenda.due("acme", world.clock.now().date().replace(day=30))
    assert entry.job_id is not None
    assert world.merges.merge("acme", entry.job_id) is not None


def left_by(links: LinkAdministration, barrier: Barrier, wish: LinkWish) -> str:
    barrier.wait()
    return str(links.link("acme", PHONE, wish).left)


def test_of_two_who_link_at_once_each_is_told_whom_the_provider_really_left() -> None:
    for _ in range(20):
        links, barrier = links_of(InMemoryWorld()), Barrier(2)
        links.link("acme", PHONE, LinkWish(user_id="first"))

        with ThreadPoolExecutor(2) as pool:
            left = list(pool.map(partial(left_by, links, barrier), (LENA, MIA)))
        last = links.show("acme", PHONE).user_id
        assert sorted(left) == sorted(["first", "mia" if last == "lena" else "lena"])


def test_whoever_is_never_the_first_is_told_so_in_the_end() -> None:
    world = InMemoryWorld()
    links = links_of(world)
    others = count()
    meddling = False

    def meddle(step: str) -> None:
        nonlocal meddling
        if step == "before:links.write" and not meddling:
            meddling = True
            links.link("acme", PHONE, LinkWish(user_id=f"other {next(others)}"))
            meddling = False

    world.whenever(meddle)
    with pytest.raises(Contended):
        links.link("acme", PHONE, LENA)


def test_no_line_says_who_is_linked() -> None:
    world = InMemoryWorld()
    links = links_of(world)
    links.link("acme", PHONE, MIA)
    links.link("acme", PHONE, LinkWish(user_id="lena", merge=True))
    links.unlink("acme", PHONE)
    written = repr(world.telemetry.lines)
    assert written.count("linked a provider") == 3  # both links, and the end of one
    assert not any(word in written for word in ("lena", "mia", "123"))
