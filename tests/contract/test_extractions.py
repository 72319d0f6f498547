from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.heeding import Heeded
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.outcomes import Outcome
from context_memory.ports.facts import Facts
from tests.support.facts import a_fact
from tests.support.records import LENA, LOOK_ALIKES, USAGE, turn_record, unchanged
from tests.support.stored_facts import OWN, change, end, store, waiting
from tests.support.stores import at

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.facts import PendingExtraction
    from tests.support.stores import Stores


def turn(stores: Stores, turn_id: str = "turn-1") -> TurnRecord:
    record = stores.table.turn(LENA, turn_id)
    assert record is not None
    return record


def finish(stores: Stores, pending: PendingExtraction) -> None:
    stores.facts.change(change(Facts(), ends=(end(pending, FactsOutcome.NOTHING),)))


def bury(stores: Stores, pending: PendingExtraction) -> None:
    stores.facts.bury(LENA, pending, "TypeError")


OVER: dict[str, Callable[[Stores, PendingExtraction], None]] = {"ended": finish, "given up": bury}


def test_a_turn_whose_facts_are_wanted_waits_for_them_once_it_has_ended(stores: Stores) -> None:
    pending = waiting(stores)
    assert stores.facts.pending(LENA) == [pending]
    assert (pending.outcome, pending.forgets) == (Outcome.UPDATED, True)
    assert (turn(stores).outcome, turn(stores).facts_outcome, turn(stores).final) == (Outcome.UPDATED, None, False)


def test_a_turn_that_is_not_to_be_extracted_says_so(stores: Stores) -> None:
    record = turn_record(consumers=("profile", "facts"))
    stores.table.accept(LENA, record)
    stores.table.settle(unchanged(record))
    assert (turn(stores).facts_outcome, turn(stores).final) == (FactsOutcome.SKIPPED, True)
    assert stores.facts.pending(LENA) == []


def test_a_turn_whose_facts_nobody_wants_is_final_with_its_profile(stores: Stores) -> None:
    record = turn_record()
    stores.table.accept(LENA, record)
    stores.table.settle(unchanged(record, extracts=True))
    assert (turn(stores).facts_outcome, turn(stores).final) == (None, True)
    assert stores.facts.pending(LENA) == []


def test_extractions_wait_in_the_order_in_which_their_turns_happened(stores: Stores) -> None:
    late = waiting(stores, "late", occurred_at=at(0), open_key="01")
    early = waiting(stores, "early", occurred_at=at(0).replace(hour=3), open_key="03")
    beside = waiting(stores, "beside", occurred_at=at(0), open_key="02")
    assert stores.facts.pending(LENA) == [early, late, beside]


def test_nobody_elses_extractions_are_found(stores: Stores) -> None:
    for other in LOOK_ALIKES:
        waiting(stores, user=other)
    assert stores.facts.pending(LENA) == []


def test_each_attempt_is_counted(stores: Stores) -> None:
    pending = waiting(stores)
    first = stores.facts.begin(LENA, pending)
    assert first == replace(pending, attempts=1)
    assert stores.facts.begin(LENA, pending) == replace(pending, attempts=2)
    assert stores.facts.pending(LENA) == [replace(pending, attempts=2)]


def test_attempts_at_once_are_all_counted(stores: Stores) -> None:
    pending = waiting(stores)
    with ThreadPoolExecutor(4) as pool:
        begun = list(pool.map(lambda _: stores.facts.begin(LENA, pending), range(4)))
    assert sorted(one.attempts for one in begun if one) == [1, 2, 3, 4]


@pytest.mark.parametrize("over", OVER.values(), ids=OVER)
def test_what_is_over_is_not_begun_again(stores: Stores, over: Callable[[Stores, PendingExtraction], None]) -> None:
    pending = waiting(stores)
    over(stores, pending)
    before = stores.facts.pending(LENA)
    assert stores.facts.begin(LENA, pending) is None
    stores.facts.give_back(LENA, replace(pending, attempts=3))
    assert stores.facts.pending(LENA) == before


def test_an_extraction_of_another_life_is_not_touched(stores: Stores) -> None:
    pending = waiting(stores)
    other = replace(pending, epoch=1)
    assert stores.facts.begin(LENA, other) is None
    stores.facts.give_back(LENA, replace(other, attempts=3))
    stores.facts.count_call(LENA, [other], USAGE)
    stores.facts.bury(LENA, other, "TypeError")
    assert stores.facts.pending(LENA) == [pending]
    assert turn(stores).facts_outcome is None


def test_an_attempt_is_given_back_with_its_calls(stores: Stores) -> None:
    begun = stores.facts.begin(LENA, waiting(stores))
    assert begun is not None
    stores.facts.count_call(LENA, [begun], USAGE)
    stores.facts.give_back(LENA, begun)
    assert stores.facts.pending(LENA) == [replace(begun, attempts=0, calls=0)]


