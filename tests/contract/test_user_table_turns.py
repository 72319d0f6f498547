from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import CommitRefused
from context_memory.domain.outcomes import TurnStatus
from context_memory.domain.state import OpenTurn, UserSettings, UserState
from context_memory.domain.turn import Usage
from context_memory.ports.users import Waiting
from tests.support.records import LENA, LOOK_ALIKES, USAGE, turn_record, unchanged
from tests.support.stores import at

if TYPE_CHECKING:
    from context_memory.domain.turn import TurnRecord
    from tests.support.stores import Stores


def accepted(stores: Stores, *turn_ids: str) -> list[TurnRecord]:
    records = [turn_record(turn_id) for turn_id in turn_ids]
    for record in records:
        assert stores.table.accept(LENA, record) is None
    return records


def stands(stores: Stores, turn_id: str) -> TurnRecord:
    found = stores.table.turn(LENA, turn_id)
    assert found is not None
    return found


def test_a_user_nobody_knows_has_memory_on_and_nothing_else(stores: Stores) -> None:
    assert stores.table.state(LENA) == UserState()
    assert stores.table.turn(LENA, "turn-1") is None


@pytest.mark.parametrize("turn_id", ["turn-1", "a/b", "A#PROFILE", "..", "größer"])
def test_an_accepted_turn_is_recorded_and_open(stores: Stores, turn_id: str) -> None:
    record = turn_record(turn_id, open_key="01ARZ3", consumers=("profile", "facts"), supersedes_turn_id="turn-0")
    assert stores.table.accept(LENA, record) is None
    assert stores.table.turn(LENA, turn_id) == record
    assert stores.table.state(LENA).open_turns == (
        OpenTurn("01ARZ3", turn_id, at(1), at(0), supersedes_turn_id="turn-0"),
    )


def test_a_turn_keeps_through_which_provider_it_came_until_its_facts_are_extracted(stores: Stores) -> None:
    through = turn_record("through", open_key="1", consumers=("profile", "facts"), provider="telegram:4711")
    named = turn_record("named", open_key="2", consumers=("profile", "facts"))
    for record in (through, named):
        stores.table.accept(LENA, record)
        assert stands(stores, record.turn_id).provider == record.provider
        stores.table.settle(replace(unchanged(record), extracts=True))
    pending = {one.turn_id: one.provider for one in stores.facts.pending(LENA)}
    assert pending == {"through": "telegram:4711", "named": None}


def test_all_turns_of_a_user_are_told_newest_first_and_nobody_elses(stores: Stores) -> None:
    turns = [turn_record("b", occurred_at=at(2)), turn_record("a", occurred_at=at(3), chat_id="chat"), turn_record("c")]
    for turn in turns:
        stores.table.accept(LENA, turn)
    for other in LOOK_ALIKES:
        stores.table.accept(other, turn_record("theirs"))
    stores.table.settle(unchanged(turns[0]))
    assert [turn.turn_id for turn in stores.table.turns(LENA)] == ["a", "b", "c"]
    assert stores.table.turns(LENA)[0] == turns[1]
    assert stores.table.turns(LENA)[1] == stands(stores, "b")


def test_the_same_turn_id_gives_back_what_was_recorded_first(stores: Stores) -> None:
    first = turn_record(payload_sha256="1" * 64, open_key="first")
    stores.table.accept(LENA, first)
    again = turn_record(payload_sha256="2" * 64, open_key="second")
    assert stores.table.accept(LENA, again) == first
    assert [turn.key for turn in stores.table.state(LENA).open_turns] == ["first"]


def test_a_turn_of_an_earlier_epoch_is_refused(stores: Stores) -> None:
    stores.write_settings(LENA, UserSettings(epoch=1))
    with pytest.raises(CommitRefused) as refused:
        stores.table.accept(LENA, turn_record(epoch=0))
    assert refused.value.clauses == {"settings"}
    assert stores.table.turn(LENA, "turn-1") is None
    assert stores.table.state(LENA).open_turns == ()


def test_a_turn_of_a_later_epoch_needs_settings(stores: Stores) -> None:
    with pytest.raises(CommitRefused):
        stores.table.accept(LENA, turn_record(epoch=1))
    stores.write_settings(LENA, UserSettings(epoch=1, erased_at=at(0)))
    assert stores.table.accept(LENA, turn_record(epoch=1)) is None


