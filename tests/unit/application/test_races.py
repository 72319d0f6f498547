from __future__ import annotations

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import EraseRunning
from context_memory.domain.outcomes import Outcome
from context_memory.domain.state import UserSettings
from tests.support.eraser import Eraser
from tests.support.house import LENA, House, body

if TYPE_CHECKING:
    from tests.support.scripted_model import Asked

BASEL = body(identity=["Lives in Basel."])


def facts(asked: Asked) -> str:
    """A model that adds what the turns say to what the profile holds."""
    said = asked.said_by("user")
    return body(
        identity=["Lives in Basel."] if "Basel" in said else [],
        skills=["Writes Rust."] if "Rust" in said else [],
    )


def answered(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", facts)
    house.model.script("scrub", lambda _: "CLEAN")


def side_by_side(house: House) -> None:
    barrier = threading.Barrier(2, timeout=10)
    met = threading.Event()

    def meet(step: str) -> None:
        """Both have read the profile before either goes on."""
        if step == "after:profiles.latest" and not met.is_set():
            with contextlib.suppress(threading.BrokenBarrierError):
                barrier.wait(1)
            met.set()

    house.world.whenever(meet)
    with ThreadPoolExecutor(2) as pool:
        for one in [pool.submit(house.look) for _ in range(2)]:
            one.result(timeout=30)
    house.world.whenever(lambda _: None)
    house.look()


def test_two_consolidations_at_once_keep_both_facts_and_count_two() -> None:
    with House(coalesced_turns=1) as house:
        answered(house)
        house.post("t1", "I live in Basel.")
        house.world.clock.advance(1)
        house.post("t2", "I write Rust.")
        side_by_side(house)
        assert house.memory() == body(identity=["Lives in Basel."], skills=["Writes Rust."])
        pointer = house.load().pointer
        assert pointer is not None
        assert pointer.turn_count == 2
        house.sweep(LENA)
        assert len(house.world.profiles.versions(LENA)) == 2
        assert {house.record(turn).outcome for turn in ("t1", "t2")} == {Outcome.UPDATED}


def test_two_consolidations_at_once_of_coalesced_turns_count_one() -> None:
    with House() as house:
        answered(house)
        house.post("t1", "I live in Basel.")
        house.world.clock.advance(1)
        house.post("t2", "I write Rust.")
        side_by_side(house)
        assert house.memory() == body(identity=["Lives in Basel."], skills=["Writes Rust."])
        pointer = house.load().pointer
        assert pointer is not None
        assert pointer.turn_count == 1


def steps() -> list[str]:
    seen: list[str] = []
    with House() as house:
        answered(house)
        house.post("t1", "I live in Basel.")
        house.world.whenever(seen.append)
        house.work()
    return seen


STEPS = steps()


@pytest.mark.parametrize("number", range(len(STEPS)), ids=[f"{n}-{step}" for n, step in enumerate(STEPS)])
def test_an_erase_at_any_step_of_a_consolidation_wins(number: int) -> None:
    with House() as house:
        answered(house)
        house.post("t1", "I live in Basel.")
        eraser, taken = Eraser(house.world), iter(range(10_000))

        def strike(_: str) -> None:
            if next(taken) == number:
                eraser.erase()

        house.world.whenever(strike)
        house.work()
        house.world.whenever(lambda _: None)
        state = house.world.table.state(LENA)
        assert state.settings.epoch == 1
        assert state.current is None
        assert house.load().view is None
        eraser.work()
        house.work()
        assert house.world.table.state(LENA).current is None
        assert house.load().view is None


def test_a_turn_is_refused_while_memory_is_being_erased(house: House) -> None:
    house.world.table.write_settings(LENA, UserSettings(epoch=1, erase_running=True))
    with pytest.raises(EraseRunning):
        house.post("t1", "I live in Basel.")
    assert house.world.payloads.stored(LENA) == []


def test_an_erase_during_acceptance_leaves_no_text(house: House) -> None:
    def strike(step: str) -> None:
        if step == "after:payloads.put":
            house.world.table.write_settings(LENA, UserSettings(epoch=1, erase_running=True))

    house.world.whenever(strike)
    with pytest.raises(EraseRunning):
        house.post("t1", "I live in Basel.")
    house.world.whenever(lambda _: None)
    assert house.world.payloads.stored(LENA) == []
    assert house.world.table.state(LENA).waiting == ()


def test_memory_counts_anew_after_an_erase(house: House) -> None:
    answered(house)
    house.post("t1", "I live in Basel.")
    house.work()
    eraser = Eraser(house.world)
    eraser.erase()
    eraser.work()
    house.world.clock.advance(60)
    house.post("t2", "I write Rust.")
    house.work()
    pointer = house.load().pointer
    assert pointer is not None
    assert (pointer.epoch, pointer.turn_count) == (1, 1)
    assert house.memory() == body(skills=["Writes Rust."])


def test_a_turn_from_before_the_erase_is_not_taken_afterwards(house: House) -> None:
    answered(house)
    at = house.world.clock.now()
    house.world.clock.advance(60)
    house.world.table.write_settings(LENA, UserSettings(epoch=1, erased_at=house.world.clock.now()))
    with pytest.raises(Exception, match="occurred_at"):
        house.post("t1", "I live in Basel.", occurred_at=at)
    house.world.clock.advance(60)
    house.post("t2", "I live in Basel.")
    house.work()
    assert house.memory() == BASEL


def test_a_user_who_opts_out_gets_nothing_stored_that_was_in_flight(house: House) -> None:
    answered(house)
    house.post("t1", "I live in Basel.")
    house.world.table.write_settings(LENA, UserSettings(context_memory=False))
    house.work()
    assert house.record("t1").outcome is Outcome.DROPPED_DISABLED
    assert house.world.payloads.stored(LENA) == []
    assert house.load().reason == "user_off"
    assert house.post("t2", "I write Rust.") == "user_off"


def test_a_user_who_opts_out_during_the_chain_gets_nothing_stored(house: House) -> None:
    answered(house)
    house.post("t1", "I live in Basel.")

    def strike(step: str) -> None:
        if step == "after:profiles.put":
            house.world.table.write_settings(LENA, UserSettings(context_memory=False))

    house.world.whenever(strike)
    house.work()
    house.world.whenever(lambda _: None)
    assert house.record("t1").outcome is Outcome.DROPPED_DISABLED
    assert house.world.table.state(LENA).profile is None
    assert house.world.profiles.versions(LENA) == []


def test_accepting_and_losing_time_are_told_apart(house: House) -> None:
    answered(house)
    house.post("t1", "I live in Basel.", occurred_at=house.world.clock.now() - timedelta(days=3))
    house.work()
    assert house.load().state.consolidated_through == house.world.clock.now() - timedelta(days=3)


def test_after_an_erase_no_model_is_asked_about_the_words_that_were_erased() -> None:
    with House() as house:
        answered(house)
        house.post("t1", "I live in Basel.")

        def strike(step: str) -> None:
            if step == "before:profiles.put":
                house.world.whenever(lambda _: None)
                Eraser(house.world).erase()

        house.world.whenever(strike)
        house.work()
        assert len(house.model.asked("consolidation")) == 1
        assert house.world.table.state(LENA).current is None


def test_an_orphan_is_swept_with_the_commit_that_met_it_however_young_it_is() -> None:
    with House(sweep_age=timedelta(hours=24)) as house:
        answered(house)
        house.world.profiles.put(LENA, b"orphan", replaces=None)
        house.post("t1", "I live in Basel.")
        house.work()
        assert len(house.world.profiles.versions(LENA)) == 1
        assert house.memory() == BASEL


def test_calls_answered_for_a_profile_that_others_keep_changing_count() -> None:
    with House() as house:
        answered(house)
        house.post("t0", "I write Rust.")
        house.work()
        house.world.clock.advance(60)
        house.post("t1", "I live in Basel.")

        def overtake(step: str) -> None:
            if step == "before:table.settle":
                items = house.world.table._users[LENA]  # noqa: SLF001 - somebody else's change, whatever it is
                assert items.profile is not None
                items.profile = replace(items.profile, turn_count=items.profile.turn_count + 1)

        house.world.whenever(overtake)
        wait = house.look()
        house.world.whenever(lambda _: None)
        assert wait is not None
        assert (house.record("t1").attempts, house.record("t1").calls) == (0, 9)


def test_an_orphan_that_nobody_met_is_swept_with_a_later_turn_that_changes_nothing() -> None:
    with House(sweep_age=timedelta(hours=24)) as house:
        answered(house)
        house.post("t1", "I live in Basel.")
        house.work()
        house.world.profiles.put(LENA, b"orphan", replaces=house.world.profiles.latest_etag(LENA))
        house.world.clock.advance(25 * 3600)
        house.model.script("gate", lambda _: "NOOP")
        house.post("t2", "Good morning!")
        house.work()
        assert len(house.world.profiles.versions(LENA)) == 1
        assert house.memory() == BASEL


def test_what_is_seen_is_never_set_back_by_a_commit_that_was_slower() -> None:
    with House() as house:
        answered(house)
        house.post("t1", "I live in Basel.")
        later = house.world.clock.now() + timedelta(hours=1)
        moved: list[str] = []

        def see_more(step: str) -> None:
            if step == "before:table.settle" and not moved:
                moved.append(step)
                house.world.table._users[LENA].consolidated_through = later  # noqa: SLF001 - a newer turn's commit

        house.world.whenever(see_more)
        house.work()
        assert house.record("t1").outcome is Outcome.UPDATED
        assert house.world.table.state(LENA).consolidated_through == later


def test_measuring_the_gate_never_changes_what_becomes_of_turns() -> None:
    with House(gate_miss_share=1.0) as house:
        house.model.script("gate", lambda _: "NOOP")
        house.model.queue("consolidation", "FORGET\n\n" + BASEL)
        house.post("t1", "Good morning!")
        house.world.clock.advance(1)
        house.post("t2", "How are you?")
        house.work()
        assert {house.record(turn).outcome for turn in ("t1", "t2")} == {Outcome.NOOP}
        assert len(house.model.asked("gate")) == 1
