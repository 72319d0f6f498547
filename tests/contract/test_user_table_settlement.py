from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.errors import CommitRefused
from context_memory.domain.outcomes import Outcome, TurnStatus
from context_memory.domain.state import UserSettings
from context_memory.ports.users import Waiting
from tests.support.records import LENA, USAGE, pointer, revision, stored, turn_record, unchanged
from tests.support.stores import at

if TYPE_CHECKING:
    from context_memory.domain.turn import TurnRecord
    from context_memory.ports.users import Settlement
    from tests.support.stores import Stores


def accepted(stores: Stores, turn_id: str = "turn-1", **changes: Any) -> TurnRecord:  # noqa: ANN401 - any field of the record
    record = turn_record(turn_id, **changes)
    assert stores.table.accept(LENA, record) is None
    return record


def refusal(stores: Stores, settlement: Settlement) -> frozenset[str]:
    """Clauses that refuse a settlement, which then has left nothing."""
    before = everything(stores)
    with pytest.raises(CommitRefused) as refused:
        stores.table.settle(settlement)
    assert everything(stores) == before
    return refused.value.clauses


def everything(stores: Stores) -> tuple[object, ...]:
    table = stores.table
    turns = [table.turn(LENA, f"turn-{number}") for number in range(1, 4)]
    return (table.state(LENA), turns, [table.revision(LENA, 0, n) for n in range(1, 4)], table.named_versions(LENA))


def test_a_first_change_is_stored_with_everything_that_belongs_to_it(stores: Stores) -> None:
    record = accepted(stores)
    stores.table.start(LENA, record, at(2))
    stores.table.settle(stored(record, last_time_zone="Europe/Zurich"))
    state = stores.table.state(LENA)
    assert state.profile == pointer()
    assert state.open_turns == ()
    assert (state.consolidated_through, state.last_time_zone) == (at(0), "Europe/Zurich")
    assert stores.table.revision(LENA, 0, 1) == revision()
    assert stores.table.turn(LENA, "turn-1") == replace(
        record,
        status=TurnStatus.DONE,
        outcome=Outcome.UPDATED,
        attempts=1,
        revision=1,
        started_at=at(2),
        finished_at=at(6),
    )


def test_an_outcome_without_change_leaves_no_pointer_and_no_revision(stores: Stores) -> None:
    record = accepted(stores)
    stores.table.settle(unchanged(record, outcome=Outcome.MALFORMED, reason="no_headings"))
    state = stores.table.state(LENA)
    assert (state.profile, state.open_turns) == (None, ())
    assert stores.table.named_versions(LENA) == frozenset()
    assert stores.table.turn(LENA, "turn-1") == replace(
        record, status=TurnStatus.DONE, outcome=Outcome.MALFORMED, reason="no_headings", finished_at=at(6)
    )


def test_why_a_turn_waited_is_not_why_it_ended(stores: Stores) -> None:
    record = accepted(stores)
    stores.table.wait(LENA, record, Waiting(reason="model_unavailable", gives_back=False))
    stores.table.settle(unchanged(record))
    ended = stores.table.turn(LENA, "turn-1")
    assert ended is not None
    assert ended.reason is None


def test_usage_and_calls_survive_the_end(stores: Stores) -> None:
    record = accepted(stores)
    stores.table.count_call(LENA, ["turn-1"], USAGE)
    stores.table.settle(unchanged(record))
    ended = stores.table.turn(LENA, "turn-1")
    assert ended is not None
    assert (ended.calls, ended.usage) == (1, (USAGE,))


def test_a_second_change_stands_on_the_first(stores: Stores) -> None:
    stores.table.settle(stored(accepted(stores, "turn-1")))
    stores.table.settle(stored(accepted(stores, "turn-2"), turn_count=2, base=pointer(1)))
    assert stores.table.state(LENA).profile == pointer(2)
    assert stores.table.named_versions(LENA) == {"version-of-1", "version-of-2"}


def test_a_change_on_a_base_that_was_replaced_is_refused_by_the_profile(stores: Stores) -> None:
    stores.table.settle(stored(accepted(stores, "turn-1")))
    stores.table.settle(stored(accepted(stores, "turn-2"), turn_count=2, base=pointer(1)))
    late = accepted(stores, "turn-3")
    assert "profile" in refusal(stores, stored(late, turn_count=2, base=pointer(1), version_id="late"))


