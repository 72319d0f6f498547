"""What stays open until news of it are out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.outcomes import Outcome, TurnStatus
from context_memory.domain.state import OpenChange
from tests.support.records import LENA, pointer, stored, turn_record, unchanged

if TYPE_CHECKING:
    from context_memory.domain.state import UserState
    from context_memory.domain.turn import TurnRecord
    from tests.support.stores import Stores


def accepted(stores: Stores, *turn_ids: str) -> list[TurnRecord]:
    records = [turn_record(turn_id) for turn_id in turn_ids]
    for record in records:
        assert stores.table.accept(LENA, record) is None
    return records


def state(stores: Stores) -> UserState:
    return stores.table.state(LENA)


def untold(stores: Stores) -> list[str]:
    return [turn.turn_id for turn in state(stores).untold]


def test_a_turn_that_has_ended_stays_open_until_it_is_told_and_counts_nowhere(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.table.settle(stored(record, announces=True))
    assert untold(stores) == ["turn-1"]
    assert (state(stores).waiting, state(stores).failed, state(stores).unfinished) == ((), 0, ())
    stores.table.told(LENA, state(stores).untold)
    assert state(stores).open_turns == ()


def test_an_end_that_nobody_is_told_of_leaves_nothing_open(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.table.settle(unchanged(record))
    assert state(stores).open_turns == ()


def test_others_stay_open_when_one_is_told(stores: Stores) -> None:
    first, second, _ = accepted(stores, "turn-1", "turn-2", "turn-3")
    stores.table.settle(unchanged(first, second, outcome=Outcome.UNCHANGED, announces=True))
    stores.table.told(LENA, state(stores).untold[:1])
    assert untold(stores) == ["turn-2"]
    assert [turn.turn_id for turn in state(stores).waiting] == ["turn-3"]


def test_a_dead_turn_is_untold_once_and_stays_dead(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.table.bury(LENA, record, reason="crashed")
    assert untold(stores) == ["turn-1"]
    for _ in range(2):
        stores.table.told(LENA, state(stores).open_turns)
    assert (untold(stores), state(stores).failed) == ([], 1)


def test_a_turn_with_another_life_waits_and_has_nothing_to_tell(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.table.bury(LENA, record, reason="crashed")
    (dead,) = state(stores).untold
    stores.table.redrive(LENA, "turn-1")
    assert untold(stores) == []
    stores.table.told(LENA, [dead])  # somebody who has published what was true a moment ago
    assert [turn.turn_id for turn in state(stores).waiting] == ["turn-1"]


def test_a_turn_that_was_given_up_and_ends_all_the_same_is_told_as_ended(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.table.bury(LENA, record, reason="crashed")
    stores.table.settle(unchanged(record, outcome=Outcome.UNCHANGED, announces=True))
    (open_turn,) = state(stores).open_turns
    assert (open_turn.untold, open_turn.dead) == (True, False)
    told = stores.table.turn(LENA, "turn-1")
    assert told is not None
    assert told.status is TurnStatus.DONE
    stores.table.told(LENA, [open_turn])
    assert state(stores).open_turns == ()


def test_a_change_that_rests_on_no_turn_stays_open_until_it_is_told(stores: Stores) -> None:
    stores.table.settle(stored(consolidated_through=None))
    stores.table.settle(stored(turn_count=2, base=pointer(1), consolidated_through=None))
    assert state(stores).open_changes == (OpenChange(0, 1), OpenChange(0, 2))
    stores.table.told(LENA, [], [OpenChange(0, 1)])
    assert state(stores).open_changes == (OpenChange(0, 2),)
    assert state(stores).open_turns == ()


def test_a_change_of_an_ended_epoch_is_another_than_that_of_the_same_number(stores: Stores) -> None:
    stores.table.settle(stored(consolidated_through=None))
    stores.table.told(LENA, [], [OpenChange(1, 1)])
    assert state(stores).open_changes == (OpenChange(0, 1),)


def test_more_than_a_transaction_holds_is_told_all_the_same(stores: Stores) -> None:
    records = accepted(stores, *(f"turn-{number}" for number in range(130)))
    for start in range(0, 130, 40):
        stores.table.settle(unchanged(*records[start : start + 40], outcome=Outcome.UNCHANGED, announces=True))
    stores.table.told(LENA, state(stores).untold)
    assert state(stores).open_turns == ()
