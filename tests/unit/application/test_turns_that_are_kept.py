"""What a company keeps of its users' turns, once their facts are extracted, and what makes it go before its time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.outcomes import Outcome
from context_memory.domain.spaces import RecallSettings, SpaceSettings
from tests.support import scripted_answers as answers
from tests.support.asked_by_users import ask
from tests.support.house import LENA, body
from tests.support.keeper import Keeper, added, said
from tests.support.kept_facts import stands

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.house import House


def test_the_default_keeps_nothing(house: House) -> None:
    keeper = Keeper(house, days=0)
    keeper.tell("t1", "I own a canoe.")
    assert house.record("t1").facts_outcome is FactsOutcome.NOTHING
    assert (keeper.kept(), keeper.texts()) == ([], [])


def test_a_turn_that_is_over_lies_with_the_kept_ones_and_waits_no_more(keeper: Keeper) -> None:
    keeper.tell("t1", "I own a canoe.", chat_id="c1", through="telegram:4711")
    (turn,) = keeper.world.kept_turns.kept(LENA)
    assert (turn.turn_id, turn.chat_id, turn.provider) == ("t1", "c1", "telegram:4711")
    assert keeper.world.payloads.stored(LENA) == []
    body = keeper.world.texts.get(LENA, "t1", turn.payload_sha256)
    assert body is not None
    assert b"I own a canoe." in body


def test_turns_that_run_together_are_all_kept(keeper: Keeper) -> None:
    for number in range(3):
        keeper.tell(f"t{number}", f"I own {number} canoes.", work=False)
    keeper.house.work()
    assert len(keeper.house.model.asked("extraction")) == 1
    assert keeper.kept() == ["t0", "t1", "t2"]
    assert keeper.texts() == ["t0", "t1", "t2"]


NOT_KEPT: dict[str, Callable[[Keeper], None]] = {
    "the gate lets it go": lambda keeper: keeper.house.model.queue("gate", "NOOP"),
    "the model rejects it": lambda keeper: keeper.house.model.script("extraction", lambda _: answers.filtered()),
    "nobody can read what the model says of it": lambda keeper: keeper.house.model.script("extraction", lambda _: "?"),
    "its space writes no facts": lambda keeper: _space(keeper, RecallSettings(write_back=False)),
    "its space merges none": lambda keeper: _space(keeper, RecallSettings(compaction=False)),
}


def _space(keeper: Keeper, recall: RecallSettings) -> None:
    keeper.world.switches.spaces["acme", "s1"] = SpaceSettings(recall=recall)


@pytest.mark.parametrize("because", NOT_KEPT.values(), ids=NOT_KEPT)
def test_a_turn_of_which_no_facts_may_be_made_is_not_kept(keeper: Keeper, because: Callable[[Keeper], None]) -> None:
    because(keeper)
    keeper.tell("t1", "I own a canoe.")
    assert (keeper.kept(), keeper.texts()) == ([], [])


def test_a_wish_to_forget_is_not_kept_itself_and_takes_all_that_is_kept_along(keeper: Keeper) -> None:
    keeper.tell("t1", "My doctor says that I have an ulcer.")
    keeper.tell("t2", "I own a canoe.")
    keeper.house.model.queue("gate", "FORGET")
    keeper.tell("t3", "Please forget what I told you of my stomach.")
    assert keeper.house.record("t3").outcome is Outcome.NOOP  # it found nothing to forget, and counts all the same
    assert (keeper.kept(), keeper.texts()) == ([], [])


def test_what_waits_for_its_facts_while_the_wish_comes_is_not_kept_either(keeper: Keeper) -> None:
    keeper.tell("t1", "My doctor says that I have an ulcer.", work=False)
    keeper.house.consolidate_all()
    keeper.house.model.queue("gate", "FORGET")
    keeper.tell("t2", "Please forget what I told you of my stomach.", work=False)
    keeper.house.consolidate_all()
    keeper.house.extract_all()
    assert keeper.house.record("t1").facts_outcome is FactsOutcome.NOTHING
    assert (keeper.kept(), keeper.texts()) == ([], [])


def test_what_is_told_after_the_wish_is_kept(keeper: Keeper) -> None:
    keeper.house.model.queue("gate", "FORGET")
    keeper.tell("t1", "Please forget what I told you of my stomach.")
    keeper.tell("t2", "I own a canoe.")
    assert keeper.kept() == ["t2"]


def test_an_old_chat_that_is_brought_along_behind_the_wish_is_not_kept(keeper: Keeper) -> None:
    yesterday = keeper.world.clock.now()
    keeper.days_later(1)
    keeper.house.model.queue("gate", "FORGET")
    keeper.tell("t1", "Please forget what I told you of my stomach.")
    keeper.tell("t2", "My doctor says that I have an ulcer.", occurred_at=yesterday)
    assert keeper.house.record("t2").facts_outcome is FactsOutcome.NOTHING
    assert (keeper.kept(), keeper.texts()) == ([], [])


def test_a_fact_that_the_user_deletes_takes_all_kept_texts_along(keeper: Keeper) -> None:
    keeper.house.model.queue("extraction", said(added("Owns a canoe.", "I own a canoe")))
    keeper.tell("t1", "I own a canoe.")
    keeper.tell("t2", "My boat is a joy.")
    fact = stands(keeper.house)["Owns a canoe."]
    assert ask(keeper.house, "DELETE /v1/me/facts/{fact_id}", path={"fact_id": fact.id}).status == 204
    assert (keeper.kept(), keeper.texts()) == ([], [])


def test_what_the_user_edits_out_of_the_memory_takes_them_along_too(keeper: Keeper) -> None:
    keeper.house.model.queue("consolidation", body(identity=["Lives in Bern."]))
    keeper.tell("t1", "I live in Bern.")
    assert keeper.kept() == ["t1"]
    assert ask(keeper.house, "PUT /v1/me/memory", {"memory": body()}, if_match='"0-1"').status == 200
    assert (keeper.kept(), keeper.texts()) == ([], [])


@pytest.mark.parametrize(
    ("condemned", "left"),
    [
        ({"turn_ids": ["t1"]}, ["t2"]),
        ({"chat_ids": ["c2"]}, ["t1"]),
        ({"chat_ids": ["c3"]}, ["t1", "t2"]),
    ],
)
def test_an_unlearned_turn_is_kept_no_more(keeper: Keeper, condemned: dict[str, list[str]], left: list[str]) -> None:
    keeper.tell("t1", "I own a canoe.", chat_id="c1")
    keeper.tell("t2", "I grow tulips.", chat_id="c2")
    assert ask(keeper.house, "POST /v1/me/unlearn", condemned, if_match='"0-0"').status == 200
    assert (keeper.kept(), keeper.texts()) == (left, left)


def test_an_edited_message_is_kept_as_it_is_now_and_not_as_it_was(keeper: Keeper) -> None:
    keeper.tell("t1", "I own a canoe.")
    keeper.tell("t2", "I own a kayak.", supersedes_turn_id="t1")
    assert (keeper.kept(), keeper.texts()) == (["t2"], ["t2"])


def test_an_erase_leaves_nothing_of_it(keeper: Keeper) -> None:
    keeper.tell("t1", "I own a canoe.")
    world = keeper.world
    before = world.tombstones.standing(LENA)
    world.tombstones.fence(LENA, before, before.fenced("r1", world.clock.now()), context_memory=True)
    for remains in world.remains:
        for batch in remains.found(LENA, 1):
            remains.delete(LENA, 1, batch)
    assert (keeper.kept(), keeper.texts()) == ([], [])


def test_a_round_puts_by_what_a_dying_process_left_behind(keeper: Keeper) -> None:
    def fail(step: str) -> None:
        if step == "before:texts.put":
            raise StoreUnavailable("S3 is out of reach.")

    keeper.world.whenever(fail)
    keeper.tell("t1", "I own a canoe.")
    assert (keeper.kept(), len(keeper.world.payloads.stored(LENA))) == (["t1"], 1)
    keeper.world.whenever(lambda _: None)
    assert keeper.house.heal().payloads_removed == 1
    assert keeper.world.payloads.stored(LENA) == []
    assert [one[0] for one in keeper.world.texts.stored(LENA)] == ["t1"]


def test_a_text_that_is_let_go_of_while_it_is_put_by_does_not_stay(keeper: Keeper) -> None:
    def forget(step: str) -> None:
        if step == "before:texts.put":
            keeper.world.whenever(lambda _: None)
            keeper.house.forgetting.let_go.all_until(LENA, 0)

    keeper.world.whenever(forget)
    keeper.tell("t1", "I own a canoe.")
    assert (keeper.kept(), keeper.texts()) == ([], [])


def test_an_export_names_what_is_kept_and_until_when(keeper: Keeper) -> None:
    keeper.tell("t1", "I own a canoe.", chat_id="c1")
    keeper.tell("t2", "I grow tulips.")
    first, second = keeper.house.export(LENA)["kept_turns"]
    assert (first["turn_id"], second["turn_id"], second["chat_id"]) == ("t2", "t1", "c1")
    assert (second["occurred_at"], second["kept_until"]) == ("2026-01-05T09:31:00+00:00", "2026-02-11T09:31:00+00:00")


def test_what_is_kept_is_counted(keeper: Keeper) -> None:
    keeper.tell("t1", "I own a canoe.")
    keeper.house.forgetting.let_go.all_until(LENA, 0)
    telemetry = keeper.world.telemetry
    assert [telemetry.total("kept_turns_total", result=result) for result in ("kept", "dropped")] == [1, 1]
