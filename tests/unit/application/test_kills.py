"""A process can die between any two steps. Whatever the step: the right profile afterwards, once, and nothing lost."""

from __future__ import annotations

import pytest

from context_memory.domain.errors import ContextMemoryError, PreconditionFailed, StoreUnavailable
from context_memory.domain.outcomes import Outcome
from tests.support.house import LENA, House, body

BASEL = body(identity=["Lives in Basel."])
BASEL_AND_RUST = body(identity=["Lives in Basel."], skills=["Writes Rust."])


class Killed(BaseException):
    """The process is gone; no code of ours may stop it on its way out."""


def answered(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda asked: BASEL_AND_RUST if "Rust" in asked.said_by("user") else BASEL)
    house.model.script("scrub", lambda _: "CLEAN")


def steps_of(story: str) -> list[str]:
    """Every step of acceptance and consolidation, in order, as a run without any mishap takes them."""
    seen: list[str] = []
    with House() as house:
        answered(house)
        if story == "second":
            house.post("t0", "I live in Basel.")
            house.work()
            house.world.clock.advance(60)
        house.world.whenever(seen.append)
        house.post("t1", "I live in Basel and write Rust.")
        house.work()
    return seen


CASES = [(story, number, step) for story in ("first", "second") for number, step in enumerate(steps_of(story))]


def recover(house: House) -> None:
    """What the world does by itself: callers try again, visibility runs out, maintain comes round."""
    house.restart()
    for _ in range(4):
        house.world.clock.advance(2000)
        house.heal()
        house.work()
        house.ring_agenda()
        house.tend()


def assert_right(house: House, turns: int) -> None:
    record = house.record("t1")
    assert record.outcome in {Outcome.UPDATED, Outcome.UNCHANGED}
    assert house.memory() == BASEL_AND_RUST
    pointer = house.world.table.state(LENA).profile
    assert pointer is not None
    assert pointer.turn_count == turns
    house.sweep(LENA)
    # One version a stored change: restore needs each of them, and nothing else is left.
    assert {one.version_id for one in house.world.profiles.versions(LENA)} == house.world.table.named_versions(LENA)
    assert len(house.world.table.named_versions(LENA)) == turns
    house.world.clock.advance(4000)
    house.heal()
    assert house.world.payloads.stored(LENA) == []
    assert house.world.table.state(LENA).open_turns == ()
    # Told at least once, of that outcome and no other, and not again for ever.
    told = [news for news in house.world.news.published if "t1" in news.turn_ids]
    assert {(news.outcome, news.revision) for news in told} == {(record.outcome, record.revision)}
    assert len(told) <= 2


@pytest.mark.parametrize(("story", "number", "step"), CASES, ids=[f"{s}-{n}-{p}" for s, n, p in CASES])
def test_a_kill_at_any_step_loses_nothing_and_doubles_nothing(story: str, number: int, step: str) -> None:
    with House() as house:
        answered(house)
        if story == "second":
            house.post("t0", "I live in Basel.")
            house.work()
            house.world.clock.advance(60)
        taken = iter(range(10_000))

        def kill(name: str) -> None:
            if next(taken) == number:
                assert name == step
                raise Killed

        at = house.world.clock.now()
        house.world.whenever(kill)
        try:
            house.post("t1", "I live in Basel and write Rust.", occurred_at=at)
            house.work()
        except Killed:
            house.world.whenever(lambda _: None)
            house.restart()
            house.post("t1", "I live in Basel and write Rust.", occurred_at=at)  # an unanswered caller tries again
        house.world.whenever(lambda _: None)
        recover(house)
        assert_right(house, turns=1 if story == "first" else 2)


@pytest.mark.parametrize(("story", "number", "step"), CASES, ids=[f"{s}-{n}-{p}" for s, n, p in CASES])
def test_a_lost_answer_at_any_step_loses_nothing_and_doubles_nothing(story: str, number: int, step: str) -> None:
    """The step fails or, worse, succeeds while its answer is lost; the process lives on."""
    with House() as house:
        answered(house)
        if story == "second":
            house.post("t0", "I live in Basel.")
            house.work()
            house.world.clock.advance(60)
        taken = iter(range(10_000))

        def lose(name: str) -> None:
            if next(taken) == number:
                assert name == step
                raise StoreUnavailable("The answer was lost.")

        at = house.world.clock.now()
        house.world.whenever(lose)
        for _ in range(2):
            try:
                house.post("t1", "I live in Basel and write Rust.", occurred_at=at)
                break
            except ContextMemoryError:
                continue
        house.work()
        house.world.whenever(lambda _: None)
        recover(house)
        assert_right(house, turns=1 if story == "first" else 2)
        assert house.record("t1").attempts <= 1


def test_a_turn_whose_ring_was_never_sent_is_found_by_the_next_load(house: House) -> None:
    answered(house)

    def silent(name: str) -> None:
        if name == "before:doorbells.ring":
            raise StoreUnavailable("The queue is down.")

    house.world.whenever(silent)
    assert house.post("t1", "I live in Basel.") is None
    house.world.whenever(lambda _: None)
    house.work()
    assert house.load().view is None
    house.world.clock.advance(601)
    loaded = house.load()
    assert len(loaded.state.waiting) == 1
    house.work()
    assert house.memory() == BASEL


def test_a_put_that_lands_late_is_written_over_and_swept(house: House) -> None:
    answered(house)
    house.world.profiles.put(LENA, b"late", replaces=None)  # what an earlier life of this turn sent
    house.post("t1", "I live in Basel.")
    house.work()
    assert house.memory() == BASEL
    assert len(house.world.profiles.versions(LENA)) == 1  # swept after the commit that met it


def test_a_put_that_lands_after_the_commit_is_refused_by_the_store(house: House) -> None:
    answered(house)
    house.post("t1", "I live in Basel.")
    house.work()
    with pytest.raises(PreconditionFailed):
        house.world.profiles.put(LENA, b"late", replaces=None)
    assert house.memory() == BASEL


def test_an_orphan_on_top_never_hides_the_committed_version(house: House) -> None:
    answered(house)
    house.post("t1", "I live in Basel.")
    house.work()
    house.world.profiles.put(LENA, b"orphan", replaces=house.world.profiles.latest_etag(LENA))
    assert house.memory() == BASEL
    house.world.clock.advance(60)
    house.post("t2", "I live in Basel and write Rust.")
    house.work()
    assert house.memory() == BASEL_AND_RUST
    house.sweep(LENA)
    assert len(house.world.profiles.versions(LENA)) == 2


def test_the_sweep_leaves_young_versions_and_named_ones(house: House) -> None:
    answered(house)
    house.post("t1", "I live in Basel.")
    house.work()
    house.world.profiles.put(LENA, b"orphan", replaces=house.world.profiles.latest_etag(LENA))
    assert house.sweep(LENA) == 1
    assert house.memory() == BASEL
