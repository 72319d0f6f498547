"""A settlement that takes facts along: all of it or nothing, and each clause that refuses it is named."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.outcomes import Outcome
from context_memory.domain.state import UserSettings
from context_memory.ports.facts import Facts, FactsHead
from tests.support.facts import a_fact
from tests.support.records import LENA, LOOK_ALIKES, stored, turn_record, unchanged
from tests.support.stored_facts import OWN, change, end, store, texts, waiting

if TYPE_CHECKING:
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.facts import ExtractionEnd, PendingExtraction
    from context_memory.ports.users import Settlement
    from tests.support.stores import Stores

BASEL, CANOE = a_fact("Lives in Basel.", OWN), a_fact("Owns a canoe.", OWN)


def known(stores: Stores) -> Facts:
    return stores.facts.facts(LENA, OWN)


def asking(stores: Stores, turn_id: str = "turn-1", **fields: Any) -> TurnRecord:  # noqa: ANN401 - any field of the record
    """A turn that asks to forget something."""
    record = turn_record(turn_id, **fields)
    assert stores.table.accept(LENA, record) is None
    return record


def wish(record: TurnRecord, base: Facts, **fields: Any) -> Settlement:  # noqa: ANN401 - any field of the settlement
    """Its end, by which Basel is forgotten."""
    forgets = change(base, drops=frozenset({BASEL.id}))
    return unchanged(
        record, **{"outcome": Outcome.UNCHANGED, "extracts": True, "forgets": True, "facts": forgets} | fields
    )


def refused_by(stores: Stores, settlement: Settlement) -> frozenset[str]:
    """Clauses that refuse a settlement, which then has left everything as it was."""
    before = (stores.table.state(LENA), stores.table.turns(LENA), known(stores), stores.facts.pending(LENA))
    with pytest.raises(CommitRefused) as refused:
        stores.table.settle(settlement)
    assert (stores.table.state(LENA), stores.table.turns(LENA), known(stores), stores.facts.pending(LENA)) == before
    return refused.value.clauses


def test_facts_go_with_the_wish_and_their_head_moves(stores: Stores) -> None:
    store(stores, BASEL, CANOE)
    before = known(stores)
    stores.table.settle(wish(asking(stores), before))
    assert known(stores).facts == (CANOE,)
    assert known(stores).head == FactsHead(before.head.version + 1, 1)


def test_a_wish_that_finds_nothing_moves_the_head_as_well(stores: Stores) -> None:
    store(stores, CANOE)
    before = known(stores)
    stores.table.settle(wish(asking(stores), before, facts=change(before)))
    assert known(stores).facts == (CANOE,)
    assert known(stores).head == FactsHead(before.head.version + 1, 1)


def test_what_comes_back_is_put_in_the_same_transaction(stores: Stores) -> None:
    store(stores, BASEL)
    base = known(stores)
    stores.table.settle(wish(asking(stores), base, facts=change(base, CANOE, drops=frozenset({BASEL.id}))))
    assert texts(stores) == ["Owns a canoe."]


def test_a_wish_is_extracted_from_although_its_space_wants_no_facts(stores: Stores) -> None:
    stores.table.settle(wish(asking(stores, consumers=("profile",)), known(stores)))
    (pending,) = stores.facts.pending(LENA)
    assert (pending.turn_id, pending.forgets, pending.outcome) == ("turn-1", True, Outcome.UNCHANGED)
    record = stores.table.turn(LENA, "turn-1")
    assert record is not None
    assert (record.wants_facts, record.extracting, record.final) == (True, True, False)


def test_what_asks_to_forget_nothing_is_not_held_against_anybody(stores: Stores) -> None:
    stores.table.settle(unchanged(asking(stores, consumers=("profile", "facts")), extracts=True))
    (pending,) = stores.facts.pending(LENA)
    assert not pending.forgets


@pytest.mark.parametrize("first", [True, False], ids=["first write", "later write"])
def test_another_writer_of_facts_since_refuses_it(stores: Stores, *, first: bool) -> None:
    if not first:
        store(stores, BASEL)
    base = known(stores)
    store(stores, CANOE)
    assert refused_by(stores, wish(asking(stores), base)) == {"facts"}


def test_switched_off_memory_refuses_it(stores: Stores) -> None:
    store(stores, BASEL)
    settlement = wish(asking(stores), known(stores))
    stores.write_settings(LENA, UserSettings(context_memory=False))
    assert refused_by(stores, settlement) == {"settings"}


def test_another_life_refuses_it(stores: Stores) -> None:
    record = asking(stores)
    settlement = wish(record, known(stores))
    stores.write_settings(LENA, UserSettings(epoch=1))
    assert "settings" in refused_by(stores, settlement)


def test_a_turn_that_has_ended_refuses_it(stores: Stores) -> None:
    store(stores, BASEL)
    record = asking(stores)
    stores.table.settle(unchanged(record))
    assert refused_by(stores, wish(record, known(stores))) == {"turn"}


def test_a_profile_that_moved_keeps_the_facts_where_they_are(stores: Stores) -> None:
    store(stores, BASEL)
    stores.table.settle(stored(asking(stores, "turn-0"), version_id="first"))
    facts = change(known(stores), drops=frozenset({BASEL.id}))
    late = stored(asking(stores), turn_count=2, version_id="late", extracts=True, forgets=True, facts=facts)
    assert "profile" in refused_by(stores, late)


def test_every_clause_that_fails_is_named_with_the_facts(stores: Stores) -> None:
    base, record = known(stores), asking(stores)
    store(stores, BASEL)
    stores.table.settle(unchanged(record))
    stores.write_settings(LENA, UserSettings(context_memory=False))
    assert refused_by(stores, wish(record, base)) == {"facts", "settings", "turn"}


def test_of_a_wish_and_a_writer_of_facts_at_once_one_comes_first(stores: Stores) -> None:
    store(stores, BASEL)
    base, record = known(stores), asking(stores)

    def forget() -> bool:
        try:
            stores.table.settle(wish(record, base))
        except CommitRefused as refused:
            assert refused.clauses == {"facts"}  # noqa: PT017 - one of two outcomes, and its reason
            return False
        return True

    def learn() -> bool:
        try:
            stores.facts.change(change(base, CANOE))
        except CommitRefused as refused:
            assert refused.clauses == {"facts"}  # noqa: PT017 - likewise
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        forgot, learned = (one.result() for one in (pool.submit(forget), pool.submit(learn)))
    assert forgot != learned
    assert texts(stores) == ([] if forgot else ["Lives in Basel.", "Owns a canoe."])


def test_nobody_elses_facts_go(stores: Stores) -> None:
    for other in LOOK_ALIKES:
        store(stores, a_fact("Lives in Basel.", UserScope(other)), user=other)
    store(stores, BASEL)
    stores.table.settle(wish(asking(stores), known(stores)))
    assert texts(stores) == []
    assert [texts(stores, other) for other in LOOK_ALIKES] == [["Lives in Basel."]] * len(LOOK_ALIKES)


def end_of(pending: PendingExtraction) -> ExtractionEnd:
    return end(pending, FactsOutcome.SKIPPED)


def test_a_pending_extraction_ends_with_what_another_writer_found(stores: Stores) -> None:
    """As when a message is edited whose facts are still to be extracted: its own writer is refused from then on."""
    pending = waiting(stores)
    begun = stores.facts.begin(LENA, pending)
    assert begun is not None
    ended = known(stores)
    store(stores, ends=(end_of(pending),))
    with pytest.raises(CommitRefused) as refused:
        stores.facts.change(change(ended, CANOE, ends=(end_of(begun),)))
    assert refused.value.clauses == {"turn"}
    assert texts(stores) == []