@pytest.mark.parametrize("epoch", [0, 1])
def test_no_turn_is_accepted_while_an_erase_is_running(stores: Stores, epoch: int) -> None:
    stores.write_settings(LENA, UserSettings(epoch=epoch, erase_running=True))
    with pytest.raises(CommitRefused) as refused:
        stores.table.accept(LENA, turn_record(epoch=epoch))
    assert refused.value.clauses == {"settings"}


def test_settings_come_back_whole(stores: Stores) -> None:
    settings = UserSettings(
        epoch=3,
        context_memory=False,
        erased_at=at(2),
        erase_running=True,
        pins=frozenset({"p" * 32}),
        deny_phrases=("Kündigung", "salary"),
        deny_kinds=frozenset({"health"}),
    )
    stores.write_settings(LENA, settings)
    assert stores.table.state(LENA).settings == settings


@pytest.mark.parametrize("other", LOOK_ALIKES, ids=lambda user: user.partition)
def test_turns_are_the_users_own(stores: Stores, other: object) -> None:
    accepted(stores, "turn-1")
    assert isinstance(other, type(LENA))
    assert stores.table.turn(other, "turn-1") is None
    assert stores.table.state(other) == UserState()


def test_of_the_same_turn_accepted_at_once_one_is_recorded(stores: Stores) -> None:
    records = [turn_record(open_key=f"key-{number}") for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda record: stores.table.accept(LENA, record), records))
    winner = records[answers.index(None)]
    assert [answer for answer in answers if answer is not None] == [winner] * 5
    assert [turn.key for turn in stores.table.state(LENA).open_turns] == [winner.open_key]


def test_open_turns_are_in_the_order_of_their_keys(stores: Stores) -> None:
    turn_ids = ["turn-3", "turn-1", "turn-2"]
    accepted(stores, *turn_ids)
    assert [turn.turn_id for turn in stores.table.state(LENA).open_turns] == sorted(turn_ids)


