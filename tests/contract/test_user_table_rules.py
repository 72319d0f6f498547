"""The user's own rules: written over what was read, and counted, so that nothing made under others is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import CommitRefused
from context_memory.domain.state import UserSettings
from context_memory.ports.users import Rules
from tests.support.records import LENA, pointer, stored, turn_record

if TYPE_CHECKING:
    from tests.support.stores import Stores

RULES = Rules(pins=frozenset({"a1", "b2"}), deny_phrases=("my divorce",), deny_kinds=frozenset({"health"}))


def test_rules_are_kept_whole_and_counted(stores: Stores) -> None:
    stores.table.change_rules(LENA, UserSettings(), RULES)
    settings = stores.table.state(LENA).settings
    assert settings == UserSettings(
        pins=RULES.pins, deny_phrases=RULES.deny_phrases, deny_kinds=RULES.deny_kinds, rules=1
    )


def test_of_two_changes_over_the_same_rules_one_is_refused(stores: Stores) -> None:
    before = stores.table.state(LENA).settings
    stores.table.change_rules(LENA, before, RULES)
    with pytest.raises(CommitRefused) as refused:
        stores.table.change_rules(LENA, before, replace(RULES, deny_phrases=("other",)))
    assert refused.value.clauses == {"settings"}
    assert stores.table.state(LENA).settings.deny_phrases == RULES.deny_phrases


def test_a_change_made_under_older_rules_is_not_stored(stores: Stores) -> None:
    stores.table.accept(LENA, turn_record("turn-1"))
    stores.table.change_rules(LENA, UserSettings(), RULES)
    with pytest.raises(CommitRefused) as refused:
        stores.table.settle(stored(turn_record("turn-1"), rules=0))
    assert refused.value.clauses == {"settings"}
    assert stores.table.state(LENA).profile is None


def test_a_change_made_under_the_rules_that_count_is_stored(stores: Stores) -> None:
    stores.table.accept(LENA, turn_record("turn-1"))
    stores.table.change_rules(LENA, UserSettings(), RULES)
    stores.table.settle(stored(turn_record("turn-1"), rules=1))
    assert stores.table.state(LENA).profile == pointer(1)


def test_a_change_that_rests_on_no_turn_moves_pins_with_it(stores: Stores) -> None:
    stores.table.change_rules(LENA, UserSettings(), RULES)
    stores.table.settle(stored(rules=1, pins=frozenset({"c3"}), outcome=None))
    state = stores.table.state(LENA)
    assert state.settings.pins == {"c3"}
    assert state.settings.rules == 2
    assert state.settings.deny_phrases == RULES.deny_phrases
    assert state.profile == pointer(1)


def test_pins_that_were_changed_meanwhile_are_not_moved(stores: Stores) -> None:
    stores.table.change_rules(LENA, UserSettings(), RULES)
    stores.table.change_rules(LENA, stores.table.state(LENA).settings, replace(RULES, pins=frozenset({"d4"})))
    with pytest.raises(CommitRefused):
        stores.table.settle(stored(rules=1, pins=frozenset({"c3"}), outcome=None))
    assert stores.table.state(LENA).settings.pins == {"d4"}
