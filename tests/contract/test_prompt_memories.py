from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.in_memory.system import MONDAY_MORNING
from context_memory.domain.facts.scopes import Scope
from context_memory.ports.recall import Given, PromptMemory
from tests.support.records import LENA, LOOK_ALIKES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.stores import Stores

GIVEN = (
    Given("a" * 20, Scope.USER, 0.1 + 0.2, ("words", "meaning")),
    Given("b" * 20, Scope.WORKSPACE, 1.0, (), "s=1/ä"),
    Given("c" * 20, Scope.GLOBAL, 1e-17, ("core",)),
    Given("d" * 20, None, 0.0, ("words",)),
)
PROMPTS = ("p", "p1", "p=1", "P", "p/", "p#", "ä", "..")
A_DAY = 24 * 3600.0


def memory(
    answers: Mapping[str, tuple[Given, ...]], prompt_id: str = "p", *, epoch: int = 0, disabled: bool = False
) -> PromptMemory:
    return PromptMemory(prompt_id=prompt_id, epoch=epoch, answers=answers, disabled=disabled)


def test_of_a_prompt_that_never_was_nothing_is_remembered(stores: Stores) -> None:
    assert stores.prompts.recalled(LENA, "p") is None


def test_what_was_given_comes_back_as_it_was(stores: Stores) -> None:
    given = memory({"asked": GIVEN, "asked otherwise": ()})
    stores.prompts.remember(LENA, given, MONDAY_MORNING)
    assert stores.prompts.recalled(LENA, "p") == given


def test_answers_are_added_to_one_another(stores: Stores) -> None:
    for asked, given in (("1", GIVEN[:1]), ("2", GIVEN[1:]), ("1", GIVEN[2:3])):
        stores.prompts.remember(LENA, memory({asked: given}), MONDAY_MORNING)
    assert stores.prompts.recalled(LENA, "p") == memory({"1": GIVEN[2:3], "2": GIVEN[1:]})


def test_of_calls_at_once_nothing_is_lost(stores: Stores) -> None:
    def remember(number: int) -> None:
        stores.prompts.remember(LENA, memory({str(number): GIVEN}, disabled=number == 3), MONDAY_MORNING)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(remember, range(8)))
    assert stores.prompts.recalled(LENA, "p") == memory({str(one): GIVEN for one in range(8)}, disabled=True)


def test_that_recall_was_disabled_is_never_taken_back(stores: Stores) -> None:
    stores.prompts.remember(LENA, memory({}, disabled=True), MONDAY_MORNING)
    stores.prompts.remember(LENA, memory({"1": GIVEN}), MONDAY_MORNING)
    assert stores.prompts.recalled(LENA, "p") == memory({"1": GIVEN}, disabled=True)


def test_a_prompt_is_forgotten_after_a_day_call_by_call(stores: Stores) -> None:
    stores.prompts.remember(LENA, memory({"1": GIVEN}), MONDAY_MORNING)
    stores.prompts.remember(LENA, memory({"2": GIVEN}), MONDAY_MORNING + timedelta(hours=1))
    stores.pass_time(A_DAY - 1)
    assert stores.prompts.recalled(LENA, "p") == memory({"1": GIVEN, "2": GIVEN})
    stores.pass_time(1)
    assert stores.prompts.recalled(LENA, "p") == memory({"2": GIVEN})
    stores.pass_time(3600)
    assert stores.prompts.recalled(LENA, "p") is None


def test_prompts_and_users_are_told_apart(stores: Stores) -> None:
    for user in (LENA, *LOOK_ALIKES):
        for prompt_id in PROMPTS:
            given = (Given(user.encoded, Scope.USER, 1.0, (prompt_id,)),)
            stores.prompts.remember(user, memory({"1": given}, prompt_id), MONDAY_MORNING)
    for user in (LENA, *LOOK_ALIKES):
        for prompt_id in PROMPTS:
            given = (Given(user.encoded, Scope.USER, 1.0, (prompt_id,)),)
            assert stores.prompts.recalled(user, prompt_id) == memory({"1": given}, prompt_id)


@pytest.mark.parametrize("disabled", [True, False])
def test_the_newest_life_counts_whatever_is_left_of_the_one_before(stores: Stores, disabled: bool) -> None:  # noqa: FBT001 - a case
    old = memory({"1": GIVEN, "2": GIVEN}, disabled=True)
    stores.prompts.remember(LENA, old, MONDAY_MORNING)
    new = memory({"1": GIVEN[:1]}, epoch=1, disabled=disabled)
    stores.prompts.remember(LENA, new, MONDAY_MORNING)
    assert stores.prompts.recalled(LENA, "p") == new
    stores.prompts.remember(LENA, old, MONDAY_MORNING)  # whoever began before the erase
    assert stores.prompts.recalled(LENA, "p") == new
