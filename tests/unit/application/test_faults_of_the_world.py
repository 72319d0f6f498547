from __future__ import annotations

import pytest

from context_memory.application.doorbell import Wait
from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.enablement import NEVER_NAMED, CompanyFlags
from context_memory.domain.errors import FlagsUnavailable, StoreUnavailable
from context_memory.domain.outcomes import Outcome, TurnStatus
from context_memory.domain.state import UserSettings
from tests.support import scripted_answers as says
from tests.support.house import LENA, House, body

BASEL = body(identity=["Lives in Basel."])

WAITING = {
    "429 with a hint": says.slow_down("77"),
    "429 without one": says.slow_down(),
    "401": says.error(401),
    "403": says.error(403),
    "unknown model": says.error(404, {"code": "model_not_found"}),
    "hangs up": says.Answer(hangs_up=True),
}


@pytest.mark.parametrize("fault", WAITING.values(), ids=WAITING.keys())
@pytest.mark.parametrize("purpose", ["gate", "consolidation", "scrub"])
def test_a_turn_waits_for_the_model_and_is_stored_once_it_is_back(
    house: House, purpose: str, fault: says.Answer
) -> None:
    answers = {"gate": "UPDATE", "consolidation": BASEL, "scrub": "CLEAN"}
    for name in answers:
        house.model.script(name, lambda asked: answers[asked.purpose])
    house.model.script(purpose, lambda _: fault)
    house.post("t1", "I live in Basel.")
    house.work()
    record = house.record("t1")
    assert (record.status, record.outcome, record.attempts) == (TurnStatus.RETRYING, None, 0)
    assert house.memory() == ""
    assert house.world.payloads.stored(LENA)
    house.model.script(purpose, lambda _: answers[purpose])
    house.world.clock.advance(1000)
    house.work()
    assert house.record("t1").outcome is Outcome.UPDATED
    assert house.memory() == BASEL


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_gate_that_fails_lets_the_turn_through(house: House, status: int) -> None:
    house.model.script("gate", lambda _: says.error(status))
    house.model.queue("consolidation", BASEL)
    house.model.queue("scrub", "CLEAN")
    house.post("t1", "I live in Basel.")
    house.work()
    assert house.record("t1").outcome is Outcome.UPDATED
    assert house.world.telemetry.total("gate_decisions_total", decision="fail_open") == 1


@pytest.mark.parametrize("purpose", ["consolidation", "scrub"])
def test_a_turn_waits_for_a_failing_consolidation_or_scrub(house: House, purpose: str) -> None:
    house.learns(BASEL)
    house.model.forget()
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: BASEL)
    house.model.script(purpose, lambda _: says.error(503))
    house.post("t1", "I live in Basel.")
    house.work()
    assert house.record("t1").status is TurnStatus.RETRYING


def test_the_hint_of_the_endpoint_decides_how_long_the_doorbell_waits(house: House) -> None:
    house.model.script("gate", lambda _: says.slow_down("700"))
    house.post("t1", "I live in Basel.")
    house.work()
    asked = len(house.model.asked())
    house.world.clock.advance(690)
    house.work()
    assert len(house.model.asked()) == asked
    house.world.clock.advance(11)
    house.work()
    assert len(house.model.asked()) > asked


def test_after_hours_without_the_model_every_turn_is_stored_in_order(house: House) -> None:
    house.model.script("gate", lambda _: says.Answer(hangs_up=True))
    for number in range(12):
        house.post(f"t{number:02}", f"I know language number {number}.")
        house.world.clock.advance(900)
        house.work()
        house.heal()
        house.work()
    assert all(house.record(f"t{number:02}").status is not TurnStatus.DONE for number in range(12))
    assert house.load().state.waiting[0].turn_id == "t00"

    house.model.script("gate", lambda _: "UPDATE")
    house.model.script(
        "consolidation",
        lambda asked: body(
            skills=[f"Knows language number {n}." for n in range(12) if f"number {n}." in asked.said_by("user")]
        ),
    )
    house.model.script("scrub", lambda _: "CLEAN")
    for _ in range(6):
        house.world.clock.advance(900)
        house.work()
    assert [house.record(f"t{number:02}").outcome for number in range(12)] == [Outcome.UPDATED] * 12
    assert all(house.record(f"t{number:02}").attempts <= 1 for number in range(12))
    told = [line for line in house.memory().splitlines() if "language" in line]
    assert told == [f"- Knows language number {number}." for number in range(12)]
    order = [turn for asked in house.model.asked("consolidation") for turn in asked.turns]
    assert order == sorted(order)


