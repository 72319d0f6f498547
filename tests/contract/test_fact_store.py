from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.outcomes import FactsCounts, FactsOutcome
from context_memory.domain.facts.scopes import SharedScope, UserScope
from context_memory.domain.state import UserSettings
from context_memory.ports.facts import Facts, FactsHead
from tests.support.facts import COMPANY, a_fact
from tests.support.records import LENA, LOOK_ALIKES
from tests.support.stored_facts import OWN, change, end, full_fact, store, texts, waiting
from tests.support.stores import at

if TYPE_CHECKING:
    from context_memory.ports.facts import FactsChange
    from tests.support.stores import Stores

BASEL, BERN, RUST = a_fact("Lives in Basel"), a_fact("Lives in Bern"), a_fact("Writes Rust")


def refused(stores: Stores, wanted: FactsChange) -> frozenset[str]:
    before = stores.facts.facts(LENA, OWN)
    with pytest.raises(CommitRefused) as error:
        stores.facts.change(wanted)
    assert stores.facts.facts(LENA, OWN) == before
    return error.value.clauses


def test_of_whom_nothing_is_known_there_are_no_facts(stores: Stores) -> None:
    assert stores.facts.facts(LENA, OWN) == Facts()
    assert stores.facts.head(LENA, OWN) == FactsHead()


@pytest.mark.parametrize("known", [full_fact(), BASEL], ids=["with everything", "with nothing more than it needs"])
def test_a_fact_is_read_as_it_was_put(stores: Stores, known: object) -> None:
    assert known in (full_fact(), BASEL)
    store(stores, full_fact(), BASEL)
    assert known in stores.facts.facts(LENA, OWN).facts


def test_facts_come_in_the_order_of_their_ids(stores: Stores) -> None:
    many = [a_fact(f"Fact {number}") for number in range(20)]
    store(stores, *many)
    assert stores.facts.facts(LENA, OWN).facts == tuple(sorted(many, key=lambda one: one.id))


def test_a_fact_is_put_in_the_place_of_the_one_under_its_id(stores: Stores) -> None:
    store(stores, full_fact())
    confirmed = replace(a_fact(full_fact().text), last_confirmed_at=at(30))
    store(stores, confirmed)
    assert stores.facts.facts(LENA, OWN).facts == (confirmed,)


def test_what_is_dropped_is_gone_and_what_never_was_is_no_error(stores: Stores) -> None:
    store(stores, BASEL, RUST)
    store(stores, BERN, drops=frozenset({BASEL.id, "f" * 20}))
    assert texts(stores) == ["Lives in Bern", "Writes Rust"]
    assert stores.facts.head(LENA, OWN).count == 2


def test_each_write_counts_the_head_up(stores: Stores) -> None:
    store(stores, BASEL)
    first = stores.facts.head(LENA, OWN)
    store(stores, BERN)
    assert first.version > 0
    assert stores.facts.head(LENA, OWN) == FactsHead(first.version + 1, 2)
    assert stores.facts.facts(LENA, OWN).head == stores.facts.head(LENA, OWN)


def test_an_epoch_is_written_by_the_store_and_not_by_whoever_hands_a_fact_in(stores: Stores) -> None:
    store(stores, replace(BASEL, epoch=7))
    assert [one.epoch for one in stores.facts.facts(LENA, OWN).facts] == [0]


def test_whoever_read_before_somebody_else_wrote_is_refused(stores: Stores) -> None:
    nothing = stores.facts.facts(LENA, OWN)
    store(stores, BASEL)
    one = stores.facts.facts(LENA, OWN)
    store(stores, BERN)
    for outdated in (nothing, one):
        assert refused(stores, change(outdated, RUST)) == {"facts"}
        assert refused(stores, change(outdated, drops=frozenset({BASEL.id}))) == {"facts"}


def test_a_head_with_another_count_than_was_read_is_another_head(stores: Stores) -> None:
    store(stores, BASEL)
    known = stores.facts.facts(LENA, OWN)
    miscounted = replace(known, head=replace(known.head, count=0))
    assert refused(stores, change(miscounted, RUST)) == {"facts"}


