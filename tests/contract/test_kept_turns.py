"""Turns whose text is kept: put with the end of their extraction, gone with the facts of a summary, or closed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.domain.errors import CommitRefused
from context_memory.domain.facts.outcomes import FactsOutcome
from context_memory.domain.kept_turns import KeptTurn
from context_memory.domain.state import UserSettings
from context_memory.ports.facts import MOST_ITEMS, FactsChange, FactsHead
from tests.support.facts import a_fact
from tests.support.records import LENA, LOOK_ALIKES
from tests.support.stored_facts import OWN, end, kept, kept_turn, store, texts, waiting
from tests.support.stores import at

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey
    from tests.support.stores import Stores

BASEL = a_fact("Lives in Basel.", OWN)


def refused_by(stores: Stores, *puts: Any, **changes: Any) -> frozenset[str]:  # noqa: ANN401 - facts, and any field of the change
    """Clauses that refuse a change, which then has left everything as it was."""
    before = (texts(stores), stores.facts.pending(LENA), stores.kept_turns.kept(LENA), stores.table.turns(LENA))
    with pytest.raises(CommitRefused) as refused:
        store(stores, *puts, **changes)
    after = (texts(stores), stores.facts.pending(LENA), stores.kept_turns.kept(LENA), stores.table.turns(LENA))
    assert after == before
    return refused.value.clauses


def test_a_turn_is_kept_with_the_end_of_its_extraction(stores: Stores) -> None:
    pending = waiting(stores)
    turn = kept_turn(pending, chat_id="chat-1", provider="slack:u1")
    assert not stores.kept_turns.is_kept(LENA, turn.open_key)
    store(stores, BASEL, ends=(end(pending),), keeps=(turn,))
    assert stores.kept_turns.kept(LENA) == [turn]
    assert stores.kept_turns.is_kept(LENA, turn.open_key)
    assert texts(stores) == ["Lives in Basel."]


def test_kept_turns_come_in_the_order_of_their_acceptance(stores: Stores) -> None:
    for turn_id in ("turn-2", "turn-1", "turn-3"):
        kept(stores, turn_id)
    assert [turn.turn_id for turn in stores.kept_turns.kept(LENA)] == ["turn-1", "turn-2", "turn-3"]


def test_nothing_is_kept_of_a_turn_whose_extraction_has_ended_elsewhere(stores: Stores) -> None:
    pending = waiting(stores)
    store(stores, ends=(end(pending, FactsOutcome.SKIPPED),))
    assert refused_by(stores, ends=(end(pending),), keeps=(kept_turn(pending),)) == {"turn"}


def test_a_summary_takes_its_turns_along(stores: Stores) -> None:
    first, second = kept(stores), kept(stores, "turn-2")
    store(stores, BASEL, lets_go=(first,))
    assert (texts(stores), stores.kept_turns.kept(LENA)) == (["Lives in Basel."], [second])


def test_turns_go_without_a_fact_as_well(stores: Stores) -> None:
    store(stores, lets_go=(kept(stores),))
    assert stores.kept_turns.kept(LENA) == []


def test_a_summary_of_what_is_kept_no_more_is_refused(stores: Stores) -> None:
    first, second = kept(stores), kept(stores, "turn-2")
    stores.kept_turns.let_go(LENA, [first])
    stores.kept_turns.let_go(LENA, [first])
    assert refused_by(stores, BASEL, lets_go=(first, second)) == {"kept"}


def test_of_two_summaries_at_once_one_is_stored(stores: Stores) -> None:
    turn = kept(stores)

    def summarise(number: int) -> bool:
        try:
            store(stores, a_fact(f"Summary {number}.", OWN), lets_go=(turn,))
        except CommitRefused:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(summarise, range(4))) == [False, False, False, True]
    assert len(texts(stores)) == 1


def test_a_summary_is_refused_once_memory_is_off(stores: Stores) -> None:
    turn = kept(stores)
    stores.write_settings(LENA, UserSettings(context_memory=False))
    assert refused_by(stores, BASEL, lets_go=(turn,)) == {"settings"}


def test_what_was_said_before_the_close_is_neither_kept_nor_summarised(stores: Stores) -> None:
    turn, pending = kept(stores), waiting(stores, "turn-2")
    stores.kept_turns.close(LENA, 0, turn.said_at)
    assert refused_by(stores, BASEL, lets_go=(turn,)) == {"closed"}
    assert refused_by(stores, ends=(end(pending),), keeps=(kept_turn(pending),)) == {"closed"}


def test_what_was_said_after_the_close_is_kept(stores: Stores) -> None:
    stores.kept_turns.close(LENA, 0, at(5))
    turn = kept(stores, accepted_at=at(7), occurred_at=at(6))
    store(stores, BASEL, lets_go=(turn,))
    assert texts(stores) == ["Lives in Basel."]


def test_an_earlier_close_takes_nothing_back(stores: Stores) -> None:
    stores.kept_turns.close(LENA, 0, at(5))
    stores.kept_turns.close(LENA, 0, at(2))
    pending = waiting(stores, accepted_at=at(4), occurred_at=at(3))
    assert refused_by(stores, ends=(end(pending),), keeps=(kept_turn(pending),)) == {"closed"}


def test_a_close_of_an_erased_memory_says_nothing_of_the_new_one(stores: Stores) -> None:
    stores.kept_turns.close(LENA, 0, at(5))
    stores.write_settings(LENA, UserSettings(epoch=1))
    turn = kept(stores, epoch=1)
    assert stores.kept_turns.kept(LENA) == [turn]
    stores.kept_turns.close(LENA, 1, at(3))
    assert refused_by(stores, BASEL, epoch=1, lets_go=(turn,)) == {"closed"}


def test_a_turn_of_an_erased_memory_is_not_summarised(stores: Stores) -> None:
    turn = kept(stores)
    stores.write_settings(LENA, UserSettings(epoch=1))
    assert "kept" in refused_by(stores, BASEL, epoch=1, lets_go=(replace(turn, epoch=1),))


@pytest.mark.parametrize("other", LOOK_ALIKES, ids=lambda user: user.partition)
def test_kept_turns_are_the_users_own(stores: Stores, other: UserKey) -> None:
    turn = kept(stores)
    assert (stores.kept_turns.kept(other), stores.kept_turns.is_kept(other, turn.open_key)) == ([], False)
    stores.kept_turns.close(other, 0, at(9))
    stores.kept_turns.let_go(other, [turn])
    store(stores, BASEL, lets_go=(turn,))
    assert texts(stores) == ["Lives in Basel."]


def test_more_than_one_transaction_holds_is_refused_before_it_is_sent() -> None:
    turns = tuple(_kept(number) for number in range(MOST_ITEMS - 1))
    with pytest.raises(ValueError, match="100 items"):
        FactsChange(user=LENA, base=FactsHead(), epoch=0, at=at(1), lets_go=turns)
    FactsChange(user=LENA, base=FactsHead(), epoch=0, at=at(1), lets_go=turns[1:])


def _kept(number: int) -> KeptTurn:
    return KeptTurn(
        open_key=f"{number}",
        turn_id=f"{number}",
        payload_sha256="a" * 64,
        epoch=0,
        accepted_at=at(1),
        occurred_at=at(1),
    )