MALFORMED = {
    "rubbish": "I would store that.",
    "empty": "",
    "cut": says.cut(BASEL[:-40]),
    "none": says.without_text(),
    "another section": BASEL + "\n## Hobbies\n- Chess.\n",
}


@pytest.mark.parametrize("answer", MALFORMED.values(), ids=MALFORMED.keys())
def test_two_unusable_answers_leave_the_profile_as_it_was(house: House, answer: says.Answer | str) -> None:
    house.learns(body(skills=["Writes Rust."]))
    house.post("t0", "I write Rust.")
    house.work()
    house.world.clock.advance(60)
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", answer, answer)
    house.post("t1", "I live in Basel.")
    house.work()
    assert house.record("t1").outcome is Outcome.MALFORMED
    assert house.memory() == body(skills=["Writes Rust."])


def test_one_unusable_answer_is_made_good_by_the_second(house: House) -> None:
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", "hm", BASEL)
    house.model.queue("scrub", "CLEAN")
    house.post("t1", "I live in Basel.")
    house.work()
    assert house.record("t1").outcome is Outcome.UPDATED
    first, second = house.model.asked("consolidation")
    assert "could not be used" not in first.said_by("user")
    assert "could not be used" in second.said_by("user")
    assert first.said_by("system") == second.said_by("system")


def test_a_scrub_that_cannot_be_read_twice_is_a_veto(house: House) -> None:
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", BASEL)
    house.model.queue("scrub", "CLEAN, but remove Anna", "Looks fine")
    house.post("t1", "I live in Basel.")
    house.work()
    assert house.record("t1").outcome is Outcome.SCRUB_VETO
    assert house.memory() == ""


@pytest.mark.parametrize(
    "answer",
    [
        says.error(400, {"code": "context_length_exceeded"}),
        says.error(400, {"code": "content_filter"}),
        says.refusal(),
    ],
    ids=["too long", "filtered", "refused"],
)
def test_a_rejected_turn_runs_once_more_alone_and_then_ends(house: House, answer: says.Answer) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda asked: answer if "t1" in asked.turns else BASEL)
    house.model.script("scrub", lambda _: "CLEAN")
    house.post("t1", "I live in Bern.")
    house.world.clock.advance(1)
    house.post("t2", "I live in Basel.")
    house.work()
    assert house.record("t1").outcome is Outcome.MODEL_REJECTED
    assert house.record("t2").outcome is Outcome.UPDATED
    assert [a.turns for a in house.model.asked("consolidation")] == [("t1", "t2"), ("t1",), ("t2",)]


@pytest.mark.parametrize("step", ["table.state", "payloads.get", "table.start", "profiles.put", "table.settle"])
def test_a_store_that_is_down_costs_no_attempt(house: House, step: str) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: BASEL)
    house.model.script("scrub", lambda _: "CLEAN")
    house.post("t1", "I live in Basel.")

    def down(name: str) -> None:
        if name == f"before:{step}":
            raise StoreUnavailable("The store is down.")

    house.world.whenever(down)
    house.work()
    house.world.whenever(lambda _: None)
    assert house.record("t1").attempts == 0
    house.world.clock.advance(1000)
    house.work()
    assert house.memory() == BASEL


def test_unknown_flags_are_not_off(house: House) -> None:
    def unknown(name: str) -> None:
        if name == "before:switches.flags":
            raise FlagsUnavailable("The flags are out of reach.")

    house.post("t1", "I live in Basel.")
    house.world.whenever(unknown)
    for attempt in (house.load, lambda: house.post("t2", "Hello there, I am Max.")):
        with pytest.raises(FlagsUnavailable):
            attempt()
    house.work()
    house.world.whenever(lambda _: None)
    assert house.record("t1").outcome is None