def test_a_first_change_is_refused_where_there_is_a_pointer(stores: Stores) -> None:
    stores.table.settle(stored(accepted(stores, "turn-1")))
    late = accepted(stores, "turn-2")
    assert refusal(stores, stored(late, version_id="late")) == {"profile", "revision"}


def test_a_legacy_files_count_goes_on_although_no_pointer_was_there(stores: Stores) -> None:
    stores.table.settle(stored(accepted(stores), turn_count=13))
    current = stores.table.state(LENA).current
    assert current is not None
    assert current.turn_count == 13


def test_a_change_on_a_base_that_is_gone_is_refused_by_the_profile(stores: Stores) -> None:
    record = accepted(stores)
    assert refusal(stores, stored(record, turn_count=2, base=pointer(1))) == {"profile"}


def test_a_number_that_was_given_is_refused_by_the_revision(stores: Stores) -> None:
    stores.table.settle(stored(accepted(stores, "turn-1")))
    record = accepted(stores, "turn-2")
    twice = replace(stored(record, turn_count=2, base=pointer(1)), revision=revision(1))
    assert refusal(stores, twice) == {"revision"}


def test_a_settlement_after_an_erase_is_refused_by_the_settings(stores: Stores) -> None:
    record = accepted(stores)
    stores.write_settings(LENA, UserSettings(epoch=1, erased_at=at(4)))
    assert refusal(stores, stored(record)) == {"settings"}
    assert refusal(stores, unchanged(record)) == {"settings"}


def test_a_settlement_after_opting_out_is_refused_by_the_settings(stores: Stores) -> None:
    record = accepted(stores)
    stores.write_settings(LENA, UserSettings(context_memory=False))
    assert refusal(stores, stored(record)) == {"settings"}


def test_a_later_epoch_needs_settings(stores: Stores) -> None:
    stores.write_settings(LENA, UserSettings(epoch=1))
    record = accepted(stores, epoch=1)
    stores.table.settle(stored(record, epoch=1))
    assert stores.table.state(LENA).profile == pointer(epoch=1)


def test_dropped_turns_end_although_memory_is_off(stores: Stores) -> None:
    record = accepted(stores)
    stores.write_settings(LENA, UserSettings(epoch=1, erased_at=at(4)))
    dropped = unchanged(record, outcome=Outcome.DROPPED_ERASED, consolidated_through=None, check_settings=False)
    stores.table.settle(dropped)
    ended = stores.table.turn(LENA, "turn-1")
    assert ended is not None
    assert ended.outcome is Outcome.DROPPED_ERASED
    assert stores.table.state(LENA).open_turns == ()


def test_a_turn_ends_once(stores: Stores) -> None:
    record = accepted(stores)
    stores.table.settle(unchanged(record))
    assert refusal(stores, unchanged(record, outcome=Outcome.UNCHANGED)) == {"turn"}


def test_the_same_settlement_again_is_refused_and_not_judged(stores: Stores) -> None:
    record = accepted(stores)
    stores.table.settle(stored(record, version_id="mine"))
    stores.write_settings(LENA, UserSettings(epoch=0, pins=frozenset({"p" * 32})))
    with pytest.raises(CommitRefused) as refused:
        stores.table.settle(stored(record, version_id="mine"))
    assert refused.value.clauses == {"profile", "revision", "turn"}


def test_a_turn_that_is_gone_refuses_and_does_not_come_back(stores: Stores) -> None:
    record = accepted(stores)
    stores.lose_turn(LENA, "turn-1")
    assert refusal(stores, stored(record)) == {"turn"}


def test_a_turn_of_another_epoch_refuses(stores: Stores) -> None:
    record = accepted(stores)
    stores.write_settings(LENA, UserSettings(epoch=1))
    assert refusal(stores, unchanged(record, epoch=1)) == {"turn"}


def test_one_turn_that_may_not_end_keeps_all_from_ending(stores: Stores) -> None:
    first, second = accepted(stores, "turn-1"), accepted(stores, "turn-2")
    stores.table.settle(unchanged(second))
    assert refusal(stores, unchanged(first, second)) == {"turn"}


def test_turns_end_together(stores: Stores) -> None:
    records = [accepted(stores, f"turn-{number}") for number in range(1, 11)]
    stores.table.settle(stored(*records, consolidated_through=at(9)))
    assert stores.table.state(LENA).open_turns == ()
    assert stores.table.state(LENA).consolidated_through == at(9)


