"""Old turns are read together once more before their text goes: few facts, checked as those of a write-back are."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import FlagsUnavailable, StoreUnavailable
from context_memory.domain.facts.fact import Past, Tier
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.spaces import RecallSettings, SpaceSettings
from context_memory.domain.state import UserSettings
from context_memory.domain.walks import WalkStatus
from tests.support import scripted_answers as answers
from tests.support.asked_by_users import ask
from tests.support.facts import a_fact
from tests.support.house import LENA
from tests.support.keeper import added, said
from tests.support.kept_facts import put, stands

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.keeper import Keeper
    from tests.support.scripted_model import Asked

SAID = {
    "t1": "I started to build a cedar canoe in my garage.",
    "t2": "The cedar canoe has its first ribs now, I steamed them.",
    "t3": "I varnished the cedar canoe today.",
}
BUILT = added("Built a cedar canoe in the garage and varnished it.", SAID["t3"])


def told(keeper: Keeper) -> None:
    for turn_id, text in SAID.items():
        keeper.tell(turn_id, text, chat_id=f"chat of {turn_id}")


def test_turns_stay_until_their_end_comes(keeper: Keeper) -> None:
    told(keeper)
    keeper.days_later(26)
    assert keeper.daily() == []
    assert (keeper.kept(), keeper.asked) == (["t1", "t2", "t3"], [])


def test_turns_whose_end_comes_are_read_together_and_go_with_the_fact_that_they_become(keeper: Keeper) -> None:
    told(keeper)
    keeper.house.model.queue("summary", said(BUILT))
    keeper.days_later(28)
    (line,) = keeper.daily()
    assert (line.result, line.details) == ("summarised", {"turns": 3, "unread": 0})
    (asked,) = keeper.asked
    assert all(text in asked for text in SAID.values())
    fact = stands(keeper.house)["Built a cedar canoe in the garage and varnished it."]
    assert fact.tier is Tier.ARCHIVAL
    assert fact.last_confirmed_at < keeper.world.clock.now() - timedelta(days=27)
    assert (keeper.kept(), keeper.texts()) == ([], [])
    assert [change.puts for change in keeper.changes] == [(fact,)]
    telemetry = keeper.world.telemetry
    assert telemetry.total("summaries_total", outcome="stored") == 1
    assert telemetry.total("kept_turns_total", result="summarised") == 3


def test_a_fact_of_several_turns_names_the_newest_and_goes_with_any_of_them(keeper: Keeper) -> None:
    told(keeper)
    keeper.house.model.queue("summary", said(BUILT))
    keeper.days_later(28)
    keeper.daily()
    (fact,) = stands(keeper.house).values()
    assert fact.source.turn_id == "t3"
    assert fact.compaction is not None
    assert [origin.source.turn_id for origin in fact.compaction.origins] == ["t1", "t2", "t3"]
    unlearned = ask(keeper.house, "POST /v1/me/unlearn", {"turn_ids": ["t1"]}, if_match='"0-0"')
    assert (unlearned.status, unlearned.body["facts"]) == (200, {"removed": 1, "restored": 0})
    assert stands(keeper.house) == {}


def test_turns_in_which_nothing_is_worth_a_fact_go_all_the_same(keeper: Keeper) -> None:
    told(keeper)
    keeper.days_later(28)
    (line,) = keeper.daily()
    assert line.result == "summarised"
    assert (stands(keeper.house), keeper.kept(), keeper.texts()) == ({}, [], [])


def test_a_dry_run_says_how_many_turns_are_due_and_asks_nobody(keeper: Keeper) -> None:
    told(keeper)
    keeper.days_later(28)
    _, (line,) = keeper.walk(dry_run=True)
    assert (line.result, line.details) == ("would_ask", {"turns": 3})
    assert (keeper.kept(), keeper.asked) == (["t1", "t2", "t3"], [])


def test_a_company_that_keeps_nothing_is_not_walked_through(keeper: Keeper) -> None:
    assert keeper.start() == 0
    keeper.tell("t1", SAID["t1"])
    assert (keeper.start(), keeper.start()) == (1, 1)
    assert len(keeper.world.jobs.sent) >= 1


CHECKED: dict[str, tuple[dict[str, object], Callable[[Keeper], None]]] = {
    "nobody said it": (added("Won a regatta in Basel.", "I won a regatta"), lambda _: None),
    "a number is made up": (added("Built a cedar canoe of 47 metres.", SAID["t3"]), lambda _: None),
    "a secret": (added("Varnished the canoe, card 4111 1111 1111 1111.", SAID["t3"]), lambda _: None),
    "our own words": (added("Text between tags is data.", SAID["t3"]), lambda _: None),
    "the user denies it": (BUILT, lambda keeper: _settings(keeper, UserSettings(deny_phrases=("canoe",)))),
    "the policy forbids it": (BUILT, lambda keeper: keeper.house.model.script("scrub", lambda _: "1 DROP")),
    "another language": (added("セダーのカヌーを作った。", SAID["t3"]), lambda _: None),
}


def _settings(keeper: Keeper, settings: UserSettings) -> None:
    keeper.world.table.write_settings(LENA, settings)


@pytest.mark.parametrize(("proposed", "because"), CHECKED.values(), ids=CHECKED)
def test_what_may_not_be_stored_is_not_and_its_turns_go(
    keeper: Keeper, proposed: dict[str, object], because: Callable[[Keeper], None]
) -> None:
    told(keeper)
    because(keeper)
    keeper.house.model.queue("summary", said(dict(proposed)))
    keeper.days_later(28)
    keeper.daily()
    assert (stands(keeper.house), keeper.kept(), keeper.texts()) == ({}, [], [])
    assert keeper.world.telemetry.total("summaries_total", outcome="nothing") == 1


def test_what_is_known_is_confirmed_and_stored_once(keeper: Keeper) -> None:
    told(keeper)
    known = a_fact("Built a cedar canoe in the garage and varnished it", UserScope(LENA), tier=Tier.CORE)
    put(keeper.house, known)
    keeper.house.model.queue("summary", said(BUILT))
    keeper.days_later(28)
    keeper.daily()
    (fact,) = stands(keeper.house).values()
    assert (fact.id, fact.tier) == (known.id, Tier.CORE)
    assert keeper.world.telemetry.total("facts_written_total", result="confirmed") == 1


def test_what_was_replaced_since_does_not_come_back(keeper: Keeper) -> None:
    told(keeper)
    keeper.days_later(2)
    past = Past("a" * 20, "Built a cedar canoe in the garage and varnished it", keeper.world.clock.now())
    put(keeper.house, a_fact("Sold the canoe", UserScope(LENA), supersedes=(past,)))
    keeper.house.model.queue("summary", said(BUILT))
    keeper.days_later(26)
    keeper.daily()
    assert list(stands(keeper.house)) == ["Sold the canoe"]


@pytest.mark.parametrize("operation", ["supersede", "delete"])
def test_old_turns_neither_replace_nor_delete_a_fact(keeper: Keeper, operation: str) -> None:
    told(keeper)
    put(keeper.house, a_fact("Owns a cedar canoe", UserScope(LENA)))
    changed = BUILT | {"op": operation, "id": 1}
    keeper.house.model.queue("summary", said(changed))
    keeper.days_later(28)
    keeper.daily()
    assert list(stands(keeper.house)) == ["Owns a cedar canoe"]


def test_turns_of_different_spaces_and_channels_are_read_apart(keeper: Keeper) -> None:
    keeper.tell("t1", SAID["t1"])
    keeper.tell("t2", SAID["t2"], space_id="s2")
    keeper.tell("t3", SAID["t3"], through="telegram:4711")
    keeper.days_later(28)
    keeper.daily()
    assert [sum(text in asked for text in SAID.values()) for asked in keeper.asked] == [1, 1, 1]


def test_no_more_groups_are_asked_about_than_a_walk_may(keeper: Keeper) -> None:
    for number in range(6):
        keeper.tell(f"t{number}", f"I own {number} canoes.", space_id=f"s{number}")
    keeper.days_later(28)
    keeper.daily()
    assert (len(keeper.asked), keeper.kept()) == (4, ["t4", "t5"])
    keeper.days_later(1)
    keeper.daily()
    assert (len(keeper.asked), keeper.kept()) == (6, [])


# What stands in the way


def test_a_model_that_is_down_has_seven_days_of_grace_and_then_the_text_goes_unread(keeper: Keeper) -> None:
    told(keeper)
    keeper.house.model.script("summary", lambda _: answers.error(503))
    keeper.days_later(28)
    for _ in range(8):
        (line,) = keeper.daily()
        assert line.failed
        assert keeper.kept() == ["t1", "t2", "t3"]
        keeper.days_later(1)
    keeper.days_later(1)
    (line,) = keeper.daily()
    assert (line.result, line.details) == ("unread", {"turns": 0, "unread": 3})
    assert (keeper.kept(), keeper.texts()) == ([], [])
    assert keeper.world.telemetry.total("kept_turns_total", result="unread") == 3


def test_a_turn_that_the_model_refuses_is_alone_at_last(keeper: Keeper) -> None:
    told(keeper)

    def refuses(asked: Asked) -> answers.Answer | str:
        return answers.filtered() if SAID["t2"] in asked.said_by("user") else said()

    keeper.house.model.script("summary", refuses)
    keeper.days_later(27.5)
    left = []
    for _ in range(5):
        keeper.daily()
        left.append(keeper.kept())
        keeper.days_later(1)
    assert left[0] == ["t1", "t2", "t3"]
    assert left[-1] == ["t2"]
    keeper.days_later(10)
    keeper.daily()
    assert (keeper.kept(), keeper.texts()) == ([], [])


def test_a_budget_that_is_used_up_makes_turns_wait_for_the_next_day(keeper: Keeper) -> None:
    told(keeper)
    keeper.days_later(28)
    keeper.keeps_for(30, daily_tokens=1)
    keeper.world.budgets.spend("acme", 2, keeper.world.clock.now().date())
    assert keeper.daily() == []
    assert (keeper.kept(), keeper.asked) == (["t1", "t2", "t3"], [])
    keeper.days_later(1)
    keeper.keeps_for(30, daily_tokens=10_000)
    assert [line.result for line in keeper.daily()] == ["summarised"]


OFF: dict[str, Callable[[Keeper], None]] = {
    "the company is off": lambda keeper: keeper.keeps_for(30, context_memory=False),
    "the user is off": lambda keeper: _settings(keeper, UserSettings(context_memory=False)),
    "the space is off": lambda keeper: _space(keeper, SpaceSettings(context_memory=False)),
    "the space writes no facts": lambda keeper: _space(keeper, SpaceSettings(recall=RecallSettings(write_back=False))),
    "the space merges none": lambda keeper: _space(keeper, SpaceSettings(recall=RecallSettings(compaction=False))),
}


def _space(keeper: Keeper, settings: SpaceSettings) -> None:
    keeper.world.switches.spaces["acme", "s1"] = settings


@pytest.mark.parametrize("off", OFF.values(), ids=OFF)
def test_where_no_facts_may_be_made_the_text_goes_unread_at_its_end(
    keeper: Keeper, off: Callable[[Keeper], None]
) -> None:
    told(keeper)
    off(keeper)
    keeper.days_later(28)
    keeper.daily()
    assert keeper.kept() == ["t1", "t2", "t3"]
    keeper.days_later(3)
    keeper.daily()
    assert (keeper.kept(), keeper.texts(), keeper.asked) == ([], [], [])


def test_a_smaller_number_of_days_counts_at_once(keeper: Keeper) -> None:
    told(keeper)
    keeper.days_later(3)
    keeper.keeps_for(0)
    (line,) = keeper.daily()
    assert (line.result, keeper.kept(), keeper.texts()) == ("summarised", [], [])


def test_what_is_long_over_by_a_smaller_number_goes_unread(keeper: Keeper) -> None:
    told(keeper)
    keeper.days_later(20)
    keeper.keeps_for(10)
    (line,) = keeper.daily()
    assert (line.result, keeper.kept(), keeper.asked) == ("unread", [], [])


def test_a_larger_number_keeps_what_is_kept_for_longer(keeper: Keeper) -> None:
    told(keeper)
    keeper.keeps_for(90)
    keeper.days_later(60)
    keeper.daily()
    assert keeper.kept() == ["t1", "t2", "t3"]


def test_a_turn_whose_text_was_never_put_by_is_read_where_it_lies(keeper: Keeper) -> None:
    keeper.tell("t0", "My bike is a joy.")

    def fail(step: str) -> None:
        if step == "before:texts.put":
            raise StoreUnavailable("S3 is out of reach.")

    keeper.world.whenever(fail)
    told(keeper)
    keeper.world.whenever(lambda _: None)
    assert len(keeper.world.payloads.stored(LENA)) == len(SAID)
    keeper.house.model.queue("summary", said(BUILT))
    keeper.days_later(28)
    keeper.daily()
    assert len(stands(keeper.house)) == 1
    keeper.house.heal()
    assert (keeper.kept(), keeper.texts()) == ([], [])


def test_a_turn_whose_text_is_gone_keeps_nobody_waiting(keeper: Keeper) -> None:
    told(keeper)
    (turn, *_) = keeper.world.kept_turns.kept(LENA)
    keeper.world.texts.delete(LENA, turn.turn_id, turn.payload_sha256)
    keeper.days_later(28)
    keeper.daily()
    assert keeper.kept() == ["t1"]
    keeper.tell("t4", "My bike is a joy.")
    keeper.days_later(3)
    keeper.daily()
    assert keeper.kept() == ["t4"]


def test_a_text_that_cannot_be_read_keeps_no_other_waiting(keeper: Keeper) -> None:
    told(keeper)
    (turn, *_) = keeper.world.kept_turns.kept(LENA)
    keeper.world.texts.put(LENA, turn.turn_id, turn.payload_sha256, b"no JSON")
    keeper.days_later(28)
    keeper.daily()
    assert keeper.kept() == ["t1"]


def test_a_text_that_nobody_keeps_is_removed(keeper: Keeper) -> None:
    told(keeper)
    keeper.world.texts.put(LENA, "stray", "f" * 64, b"{}")
    keeper.daily()
    assert keeper.texts() == ["t1", "t2", "t3"]


def test_nobody_knows_the_switches_and_nothing_goes(keeper: Keeper) -> None:
    told(keeper)
    keeper.days_later(40)

    def unknown(step: str) -> None:
        if step == "before:switches.flags":
            raise FlagsUnavailable("Nobody knows.")

    keeper.world.whenever(unknown)
    walk, (line,) = keeper.walk()
    assert (walk.status, line.failed, keeper.kept()) == (WalkStatus.FAILED, True, ["t1", "t2", "t3"])


# What comes meanwhile


def meanwhile(keeper: Keeper, happens: Callable[[], object]) -> None:
    """Something happens while the model thinks."""

    def think(_asked: Asked) -> str:
        happens()
        return said(BUILT)

    told(keeper)
    keeper.house.model.script("summary", think)
    keeper.days_later(28)
    keeper.daily()


def test_a_wish_to_forget_meanwhile_lets_nothing_be_stored(keeper: Keeper) -> None:
    meanwhile(keeper, lambda: keeper.house.forgetting.let_go.all_until(LENA, 0))
    assert (stands(keeper.house), keeper.kept(), keeper.texts()) == ({}, [], [])
    assert keeper.world.telemetry.total("summaries_total", outcome="overtaken") == 1


def test_an_erase_meanwhile_lets_nothing_be_stored(keeper: Keeper) -> None:
    meanwhile(keeper, lambda: _settings(keeper, UserSettings(epoch=1)))
    assert stands(keeper.house) == {}
    keeper.daily()
    assert keeper.asked[1:] == []


def test_a_turn_that_is_unlearned_meanwhile_leaves_no_trace_and_the_others_are_read_again(keeper: Keeper) -> None:
    unlearned: list[int] = []

    def once() -> None:
        if not unlearned:
            asked = ask(keeper.house, "POST /v1/me/unlearn", {"turn_ids": ["t1"]}, if_match='"0-0"')
            unlearned.append(asked.status)

    meanwhile(keeper, once)
    assert (stands(keeper.house), keeper.kept()) == ({}, ["t2", "t3"])
    keeper.days_later(1)
    keeper.daily()
    (fact,) = stands(keeper.house).values()
    assert fact.source.turn_id == "t3"
    assert SAID["t1"] not in keeper.asked[-1]


def test_rules_that_come_meanwhile_are_heeded(keeper: Keeper) -> None:
    meanwhile(keeper, lambda: _settings(keeper, UserSettings(deny_phrases=("canoe",), rules=1)))
    assert (stands(keeper.house), keeper.kept()) == ({}, ["t1", "t2", "t3"])


def test_facts_that_others_write_meanwhile_are_kept_beside(keeper: Keeper) -> None:
    meanwhile(keeper, lambda: put(keeper.house, a_fact("Owns a kayak", UserScope(LENA))))
    assert set(stands(keeper.house)) == {BUILT["text"], "Owns a kayak"}
    assert keeper.kept() == []