def test_a_call_is_counted_on_each_and_its_usage_kept_once(stores: Stores) -> None:
    first, second = waiting(stores), waiting(stores, "turn-2")
    over = waiting(stores, "turn-3")
    finish(stores, over)
    stores.facts.count_call(LENA, [over, first, second], USAGE)
    assert [one.calls for one in stores.facts.pending(LENA)] == [1, 1]
    assert [turn(stores, name).usage for name in ("turn-1", "turn-2", "turn-3")] == [(USAGE,), (), ()]


def test_a_call_of_what_is_gone_counts_nothing(stores: Stores) -> None:
    pending = waiting(stores)
    finish(stores, pending)
    stores.facts.count_call(LENA, [pending], USAGE)
    assert (stores.facts.pending(LENA), turn(stores).usage) == ([], ())


def test_what_was_given_up_says_so_and_keeps_its_reason(stores: Stores) -> None:
    pending = waiting(stores)
    bury(stores, pending)
    assert stores.facts.pending(LENA) == [replace(pending, dead=True, reason="TypeError")]
    assert (turn(stores).facts_outcome, turn(stores).final) == (FactsOutcome.DEAD, False)
    assert turn(stores).outcome is Outcome.UPDATED


def test_what_has_ended_is_not_given_up(stores: Stores) -> None:
    pending = waiting(stores)
    finish(stores, pending)
    bury(stores, pending)
    assert (turn(stores).facts_outcome, stores.facts.pending(LENA)) == (FactsOutcome.NOTHING, [])


def test_a_dead_extraction_gets_another_life(stores: Stores) -> None:
    pending = waiting(stores)
    stores.facts.begin(LENA, pending)
    stores.facts.count_call(LENA, [pending], USAGE)
    bury(stores, pending)
    revived = replace(pending, ring=1)
    assert stores.facts.revive(LENA, "turn-1") == revived
    assert stores.facts.pending(LENA) == [revived]
    assert turn(stores).facts_outcome is None


def test_of_two_lives_at_once_one_is_given(stores: Stores) -> None:
    bury(stores, waiting(stores))
    with ThreadPoolExecutor(2) as pool:
        given = list(pool.map(lambda _: stores.facts.revive(LENA, "turn-1"), range(2)))
    assert [one.ring for one in given if one] == [1]


def test_only_the_dead_get_another_life(stores: Stores) -> None:
    assert stores.facts.revive(LENA, "never accepted") is None
    pending = waiting(stores)
    assert stores.facts.revive(LENA, "turn-1") is None
    finish(stores, pending)
    assert stores.facts.revive(LENA, "turn-1") is None


def test_a_dead_extraction_can_still_end(stores: Stores) -> None:
    pending = waiting(stores)
    bury(stores, pending)
    store(stores, ends=(end(pending, FactsOutcome.EXPIRED),))
    assert (turn(stores).facts_outcome, stores.facts.pending(LENA)) == (FactsOutcome.EXPIRED, [])


def test_a_turn_that_was_silenced_says_so_wherever_it_is_read(stores: Stores) -> None:
    pending = waiting(stores)
    stores.facts.silence(LENA, pending)
    (silent,) = stores.facts.pending(LENA)
    assert silent == replace(pending, teaches=False)
    turn = stores.table.turn(LENA, pending.turn_id)
    assert turn is not None
    assert not turn.teaches


def test_whoever_read_a_turn_before_it_was_silenced_ends_it_no_more(stores: Stores) -> None:
    pending = waiting(stores)
    stores.facts.silence(LENA, pending)
    before = stores.facts.facts(LENA, OWN)
    with pytest.raises(CommitRefused) as refused:
        store(stores, a_fact("Lives in Bern.", OWN), ends=(end(pending),))
    assert refused.value.clauses == {"turn"}
    assert stores.facts.facts(LENA, OWN) == before
    store(stores, ends=(end(replace(pending, teaches=False)),))
    assert stores.facts.pending(LENA) == []


def test_what_has_ended_is_not_silenced(stores: Stores) -> None:
    pending = waiting(stores)
    store(stores, ends=(end(pending),))
    stores.facts.silence(LENA, pending)
    turn = stores.table.turn(LENA, pending.turn_id)
    assert turn is not None
    assert turn.teaches
    assert stores.facts.pending(LENA) == []


def test_what_was_heeded_of_a_wish_stands_beside_it(stores: Stores) -> None:
    heeded = Heeded(frozenset({"a" * 20, "b" * 20}), wholly=True)
    record = turn_record()
    stores.table.accept(LENA, record)
    stores.table.settle(unchanged(record, outcome=Outcome.NOOP, extracts=True, forgets=True, heeded=heeded))
    (pending,) = stores.facts.pending(LENA)
    assert pending.heeded == heeded