def test_starting_counts_an_attempt(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    started = stores.table.start(LENA, record, at(2))
    assert started == replace(record, status=TurnStatus.RUNNING, attempts=1, started_at=at(2))
    assert started == stands(stores, "turn-1")


def test_attempts_started_at_once_are_all_counted(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(lambda _: stores.table.start(LENA, record, at(2)), range(5)))
    assert stands(stores, "turn-1").attempts == 5


def test_a_turn_that_is_gone_is_not_started_and_does_not_come_back(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.lose_turn(LENA, "turn-1")
    assert stores.table.start(LENA, record, at(2)) is None
    stores.table.wait(LENA, record, Waiting(reason="model_unavailable", gives_back=False))
    stores.table.count_call(LENA, ["turn-1"], USAGE)
    stores.table.bury(LENA, record, reason="attempts")
    assert stores.table.redrive(LENA, "turn-1") is None
    assert stores.table.turn(LENA, "turn-1") is None
    assert stores.table.state(LENA).open_turns == ()


def test_a_turn_of_another_epoch_is_not_started(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    assert stores.table.start(LENA, replace(record, epoch=1), at(2)) is None


def test_an_ended_turn_is_neither_started_nor_made_to_wait_nor_buried(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.table.settle(unchanged(record))
    ended = stands(stores, "turn-1")
    assert stores.table.start(LENA, record, at(2)) is None
    stores.table.wait(LENA, record, Waiting(reason="model_unavailable", gives_back=False))
    stores.table.bury(LENA, record, reason="attempts")
    assert stores.table.redrive(LENA, "turn-1") is None
    assert stands(stores, "turn-1") == ended


def test_calls_are_counted_on_every_turn_and_usage_kept_on_the_first(stores: Stores) -> None:
    accepted(stores, "turn-1", "turn-2")
    second = Usage("consolidation", "large-model", 2000, 0, 240)
    stores.table.count_call(LENA, ["turn-1", "turn-2"], USAGE)
    stores.table.count_call(LENA, ["turn-1", "turn-2"], second)
    assert (stands(stores, "turn-1").calls, stands(stores, "turn-1").usage) == (2, (USAGE, second))
    assert (stands(stores, "turn-2").calls, stands(stores, "turn-2").usage) == (2, ())


def test_a_call_is_counted_on_those_that_are_left(stores: Stores) -> None:
    accepted(stores, "turn-1", "turn-2", "turn-3")
    stores.lose_turn(LENA, "turn-1")
    stores.table.count_call(LENA, ["turn-1", "turn-2", "turn-3"], USAGE)
    assert (stands(stores, "turn-2").calls, stands(stores, "turn-2").usage) == (1, (USAGE,))
    assert (stands(stores, "turn-3").calls, stands(stores, "turn-3").usage) == (1, ())


def test_waiting_for_the_world_gives_the_attempt_back(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.table.start(LENA, record, at(2))
    stores.table.wait(LENA, record, Waiting(reason="model_unavailable", gives_back=True))
    waits = replace(record, status=TurnStatus.RETRYING, reason="model_unavailable", started_at=at(2))
    assert stands(stores, "turn-1") == waits


def test_an_attempt_that_was_never_counted_is_not_given_back(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.table.wait(LENA, record, Waiting(reason="model_unavailable"))
    assert stands(stores, "turn-1").attempts == 0


def test_calls_answered_before_a_fault_of_the_world_are_given_back_and_their_usage_is_kept(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    started = stores.table.start(LENA, record, at(2))
    assert started is not None
    stores.table.count_call(LENA, ["turn-1"], USAGE)
    stores.table.wait(LENA, started, Waiting(reason="model_unavailable"))
    assert (stands(stores, "turn-1").calls, stands(stores, "turn-1").attempts) == (1, 0)
    stores.table.wait(LENA, started, Waiting(reason="model_unavailable", uncounted=True))
    assert (stands(stores, "turn-1").calls, stands(stores, "turn-1").usage) == (0, (USAGE,))


def test_waiting_for_the_turns_own_fault_keeps_the_attempt_and_sets_it_apart_for_good(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.table.start(LENA, record, at(2))
    stores.table.wait(LENA, record, Waiting(reason="failed", gives_back=False, alone=True))
    assert (stands(stores, "turn-1").attempts, stands(stores, "turn-1").alone) == (1, True)
    stores.table.wait(LENA, record, Waiting(reason="model_unavailable", gives_back=False))
    assert stands(stores, "turn-1").alone


def test_a_buried_turn_stays_open_as_dead(stores: Stores) -> None:
    first, second = accepted(stores, "turn-1", "turn-2")
    stores.table.bury(LENA, first, reason="attempts")
    assert stands(stores, "turn-1") == replace(first, status=TurnStatus.DEAD, reason="attempts")
    state = stores.table.state(LENA)
    assert [turn.turn_id for turn in state.waiting] == [second.turn_id]
    assert state.failed == 1


def test_a_dead_turn_is_not_started_and_not_made_to_wait(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.table.bury(LENA, record, reason="attempts")
    assert stores.table.start(LENA, record, at(2)) is None
    stores.table.wait(LENA, record, Waiting(reason="model_unavailable", gives_back=False))
    assert stands(stores, "turn-1").status is TurnStatus.DEAD


def test_a_redriven_turn_starts_over_alone_with_another_ring(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.table.start(LENA, record, at(2))
    stores.table.count_call(LENA, ["turn-1"], USAGE)
    stores.table.bury(LENA, record, reason="attempts")
    revived = stores.table.redrive(LENA, "turn-1")
    assert revived == replace(record, ring=1, alone=True, usage=(USAGE,), started_at=at(2))
    assert revived == stands(stores, "turn-1")
    assert [turn.turn_id for turn in stores.table.state(LENA).waiting] == ["turn-1"]


def test_only_a_dead_turn_is_redriven(stores: Stores) -> None:
    accepted(stores, "turn-1")
    assert stores.table.redrive(LENA, "turn-1") is None
    assert stores.table.redrive(LENA, "unknown") is None


def test_of_redrives_at_once_one_counts(stores: Stores) -> None:
    (record,) = accepted(stores, "turn-1")
    stores.table.bury(LENA, record, reason="attempts")
    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(lambda _: stores.table.redrive(LENA, "turn-1"), range(5)))
    assert sum(answer is not None for answer in answers) == 1
    assert stands(stores, "turn-1").ring == 1