@pytest.mark.parametrize(
    ("settings", "epoch", "rules"),
    [
        (UserSettings(epoch=1), 0, None),
        (UserSettings(epoch=1), 2, None),
        (UserSettings(), 1, None),
        (UserSettings(epoch=1, erase_running=True), 1, None),
        (UserSettings(context_memory=False), 0, None),
        (UserSettings(), 0, 1),
    ],
    ids=["erased since", "of an epoch to come", "never erased", "being erased", "opted out", "other rules"],
)
def test_facts_are_written_only_under_the_settings_that_count(
    stores: Stores, settings: UserSettings, epoch: int, rules: int | None
) -> None:
    stores.write_settings(LENA, settings)
    assert refused(stores, change(Facts(), BASEL, epoch=epoch, rules=rules)) == {"settings"}


def test_facts_of_whoever_never_set_anything_are_written_in_epoch_0_without_rules(stores: Stores) -> None:
    assert refused(stores, change(Facts(), BASEL, epoch=1)) == {"settings"}
    assert refused(stores, change(Facts(), BASEL, rules=2)) == {"settings"}
    stores.facts.change(change(Facts(), BASEL, rules=0))
    assert texts(stores) == ["Lives in Basel"]


def test_every_clause_that_fails_is_named(stores: Stores) -> None:
    pending = waiting(stores)
    store(stores, BASEL)
    stores.write_settings(LENA, UserSettings(context_memory=False))
    outdated = change(Facts(), BERN, ends=(end(replace(pending, turn_id="never accepted")),))
    assert refused(stores, outdated) == {"facts", "settings", "turn"}


def test_facts_are_stored_and_the_extraction_ends_together(stores: Stores) -> None:
    pending = waiting(stores)
    known = stores.table.turn(LENA, "turn-1")
    store(stores, BASEL, ends=(end(pending, added=1, refused=2),))
    turn = stores.table.turn(LENA, "turn-1")
    assert known is not None
    assert turn == replace(known, facts_outcome=FactsOutcome.STORED, facts=FactsCounts(added=1, refused=2))
    assert (stores.facts.pending(LENA), texts(stores)) == ([], ["Lives in Basel"])


def test_an_extraction_that_has_ended_stores_nothing_more(stores: Stores) -> None:
    pending = waiting(stores)
    store(stores, BASEL, ends=(end(pending),))
    again = change(stores.facts.facts(LENA, OWN), BERN, ends=(end(pending),))
    assert refused(stores, again) == {"turn"}
    assert texts(stores) == ["Lives in Basel"]


def test_an_extraction_without_facts_leaves_the_head_and_needs_none(stores: Stores) -> None:
    store(stores, BASEL)
    head = stores.facts.head(LENA, OWN)
    pending = waiting(stores)
    outdated = change(Facts(), ends=(end(pending, FactsOutcome.NOTHING),))
    stores.facts.change(outdated)
    assert stores.facts.head(LENA, OWN) == head
    assert stores.facts.pending(LENA) == []


def test_an_extraction_ends_without_a_look_at_settings_only_where_it_is_dropped(stores: Stores) -> None:
    pending = waiting(stores)
    stores.write_settings(LENA, UserSettings(epoch=1))
    ends = (end(pending, FactsOutcome.DROPPED_ERASED),)
    assert refused(stores, change(Facts(), ends=ends)) == {"settings"}
    stores.facts.change(change(Facts(), ends=ends, check_settings=False))
    turn = stores.table.turn(LENA, "turn-1")
    assert turn is not None
    assert turn.facts_outcome is FactsOutcome.DROPPED_ERASED


def test_an_extraction_of_another_life_does_not_end_a_turn_of_this_one(stores: Stores) -> None:
    pending = waiting(stores)
    other = (end(replace(pending, epoch=1)),)
    assert refused(stores, change(Facts(), ends=other, check_settings=False)) == {"turn"}


def test_of_two_identical_write_backs_at_once_one_is_stored(stores: Stores) -> None:
    pending, start = waiting(stores), Barrier(2)

    def write_back(_: int) -> bool:
        known = stores.facts.facts(LENA, OWN)
        start.wait()
        try:
            stores.facts.change(change(known, BASEL, ends=(end(pending, added=1),)))
        except CommitRefused:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(write_back, range(2))) == [False, True]
    assert texts(stores) == ["Lives in Basel"]
    assert stores.facts.head(LENA, OWN).count == 1