def test_load_never_answers_with_an_empty_memory_when_the_store_is_down(house: House) -> None:
    house.learns(BASEL)
    house.post("t1", "I live in Basel.")
    house.work()
    for step in ("table.state", "profiles.latest"):

        def down(name: str, step: str = step) -> None:
            if name == f"before:{step}":
                raise StoreUnavailable("The store is down.")

        house.world.whenever(down)
        with pytest.raises(StoreUnavailable):
            house.load()
        house.world.whenever(lambda _: None)
    assert house.memory() == BASEL


@pytest.mark.parametrize(("down", "fault"), [("scrub", says.error(503)), ("consolidation", says.slow_down())])
def test_a_day_on_which_only_one_call_fails_kills_no_turn(house: House, down: str, fault: says.Answer) -> None:
    answers: dict[str, says.Answer | str] = {"gate": "UPDATE", "consolidation": BASEL, "scrub": "CLEAN", down: fault}
    for name in ("gate", "consolidation", "scrub"):
        house.model.script(name, lambda asked: answers[asked.purpose])
    house.post("t1", "I live in Basel.")
    for _ in range(96):
        house.world.clock.advance(900)
        house.work()
    record = house.record("t1")
    assert (record.status, record.attempts, record.calls) == (TurnStatus.RETRYING, 0, 0)
    assert len(record.usage) > 16  # what was answered is billed all the same
    answers[down] = {"consolidation": BASEL, "scrub": "CLEAN"}[down]
    house.world.clock.advance(1000)
    house.work()
    assert house.memory() == BASEL


def test_an_endpoint_that_asks_for_a_second_again_and_again_is_left_alone_longer_and_longer(house: House) -> None:
    house.model.script("gate", lambda _: says.slow_down("1"))
    house.post("t1", "I live in Basel.")
    asked = []
    for _ in range(60):
        house.work()
        asked.append(len(house.model.asked()))
        house.world.clock.advance(60)
    assert asked[-1] - asked[-16] <= 6  # a quarter of an hour: one doorbell, three tries at most, and one to spare


def test_the_turns_of_a_group_are_put_back_when_one_of_them_cannot_be_started(house: House) -> None:
    for number in range(3):
        house.post(f"t{number}", f"I know language {number}.")
        house.world.clock.advance(1)
    starts: list[str] = []

    def third(step: str) -> None:
        if step == "before:table.start":
            starts.append(step)
            if len(starts) == 3:
                raise StoreUnavailable("The store is down.")

    house.world.whenever(third)
    house.work()
    house.world.whenever(lambda _: None)
    assert [(house.record(f"t{n}").attempts, house.record(f"t{n}").status) for n in range(2)] == [
        (0, TurnStatus.RETRYING)
    ] * 2


def test_what_a_lossy_answer_adds_is_kept_when_no_better_one_comes(house: House) -> None:
    skills = [f"Knows the language {name}." for name in ("Ada", "Basic", "Cobol", "Delphi", "Erlang")]
    house.learns(body(skills=skills))
    house.post("t0", "I know the languages Ada, Basic, Cobol, Delphi and Erlang.")
    house.work()
    house.world.clock.advance(60)
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", body(identity=["Lives in Basel."], skills=[]), "no profile at all")
    house.model.queue("scrub", "CLEAN")
    house.post("t1", "I live in Basel.")
    house.work()
    assert house.record("t1").outcome is Outcome.UPDATED_PARTIAL
    assert house.memory() == body(identity=["Lives in Basel."], skills=skills)


def test_attempts_do_not_grow_while_neither_the_work_nor_its_put_back_can_be_done(house: House) -> None:
    house.model.script("gate", lambda _: "UPDATE")
    house.model.script("consolidation", lambda _: BASEL)
    house.model.script("scrub", lambda _: "CLEAN")
    house.post("t1", "I live in Basel.")

    def down(step: str) -> None:
        if step in {"before:profiles.put", "before:table.wait"}:
            raise StoreUnavailable("The store is down.")

    house.world.whenever(down)
    for _ in range(10):
        house.work()
        house.world.clock.advance(1000)
    house.world.whenever(lambda _: None)
    assert house.record("t1").attempts == 1
    house.work()
    assert house.record("t1").attempts == 1
    assert house.memory() == BASEL


