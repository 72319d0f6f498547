"""Work that an agent delegates: whose memory it has, and who may keep it from that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from context_memory.domain.company_settings import MemoryUse
from context_memory.domain.delegation import Delegation
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.outcomes import Outcome
from tests.support.house import LENA, House, body

ON = CompanyFlags(context_memory=True, context_memory_with_web_search=True)
GENEROUS = replace(ON, inherit_memory=True)
BASEL = body(identity=["Lives in Basel."])


@pytest.fixture
def known(house: House) -> House:
    """Lena's memory holds one bullet."""
    house.learns(BASEL)
    house.post("t1", "I live in Basel.")
    house.work()
    return house


def loaded(house: House, **said: Any) -> str | None:  # noqa: ANN401 - fields of a delegation
    """Why a worker loads nothing, or None."""
    return house.load(delegation=Delegation(**said)).reason


@pytest.mark.parametrize(
    ("company", "said", "reason"),
    [
        (ON, {"parent_turn_id": "p1"}, "subagent"),
        (ON, {"parent_turn_id": "p1", "inherit_memory": False}, "subagent"),
        (ON, {"inherit_memory": False}, "subagent"),
        (ON, {"parent_turn_id": "p1", "inherit_memory": True}, None),
        (ON, {"inherit_memory": True}, None),
        (ON, {"worker": True}, "subagent"),
        (GENEROUS, {"parent_turn_id": "p1"}, None),
        (GENEROUS, {"parent_turn_id": "p1", "inherit_memory": False}, "subagent"),
        (ON, {}, None),
    ],
)
def test_a_worker_has_the_memory_of_the_user_where_company_or_request_say_so(
    known: House, company: CompanyFlags, said: dict[str, Any], reason: str | None
) -> None:
    known.world.switches.companies["acme"] = company
    assert loaded(known, **said) == reason


@pytest.mark.parametrize(
    ("company", "fields", "reason"),
    [
        (ON, {"parent_turn_id": "p1"}, "subagent"),
        (ON, {"parent_turn_id": "p1", "inherit_memory": True}, None),
        (GENEROUS, {"parent_turn_id": "p1"}, None),
        (GENEROUS, {"inherit_memory": False}, "subagent"),
    ],
)
def test_a_worker_s_turn_is_remembered_of_the_user_in_its_path_or_of_nobody(
    house: House, company: CompanyFlags, fields: dict[str, Any], reason: str | None
) -> None:
    house.world.switches.companies["acme"] = company
    assert house.post("w1", "I live in Basel.", **fields) == reason
    assert (house.world.table.turn(LENA, "w1") is None) == (reason is not None)


@pytest.mark.parametrize("refused", ["read", "write"])
def test_a_turn_that_wants_no_memory_sends_out_workers_without_any(known: House, refused: str) -> None:
    known.world.clock.advance(60)
    known.post("p1", "Look this up.", use_memory={refused: False})
    assert loaded(known, parent_turn_id="p1", inherit_memory=True) == "subagent"
    assert known.post("w1", "I write Rust.", parent_turn_id="p1", inherit_memory=True) == "subagent"
    assert loaded(known, parent_turn_id="p2", inherit_memory=True) is None


def test_after_a_day_nobody_knows_any_more_what_a_turn_wanted(known: House) -> None:
    known.post("p1", "Look this up.", use_memory={"write": False})
    known.world.clock.advance(24 * 3600 + 1)
    assert loaded(known, parent_turn_id="p1", inherit_memory=True) is None


def test_a_turn_that_says_nothing_passes_its_memory_on_although_its_company_writes_none_by_default(
    known: House,
) -> None:
    known.world.switches.companies["acme"] = replace(GENEROUS, use_memory=MemoryUse(read=True, write=False))
    assert known.post("p1", "Look this up.") == "use_memory"
    assert loaded(known, parent_turn_id="p1") is None


def test_of_a_user_who_wants_no_memory_nothing_is_kept_for_workers(house: House) -> None:
    settings = house.world.table.state(LENA).settings
    house.world.table.write_settings(LENA, replace(settings, context_memory=False))
    assert house.post("p1", "Look this up.", use_memory={"write": False}) == "user_off"
    assert house.world.prompts.recalled(LENA, "p1") is None


def test_that_nobody_knows_whether_a_parent_passes_memory_on_is_no_yes(known: House) -> None:
    def down(step: str) -> None:
        if step == "before:table.recalled":
            raise StoreUnavailable("The store is down.")

    known.world.whenever(down)
    with pytest.raises(StoreUnavailable):
        loaded(known, parent_turn_id="p1", inherit_memory=True)
    with pytest.raises(StoreUnavailable):
        known.post("w1", "I write Rust.", parent_turn_id="p1", inherit_memory=True)
    assert loaded(known) is None


@pytest.mark.parametrize("said", [{}, {"inherit_memory": True}, {"parent_turn_id": "p1"}])
def test_a_load_asks_for_a_parent_only_where_one_may_matter(known: House, said: dict[str, Any]) -> None:
    steps: list[str] = []
    known.world.whenever(steps.append)
    loaded(known, **said)
    assert not [step for step in steps if "recalled" in step]


def test_a_worker_that_waits_is_dropped_once_its_company_lets_workers_inherit_nothing(house: House) -> None:
    house.world.switches.companies["acme"] = GENEROUS
    house.post("w1", "I live in Basel.", parent_turn_id="p1")
    house.world.switches.companies["acme"] = ON
    house.work()
    assert house.record("w1").outcome is Outcome.DROPPED_DISABLED


@pytest.mark.parametrize(
    ("asked", "reason"), [(None, "use_memory"), (False, "use_memory"), (True, None)], ids=["unsaid", "no", "yes"]
)
def test_a_company_says_whether_memory_is_read_where_the_request_does_not(
    known: House,
    asked: bool | None,  # noqa: FBT001 - what is tested
    reason: str | None,
) -> None:
    known.world.switches.companies["acme"] = replace(ON, use_memory=MemoryUse(read=False, write=True))
    assert known.load(use_memory=asked).reason == reason


@pytest.mark.parametrize(
    ("said", "reason"), [({}, "use_memory"), ({"write": True}, None), ({"read": True}, "use_memory")]
)
def test_a_company_says_whether_turns_are_remembered_that_do_not_say_it(
    house: House, said: dict[str, bool], reason: str | None
) -> None:
    house.world.switches.companies["acme"] = replace(ON, use_memory=MemoryUse(read=True, write=False))
    house.learns(BASEL)
    assert house.post("t1", "I live in Basel.", use_memory=said) == reason
    house.work()
    # What was accepted is remembered, whatever the company says by default.
    assert ("Basel" in house.memory()) == (reason is None)
