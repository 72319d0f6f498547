"""What goes out when turns end, when it does, and that it is never in a turn's way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.application.steps import GATE, is_silent, updating_step
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.jobs import AgendaEntry, JobKind
from context_memory.domain.news import NewsKind
from context_memory.domain.outcomes import Outcome, TurnStatus
from context_memory.domain.state import UserSettings
from context_memory.domain.writers import Writer
from tests.support.house import LENA, House, body
from tests.support.records import stored, turn_record, unchanged

if TYPE_CHECKING:
    from context_memory.domain.news import News

BASEL = body(identity=["Lives in Basel."])


def told(house: House) -> list[News]:
    return house.world.news.published


def silence(house: House, *steps: str) -> None:
    """From now on these steps fail."""

    def fail(step: str) -> None:
        if step in steps:
            raise StoreUnavailable("Nobody answers.")

    house.world.whenever(fail)


def test_a_stored_change_is_told_with_its_counts_and_its_step(house: House) -> None:
    house.learns(BASEL)
    house.post("t1", "I live in Basel.")
    house.work()
    (news,) = told(house)
    assert (news.kind, news.user, news.turn_ids, news.outcome) == (NewsKind.UPDATED, LENA, ("t1",), Outcome.UPDATED)
    assert (news.writer, news.revision, news.epoch) == (Writer.TURN, 1, 0)
    assert news.counts == {"added": 1, "changed": 0, "removed": 0}
    assert news.step == updating_step(TurnStatus.DONE, Outcome.UPDATED, None, stored=True)
    assert news.at == house.record("t1").finished_at
    assert house.world.table.state(LENA).open_turns == ()


def test_nothing_of_what_was_said_or_is_remembered_goes_out(house: House) -> None:
    house.learns(BASEL)
    house.post("t1", "I live in Basel.")
    house.work()
    assert "Basel" not in repr(told(house))


def test_nothing_to_change_is_told_as_unchanged(house: House) -> None:
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", "NOOP")
    house.post("t1", "How tall is the Eiffel tower?")
    house.work()
    (news,) = told(house)
    assert (news.kind, news.outcome, news.revision, news.writer) == (NewsKind.UNCHANGED, Outcome.NOOP, None, None)


def test_what_the_gate_lets_pass_is_told_to_nobody(house: House) -> None:
    house.model.queue("gate", "NOOP")
    house.post("t1", "How tall is the Eiffel tower?")
    house.work()
    assert house.record("t1").outcome is Outcome.NOOP
    assert told(house) == []
    assert house.world.table.state(LENA).open_turns == ()


def test_a_failure_is_told_as_one(house: House) -> None:
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", "Certainly!", "Certainly!")
    house.post("t1", "I live in Basel.")
    house.work()
    (news,) = told(house)
    assert (news.kind, news.outcome) == (NewsKind.FAILED, Outcome.MALFORMED)
    assert news.step == {"title": "Updating your memory", "status": "failed", "reason": "malformed"}


def test_turns_that_ran_together_are_one_piece_of_news(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: BASEL)
    house.model.script("scrub", lambda _: "CLEAN")
    for number in range(3):
        house.post(f"t{number}", "I live in Basel.")
    house.work()
    (news,) = told(house)
    assert sorted(news.turn_ids) == ["t0", "t1", "t2"]


def test_a_turn_that_is_given_up_is_told_once_and_again_when_it_ends_after_all(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")

    def crash(step: str) -> None:
        if step == "before:table.count_call":
            raise RuntimeError

    house.world.whenever(crash)
    house.post("t1", "I live in Basel.")
    for _ in range(6):
        house.work()
        house.world.clock.advance(2000)
    house.world.whenever(lambda _: None)
    house.work()
    assert house.record("t1").status is TurnStatus.DEAD
    (news,) = told(house)
    assert (news.kind, news.outcome, news.reason, news.turn_ids) == (NewsKind.FAILED, None, "crashed", ("t1",))
    assert news.step == {"title": "Updating your memory", "status": "failed", "reason": "crashed"}
    house.look()
    assert len(told(house)) == 1
    house.redrive(LENA, "t1")
    house.model.script("consolidation", lambda _: BASEL)
    house.model.script("scrub", lambda _: "CLEAN")
    house.work()
    assert [one.kind for one in told(house)] == [NewsKind.FAILED, NewsKind.UPDATED]


def test_a_bus_that_refuses_keeps_no_turn_waiting_and_the_agenda_takes_over(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda asked: body(identity=[f"Said {asked.turns[0]}."]))
    house.model.script("scrub", lambda _: "CLEAN")
    silence(house, "before:news.publish")
    house.post("t1", "I am t1.")
    house.work()
    house.post("t2", "I am t2.")
    house.work()
    assert {house.record(turn_id).status for turn_id in ("t1", "t2")} == {TurnStatus.DONE}
    state = house.world.table.state(LENA)
    assert [turn.turn_id for turn in state.untold] == ["t1", "t2"]
    assert (state.waiting, house.load().state.failed) == ((), 0)
    assert house.world.doorbells.receive() is None
    today = house.world.clock.now().date()
    due = house.world.agenda.due("acme", today)
    assert list(due) == [AgendaEntry(company_id="acme", kind=JobKind.FOLLOW_UP, due=today, user=LENA)]
    assert house.world.telemetry.total("errors_total", stage="news", error_type="StoreUnavailable") == 2


def test_what_cannot_be_told_while_an_earlier_follow_up_ends_is_told_by_the_next(house: House) -> None:
    """A doorbell notes the very entry that a follow-up, which has told all it saw, is about to strike."""
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda asked: body(identity=[f"Said {asked.turns[0]}."]))
    house.model.script("scrub", lambda _: "CLEAN")
    silence(house, "before:news.publish")
    house.post("t1", "I am t1.")
    house.work()

    def overtake(step: str) -> None:
        if step == "before:agenda.strike":
            silence(house, "before:news.publish")
            house.post("t2", "I am t2.")
            house.work()
            house.world.whenever(lambda _: None)

    house.world.whenever(overtake)
    house.ring_agenda()
    house.tend()
    assert [news.turn_ids for news in told(house)] == [("t1",)]
    house.ring_agenda()
    house.tend()
    assert [news.turn_ids for news in told(house)] == [("t1",), ("t2",)]
    assert house.world.agenda.due("acme", house.world.clock.now().date()) == []


def test_where_the_agenda_fails_too_the_doorbell_comes_again(house: House) -> None:
    house.learns(BASEL)

    def fall_silent(step: str) -> None:
        if step == "after:table.settle":  # what is noted before a commit must be, or there is none
            silence(house, "before:news.publish", "before:agenda.note")

    house.world.whenever(fall_silent)
    house.post("t1", "I live in Basel.")
    house.work()
    house.world.whenever(lambda _: None)
    house.world.clock.advance(2000)
    house.work()
    assert [news.turn_ids for news in told(house)] == [("t1",)]


@pytest.mark.parametrize("step", ["after:news.publish", "before:table.told", "after:table.told"])
def test_news_that_is_not_known_to_be_out_goes_out_again(house: House, step: str) -> None:
    house.learns(BASEL)
    silence(house, step)
    house.post("t1", "I live in Basel.")
    house.work()
    house.world.whenever(lambda _: None)
    house.look()
    assert {news.turn_ids for news in told(house)} == {("t1",)}
    assert house.world.table.state(LENA).open_turns == ()


def test_a_load_rings_for_news_that_nobody_has_told_for_ten_minutes(house: House) -> None:
    house.learns(BASEL)
    silence(house, "before:news.publish")
    house.post("t1", "I live in Basel.")
    house.work()
    house.world.whenever(lambda _: None)
    house.world.clock.advance(601)
    house.load()
    house.work()
    assert [news.turn_ids for news in told(house)] == [("t1",)]


def test_a_turn_only_untold_replaces_no_turn_and_is_replaced_by_none(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: BASEL)
    house.model.script("scrub", lambda _: "CLEAN")
    silence(house, "before:news.publish")
    house.post("t1", "I live in Basel.", supersedes_turn_id="t0")
    house.work()
    house.post("t0", "I live in Basel.")
    house.post("t2", "I live in Basel.", supersedes_turn_id="t1")
    house.work()
    assert house.record("t0").outcome is Outcome.UNCHANGED
    assert house.record("t1").outcome is Outcome.UPDATED


def test_untold_turns_are_none_of_the_two_hundred(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: "NOOP")
    silence(house, "before:news.publish")
    for number in range(3):
        house.post(f"t{number}", "I live in Basel.")
        house.work()
    assert len(house.load().state.untold) == 3
    assert house.load().state.waiting == ()
    assert house.inspect(LENA).turns == ()


def test_an_erase_takes_untold_turns_with_it(house: House) -> None:
    house.learns(BASEL)
    silence(house, "before:news.publish")
    house.post("t1", "I live in Basel.")
    house.work()
    house.world.whenever(lambda _: None)
    house.world.table.lose_turn(LENA, "t1")
    house.world.table.write_settings(LENA, UserSettings(epoch=1))
    house.look()
    assert told(house) == []


@pytest.mark.parametrize("outcome", Outcome)
def test_what_shows_a_step_is_told_and_what_shows_none_is_not(outcome: Outcome) -> None:
    for reason in (None, GATE):
        step = updating_step(TurnStatus.DONE, outcome, reason, stored=False)
        assert (step is None) is is_silent(outcome, reason)


STORES = {Outcome.UPDATED, Outcome.UPDATED_PARTIAL, Outcome.FORGOTTEN}


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if not is_silent(outcome, None)])
def test_each_end_is_told_as_what_it_is(house: House, outcome: Outcome) -> None:
    record = turn_record()
    assert house.world.table.accept(LENA, record) is None
    settled = stored(record, outcome=outcome, announces=True) if outcome in STORES else None
    house.world.table.settle(settled or unchanged(record, outcome=outcome, announces=True))
    house.look()
    (news,) = told(house)
    ended_well = NewsKind.UNCHANGED if outcome.success else NewsKind.FAILED
    assert news.kind is (NewsKind.UPDATED if outcome in STORES else ended_well)
    assert (news.outcome, news.revision) == (outcome, 1 if outcome in STORES else None)
    assert news.step is not None
    assert (news.step["status"] == "completed") is outcome.success


def test_a_change_that_a_failed_turn_has_stored_is_told_as_a_change_with_a_failed_step(house: House) -> None:
    record = turn_record()
    assert house.world.table.accept(LENA, record) is None
    house.world.table.settle(stored(record, outcome=Outcome.PINNED_CONFLICT, announces=True))
    house.look()
    (news,) = told(house)
    assert (news.kind, news.outcome, news.revision) == (NewsKind.UPDATED, Outcome.PINNED_CONFLICT, 1)
    assert news.step is not None
    assert news.step["status"] == "failed"