def test_all_turns_of_a_group_are_put_back_though_one_put_back_fails(house: House) -> None:
    house.model.script("gate", lambda _: says.slow_down("300"))
    for number in range(3):
        house.post(f"t{number}", f"I know language {number}.")
        house.world.clock.advance(1)
    failed: list[str] = []

    def once(step: str) -> None:
        if step == "before:table.wait" and not failed:
            failed.append(step)
            raise StoreUnavailable("The store is down.")

    house.world.whenever(once)
    wait = house.look()
    assert wait is not None
    assert wait.seconds == 300  # the first fault's own wish, not hidden by the second
    assert [house.record(f"t{n}").attempts for n in range(3)] == [1, 0, 0]
    house.look()
    assert [house.record(f"t{n}").attempts for n in range(3)] == [0, 0, 0]


def test_what_a_lossy_answer_adds_is_kept_when_the_model_then_sees_nothing_to_change(house: House) -> None:
    skills = [f"Knows the language {name}." for name in ("Ada", "Basic", "Cobol", "Delphi", "Erlang")]
    house.learns(body(skills=skills))
    house.post("t0", "I know the languages Ada, Basic, Cobol, Delphi and Erlang.")
    house.work()
    house.world.clock.advance(60)
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", body(identity=["Lives in Basel."], skills=[]), "NOOP")
    house.model.queue("scrub", "CLEAN")
    house.post("t1", "I live in Basel.")
    house.work()
    assert house.memory() == body(identity=["Lives in Basel."], skills=skills)


def switch(house: House, *, on: bool) -> None:
    house.world.switches.companies["acme"] = CompanyFlags(context_memory=on, context_memory_with_web_search=on)


def test_a_turn_that_was_accepted_under_newer_switches_waits_until_they_have_spread(house: House) -> None:
    house.post("t1", "I live in Basel.")
    switch(house, on=False)  # as a process has it that has not heard of the change
    house.world.clock.advance(house.limits.spread_seconds - 1)
    before = house.record("t1")
    assert house.look() == Wait()
    assert house.record("t1") == before
    switch(house, on=True)
    house.learns(body(identity=["Lives in Basel."]))
    assert house.look() is None
    assert "Lives in Basel." in house.memory()


def test_a_turn_of_a_company_that_stays_off_ends_and_lets_go_of_what_was_said(house: House) -> None:
    house.post("t1", "I live in Basel.")
    switch(house, on=False)
    house.world.clock.advance(house.limits.spread_seconds)
    assert house.look() is None
    assert house.record("t1").outcome is Outcome.DROPPED_DISABLED
    assert house.world.payloads.stored(LENA) == []


def test_a_turn_of_a_company_that_nobody_has_named_waits_until_somebody_decides(house: House) -> None:
    house.post("t1", "I live in Basel.")
    house.world.switches.companies["acme"] = CompanyFlags.of(NEVER_NAMED, CompanySettings())
    house.world.clock.advance(30 * 86400)
    assert house.look() == Wait()
    assert house.record("t1").attempts == 0
    switch(house, on=True)
    house.learns(body(identity=["Lives in Basel."]))
    assert house.look() is None
    assert "Lives in Basel." in house.memory()


@pytest.mark.parametrize("settings", [UserSettings(context_memory=False), UserSettings(erase_running=True)])
def test_nobody_waits_for_the_operator_with_words_that_the_user_wants_gone(
    house: House, settings: UserSettings
) -> None:
    house.post("t1", "I live in Basel.")
    house.world.table.write_settings(LENA, settings)
    house.world.switches.companies["acme"] = CompanyFlags.of(NEVER_NAMED, CompanySettings())
    assert house.look() is None
    assert house.world.payloads.stored(LENA) == []


def test_a_turn_with_web_search_waits_for_its_switch_behind_those_that_need_none(house: House) -> None:
    for turn, web_search in (("t1", False), ("t2", True)):
        house.post(turn, "I live in Basel.", web_search=web_search)
        house.world.clock.advance(1)
    house.world.switches.companies["acme"] = CompanyFlags(context_memory=True)
    house.learns(body(identity=["Lives in Basel."]))
    assert house.look() == Wait()
    assert (house.record("t1").outcome, house.record("t2").outcome) == (Outcome.UPDATED, None)