def test_a_cap_holds_whoever_writes_at_the_same_time(stores: Stores) -> None:
    cap, writers = 5, 4

    def write(writer: int) -> int:
        stored = 0
        for number in range(4):
            while (known := stores.facts.facts(LENA, OWN)).head.count < cap:
                try:
                    stores.facts.change(change(known, a_fact(f"Fact {number} of writer {writer}")))
                except CommitRefused:
                    continue
                stored += 1
                break
        return stored

    with ThreadPoolExecutor(writers) as pool:
        stored = sum(pool.map(write, range(writers)))
    assert (stored, len(texts(stores)), stores.facts.head(LENA, OWN).count) == (cap, cap, cap)


def test_facts_of_another_epoch_are_not_shown_whether_they_are_swept_or_not(stores: Stores) -> None:
    store(stores, BASEL)
    stores.write_settings(LENA, UserSettings(epoch=1, erase_running=True))
    assert stores.facts.facts(LENA, OWN) == Facts()
    assert stores.facts.head(LENA, OWN) == FactsHead()


def test_what_is_left_of_another_epoch_is_in_nobodys_way_and_no_version_comes_again(stores: Stores) -> None:
    store(stores, BASEL, BERN)
    before = stores.facts.head(LENA, OWN)
    stores.write_settings(LENA, UserSettings(epoch=1))
    store(stores, BASEL, RUST, epoch=1, at=at(30))
    assert texts(stores) == ["Lives in Basel", "Writes Rust"]
    head = stores.facts.head(LENA, OWN)
    assert head.count == 2
    assert head.version > before.version + 1000  # as many writes might still have been under way


def test_a_use_is_counted_and_the_head_stays(stores: Stores) -> None:
    store(stores, BASEL, full_fact())
    head = stores.facts.head(LENA, OWN)
    stores.facts.cite(LENA, ["f" * 20, BASEL.id, full_fact().id, BASEL.id])
    stores.facts.cite(LENA, [BASEL.id])
    uses = {one.text: one.uses for one in stores.facts.facts(LENA, OWN).facts}
    assert uses == {BASEL.text: 2, full_fact().text: 8}
    assert stores.facts.head(LENA, OWN) == head
    assert len(texts(stores)) == 2


def test_uses_at_once_are_all_counted(stores: Stores) -> None:
    store(stores, BASEL)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: stores.facts.cite(LENA, [BASEL.id]), range(12)))
    assert [one.uses for one in stores.facts.facts(LENA, OWN).facts] == [12]


def test_as_many_facts_as_a_company_may_allow_come_in_one_read(stores: Stores) -> None:
    for first in range(0, 2000, 90):
        few = [
            a_fact(f"Fact {number}", keywords=("k" * 400,), tier=Tier.ARCHIVAL)
            for number in range(first, min(first + 90, 2000))
        ]
        known = stores.facts.head(LENA, OWN)
        stores.facts.change(change(Facts(known), *few, count=known.count + len(few)))
    read = stores.facts.facts(LENA, OWN)
    assert (len(read.facts), read.head.count) == (2000, 2000)  # more than a page of a query


def test_nothing_of_look_alikes_is_read_and_nothing_of_theirs_written(stores: Stores) -> None:
    for other in LOOK_ALIKES:
        store(stores, a_fact(f"Of {other.user_id}", UserScope(other)), user=other)
    store(stores, BASEL)
    assert texts(stores) == ["Lives in Basel"]
    assert [texts(stores, other) for other in LOOK_ALIKES] == [[f"Of {other.user_id}"] for other in LOOK_ALIKES]


@pytest.mark.parametrize("scope", [*map(UserScope, LOOK_ALIKES), SharedScope("acme-2")], ids=repr)
def test_a_scope_that_is_not_the_users_is_not_read_for_them(stores: Stores, scope: UserScope | SharedScope) -> None:
    with pytest.raises(PermissionError):
        stores.facts.facts(LENA, scope)
    with pytest.raises(PermissionError):
        stores.facts.head(LENA, scope)


def test_of_a_shared_scope_as_many_facts_are_read_as_asked_for(stores: Stores) -> None:
    shared = [a_fact(f"Rule {number}.", COMPANY) for number in range(5)]
    stores.shared_facts.change(COMPANY, FactsHead(), shared, (), count=5)
    few = stores.facts.first(LENA, COMPANY, 3)
    assert len(few) == 3
    assert set(few) < set(stores.facts.first(LENA, COMPANY, 10)) == set(shared)
