from __future__ import annotations

import pytest

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.errors import CommitRefused, FlagsUnavailable, PreconditionFailed, StoreUnavailable
from context_memory.domain.ids import UserKey
from context_memory.domain.spaces import SpaceSettings
from context_memory.ports.queues import Doorbell
from tests.support.records import LENA, turn_record, unchanged

OTHER = UserKey("acme", "otto")


def fails_at(step: str) -> StoreUnavailable | None:
    """A world whose settle fails at one step; the error that its caller sees."""
    world = InMemoryWorld()
    record = turn_record()
    world.table.accept(LENA, record)

    def hook(reached: str) -> None:
        if reached == step:
            raise StoreUnavailable("as the test wants it")

    world.whenever(hook)
    with pytest.raises(StoreUnavailable) as failed:
        world.table.settle(unchanged(record))
    world.whenever(lambda _step: None)
    ended = world.table.turn(LENA, "turn-1")
    assert ended is not None
    return failed.value if ended.outcome is None else None


def test_a_fault_before_a_step_leaves_everything_as_it_was() -> None:
    assert fails_at("before:table.settle") is not None


def test_a_fault_after_a_step_hides_that_it_was_done() -> None:
    assert fails_at("after:table.settle") is None


def test_a_hook_may_do_what_somebody_else_does_at_that_moment() -> None:
    world = InMemoryWorld()

    def somebody_else(step: str) -> None:
        if step == "before:profiles.put":
            world.whenever(lambda _step: None)
            world.profiles.put(LENA, b"theirs", replaces=None)

    world.whenever(somebody_else)
    with pytest.raises(PreconditionFailed):
        world.profiles.put(LENA, b"mine", replaces=None)


def test_a_refused_step_has_no_after() -> None:
    world = InMemoryWorld()
    steps: list[str] = []
    world.whenever(steps.append)
    with pytest.raises(CommitRefused):
        world.table.settle(unchanged(turn_record()))
    assert steps == ["before:table.settle"]


def test_every_port_tells_its_steps() -> None:
    world = InMemoryWorld()
    steps: list[str] = []
    world.whenever(steps.append)
    world.profiles.latest(LENA)
    world.payloads.get(LENA, "turn-1", "c" * 64)
    world.table.state(LENA)
    world.doorbells.ring(Doorbell(LENA, "turn-1"))
    world.directory.companies_with_turns()
    world.switches.flags("acme")
    assert [step for step in steps if step.startswith("before:")] == [
        "before:profiles.latest",
        "before:payloads.get",
        "before:table.state",
        "before:doorbells.ring",
        "before:directory.companies_with_turns",
        "before:switches.flags",
    ]


def test_a_group_is_answered_one_doorbell_at_a_time() -> None:
    world = InMemoryWorld()
    for ring_id in ("1", "2"):
        world.doorbells.ring(Doorbell(LENA, ring_id))
    world.doorbells.ring(Doorbell(OTHER, "1"))
    first, other = world.doorbells.receive(), world.doorbells.receive()
    assert first is not None
    assert other is not None
    assert (first.doorbell.ring_id, other.doorbell.user) == ("1", OTHER)
    assert world.doorbells.receive() is None
    world.doorbells.acknowledge(first.receipt)
    second = world.doorbells.receive()
    assert second is not None
    assert second.doorbell.ring_id == "2"


def test_a_doorbell_that_nobody_acknowledged_comes_back() -> None:
    world = InMemoryWorld()
    world.doorbells.ring(Doorbell(LENA, "1"))
    world.doorbells.receive()
    world.clock.advance(30 * 60)
    again = world.doorbells.receive()
    assert again is not None
    assert again.received == 2


def test_a_postponed_doorbell_blocks_its_group_until_its_time() -> None:
    world = InMemoryWorld()
    for ring_id in ("1", "2"):
        world.doorbells.ring(Doorbell(LENA, ring_id))
    delivery = world.doorbells.receive()
    assert delivery is not None
    world.doorbells.postpone(delivery.receipt, 60)
    world.clock.advance(59)
    assert world.doorbells.receive() is None
    world.clock.advance(1)
    again = world.doorbells.receive()
    assert again is not None
    assert again.doorbell.ring_id == "1"


def test_an_old_receipt_postpones_nothing() -> None:
    world = InMemoryWorld()
    world.doorbells.ring(Doorbell(LENA, "1"))
    delivery = world.doorbells.receive()
    assert delivery is not None
    world.clock.advance(30 * 60)
    world.doorbells.postpone(delivery.receipt, 600)
    assert world.doorbells.receive() is not None


def test_the_same_ring_after_five_minutes_is_another_message() -> None:
    world = InMemoryWorld()
    for seconds in (0, 299, 1):
        world.clock.advance(seconds)
        world.doorbells.ring(Doorbell(LENA, "1"))
    received = []
    while delivery := world.doorbells.receive():
        received.append(delivery)
        world.doorbells.acknowledge(delivery.receipt)
    assert len(received) == 2


def test_switches_answer_what_was_set_and_can_be_out_of_reach() -> None:
    world = InMemoryWorld()
    world.switches.companies["acme"] = CompanyFlags(context_memory=False)
    world.switches.spaces["acme", "space"] = SpaceSettings(max_tokens=500)
    assert not world.switches.flags("acme").context_memory
    assert world.switches.flags("other").context_memory
    assert world.switches.space("acme", "space") == SpaceSettings(max_tokens=500)
    assert world.switches.space("other", "space") is None

    def unreachable(step: str) -> None:
        if step == "before:switches.flags":
            raise FlagsUnavailable("as the test wants it")

    world.whenever(unreachable)
    with pytest.raises(FlagsUnavailable):
        world.switches.flags("acme")


def test_what_was_counted_is_summed_by_dimension() -> None:
    world = InMemoryWorld()
    world.telemetry.count("postprocessor_total", outcome="noop")
    world.telemetry.count("postprocessor_total", 2, outcome="updated")
    world.telemetry.event("turn ended", attempts=1)
    world.telemetry.warning("turn given up")
    assert world.telemetry.total("postprocessor_total") == 3
    assert world.telemetry.total("postprocessor_total", outcome="updated") == 2
    assert [(line.level, line.phrase) for line in world.telemetry.lines] == [
        ("info", "turn ended"),
        ("warning", "turn given up"),
    ]
