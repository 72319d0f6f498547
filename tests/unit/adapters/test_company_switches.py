from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event, get_ident

import pytest

from context_memory.adapters.company_switches import CompanySwitches
from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.adapters.kept import PAUSE_SECONDS, Ages
from context_memory.domain.company_settings import CompanySettings
from context_memory.domain.enablement import CompanyFlags, OperatorFlags
from context_memory.domain.errors import FlagsUnavailable, StoreUnavailable
from context_memory.domain.spaces import SpaceSettings

FRESH, STALE = 60.0, 300.0
ON = OperatorFlags(context_memory=True, daily_tokens=7)


def switches_of(world: InMemoryWorld) -> CompanySwitches:
    return CompanySwitches(
        flags=world.flags,
        companies=world.companies,
        spaces=world.spaces,
        ages=Ages(fresh_seconds=FRESH, stale_seconds=STALE),
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


def test_a_space_is_looked_up_once_while_it_is_fresh_registered_or_not() -> None:
    world = InMemoryWorld()
    world.flags.companies["acme"] = ON
    registered = SpaceSettings(context_memory=False, max_tokens=700)
    world.spaces.register("acme", "s1", registered, version=0)
    switches, steps = switches_of(world), steps_of(world)
    assert [switches.space("acme", one) for one in ("s1", "s2", "s1", "s2")] == [registered, None] * 2
    assert steps.count("before:spaces.space") == 2
    world.clock.advance(FRESH)
    world.spaces.register("acme", "s1", SpaceSettings(), version=None)
    assert switches.space("acme", "s1") == SpaceSettings()


def test_a_space_of_a_company_without_memory_is_not_looked_up() -> None:
    world = InMemoryWorld()
    world.spaces.register("acme", "s1", SpaceSettings(context_memory=False), version=0)
    switches, steps = switches_of(world), steps_of(world)
    with ThreadPoolExecutor(1) as pool:
        assert switches.space_ahead("acme", "s1", pool).result() is None
    assert switches.space("acme", "s1") is None
    assert "before:spaces.space" not in steps


def test_a_space_that_is_known_needs_no_thread_and_another_is_read_by_one() -> None:
    world = InMemoryWorld()
    world.flags.companies["acme"] = ON
    world.spaces.register("acme", "s1", SpaceSettings(max_tokens=700), version=0)
    switches, threads, go = switches_of(world), list[int](), Event()

    def hook(step: str) -> None:
        if step == "before:spaces.space":
            threads.append(get_ident())
            assert go.wait(5)

    world.whenever(hook)
    with ThreadPoolExecutor(1) as pool:
        read = switches.space_ahead("acme", "s1", pool)
        assert not read.done()  # whoever asked goes on with other things meanwhile
        go.set()
        assert read.result(5) == SpaceSettings(max_tokens=700)
        assert threads
        assert get_ident() not in threads
        again = switches.space_ahead("acme", "s1", pool)
        assert again.done()
        assert again.result() == SpaceSettings(max_tokens=700)
    assert len(threads) == 1


def test_a_space_out_of_reach_is_an_error_and_not_one_that_nobody_registered() -> None:
    world = InMemoryWorld()
    world.flags.companies["acme"] = ON

    def hook(step: str) -> None:
        if step == "before:spaces.space":
            raise StoreUnavailable("as wanted")

    world.whenever(hook)
    switches = switches_of(world)
    with pytest.raises(StoreUnavailable):
        switches.space("acme", "s1")
    with ThreadPoolExecutor(1) as pool, pytest.raises(StoreUnavailable):
        switches.space_ahead("acme", "s1", pool).result(5)


def test_a_company_that_is_being_erased_is_told_as_closed() -> None:
    world = InMemoryWorld()
    world.flags.companies["acme"] = ON
    world.companies.close("acme", "J1")
    assert switches_of(world).flags("acme").closed