def test_a_dead_neighbour_stays_dead(stores: Stores) -> None:
    dead, record = accepted(stores, "turn-1"), accepted(stores, "turn-2")
    stores.table.bury(LENA, dead, reason="attempts")
    stores.table.settle(unchanged(record))
    assert stores.table.state(LENA).failed == 1


def test_what_was_seen_never_goes_back(stores: Stores) -> None:
    stores.table.settle(unchanged(accepted(stores, "turn-1"), consolidated_through=at(8)))
    late = accepted(stores, "turn-2")
    assert refusal(stores, unchanged(late, consolidated_through=at(7))) == {"seen"}
    stores.table.settle(unchanged(late, consolidated_through=at(8)))
    assert stores.table.state(LENA).consolidated_through == at(8)


def test_a_time_zone_is_kept_until_another_is_seen(stores: Stores) -> None:
    stores.table.settle(unchanged(accepted(stores, "turn-1"), last_time_zone="Asia/Tokyo"))
    stores.table.settle(unchanged(accepted(stores, "turn-2")))
    assert stores.table.state(LENA).last_time_zone == "Asia/Tokyo"
    stores.table.settle(
        unchanged(accepted(stores, "turn-3"), last_time_zone="Europe/Berlin", consolidated_through=None)
    )
    state = stores.table.state(LENA)
    assert (state.last_time_zone, state.consolidated_through) == ("Europe/Berlin", at(0))


def test_every_clause_that_fails_is_named(stores: Stores) -> None:
    stores.table.settle(stored(accepted(stores, "turn-1"), consolidated_through=at(8)))
    ended = stores.table.turn(LENA, "turn-1")
    assert ended is not None
    stores.write_settings(LENA, UserSettings(context_memory=False))
    assert refusal(stores, stored(ended, version_id="late")) == {"profile", "settings", "turn", "seen", "revision"}


def test_of_commits_on_the_same_base_one_goes_through(stores: Stores) -> None:
    records = [accepted(stores, f"turn-{number}") for number in range(6)]

    def settle(number: int) -> frozenset[str]:
        try:
            stores.table.settle(stored(records[number], version_id=f"of-{number}"))
        except CommitRefused as refused:
            return refused.clauses
        return frozenset()

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(settle, range(6)))
    assert answers.count(frozenset()) == 1
    assert answers.count(frozenset({"profile", "revision"})) == 5
    winner = answers.index(frozenset())
    assert stores.table.named_versions(LENA) == {f"of-{winner}"}
    assert len(stores.table.state(LENA).open_turns) == 5


def test_of_settlements_of_one_turn_one_goes_through(stores: Stores) -> None:
    record = accepted(stores)
    outcomes = [Outcome.NOOP, Outcome.UNCHANGED, Outcome.MALFORMED, Outcome.SCRUB_VETO]

    def settle(outcome: Outcome) -> bool:
        try:
            stores.table.settle(unchanged(record, outcome=outcome))
        except CommitRefused:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(settle, outcomes))
    assert answers.count(True) == 1
    ended = stores.table.turn(LENA, "turn-1")
    assert ended is not None
    assert ended.outcome is outcomes[answers.index(True)]


def test_whoever_read_a_turn_before_it_was_silenced_ends_it_no_more(stores: Stores) -> None:
    record = accepted(stores)
    stores.table.silence(LENA, record.turn_id)
    assert refusal(stores, stored(record)) == {"turn"}
    silent = stores.table.turn(LENA, record.turn_id)
    assert silent
    assert silent == replace(record, teaches=False)
    stores.table.settle(unchanged(silent, extracts=True))
    assert stores.facts.pending(LENA) == []


def test_a_silenced_turn_hands_over_that_it_teaches_nothing(stores: Stores) -> None:
    record = accepted(stores)
    stores.table.silence(LENA, record.turn_id)
    silent = replace(record, teaches=False)
    stores.table.settle(unchanged(silent, extracts=True, forgets=True))
    (pending,) = stores.facts.pending(LENA)
    assert not pending.teaches


def test_a_turn_that_has_ended_or_is_gone_is_not_silenced(stores: Stores) -> None:
    record = accepted(stores)
    stores.table.settle(unchanged(record))
    stores.table.silence(LENA, record.turn_id)
    stores.table.silence(LENA, "never-posted")
    turn = stores.table.turn(LENA, record.turn_id)
    assert turn is not None
    assert turn.teaches
    assert stores.table.turn(LENA, "never-posted") is None
