from __future__ import annotations

import pytest

from context_memory.adapters.company_switches import PAUSE_SECONDS, CompanySwitches
from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.domain.enablement import CompanyFlags, CompanySettings, OperatorFlags
from context_memory.domain.errors import FlagsUnavailable, StoreUnavailable

FRESH, STALE = 60.0, 300.0
ON = OperatorFlags(context_memory=True, daily_tokens=7)


def switches_of(world: InMemoryWorld) -> CompanySwitches:
    return CompanySwitches(
        flags=world.flags,
        companies=world.companies,
        fresh_seconds=FRESH,
        stale_seconds=STALE,
        monotonic=world.clock.monotonic,
    )


def steps_of(world: InMemoryWorld) -> list[str]:
    steps: list[str] = []
    world.whenever(steps.append)
    return steps


def test_flags_and_settings_are_one_answer() -> None:
    world = InMemoryWorld()
    world.flags.companies["acme"] = ON
    world.companies.replace("acme", CompanySettings(max_tokens=900, legacy=True), version=None)
    assert switches_of(world).flags("acme") == CompanyFlags(
        context_memory=True, daily_tokens=7, legacy=True, max_tokens=900
    )
    assert switches_of(world).space("acme", "s1") is None


def test_a_company_that_has_set_nothing_has_the_defaults() -> None:
    world = InMemoryWorld()
    world.flags.companies["acme"] = ON
    flags = switches_of(world).flags("acme")
    assert (flags.max_tokens, flags.legacy) == (2000, False)


def test_settings_are_looked_up_again_when_they_are_no_longer_fresh() -> None:
    world = InMemoryWorld()
    world.flags.companies["acme"] = ON
    switches = switches_of(world)
    assert switches.flags("acme").max_tokens == 2000
    world.companies.replace("acme", CompanySettings(max_tokens=900), version=None)
    world.clock.advance(FRESH - 1)
    assert switches.flags("acme").max_tokens == 2000
    world.clock.advance(1)
    assert switches.flags("acme").max_tokens == 900


def test_what_was_set_serves_for_a_while_when_the_table_is_out_of_reach_and_then_no_more() -> None:
    world = InMemoryWorld()
    world.flags.companies["acme"] = ON
    world.companies.replace("acme", CompanySettings(max_tokens=900), version=None)
    switches, asked = switches_of(world), list[str]()
    assert switches.flags("acme").max_tokens == 900

    def down(step: str) -> None:
        if step == "before:companies.settings":
            asked.append(step)
            raise StoreUnavailable("as wanted")

    world.whenever(down)
    world.clock.advance(STALE)
    assert [switches.flags("acme").max_tokens for _ in range(5)] == [900] * 5
    assert len(asked) == 1  # not every request waits for the same time-outs
    world.clock.advance(PAUSE_SECONDS)
    with pytest.raises(StoreUnavailable):
        switches.flags("acme")
    world.whenever(lambda _: None)
    assert switches.flags("acme").max_tokens == 900


def test_one_company_s_settings_are_never_another_s() -> None:
    world = InMemoryWorld()
    world.flags.companies |= {"acme": ON, "acme2": ON}
    world.companies.replace("acme", CompanySettings(max_tokens=900), version=None)
    switches = switches_of(world)
    assert [switches.flags(one).max_tokens for one in ("acme", "acme2", "acme")] == [900, 2000, 900]


def test_a_company_without_memory_is_not_looked_up() -> None:
    world = InMemoryWorld()
    steps = steps_of(world)
    assert not switches_of(world).flags("acme").context_memory
    assert "before:companies.settings" not in steps


@pytest.mark.parametrize(
    ("step", "fault"),
    [("flags.flags", FlagsUnavailable("as wanted")), ("companies.settings", StoreUnavailable("as wanted"))],
)
def test_what_is_out_of_reach_is_an_error_and_no_default(step: str, fault: Exception) -> None:
    world = InMemoryWorld()
    world.flags.companies["acme"] = ON

    def hook(reached: str) -> None:
        if reached == f"before:{step}":
            raise fault

    world.whenever(hook)
    switches = switches_of(world)
    for _ in range(2):  # nor is the fault kept
        with pytest.raises(type(fault)):
            switches.flags("acme")
    world.whenever(lambda _: None)
    assert switches.flags("acme").context_memory
