"""A chat waits for the slowest read, not for one after the other."""

from __future__ import annotations

from collections import Counter
from threading import Barrier, BrokenBarrierError

from context_memory.adapters.in_memory.world import InMemoryWorld
from tests.support.recalling import Recalls

READS = Counter(
    {
        "before:table.state": 1,
        "before:table.facts": 1,
        "before:shared_facts.facts": 2,
        "before:table.recalled": 2,
        "before:profiles.latest": 1,
        "before:embedder.query": 1,
    }
)
"""The user's state, the scopes, the prompt and what sent a worker out, the profile, and the vector."""


def test_whatever_a_recall_needs_is_asked_for_at_the_same_time() -> None:
    world = InMemoryWorld()
    together, met = Barrier(READS.total(), timeout=10), Counter[str]()

    def wait_for_the_others(step: str) -> None:
        if step in READS and met[step] < READS[step]:
            met[step] += 1
            together.wait()

    with Recalls(world, world.embedder) as recalls:
        recalls.learn("Lives in Basel.")
        world.whenever(wait_for_the_others)
        try:
            told = recalls.ask("Basel", prompt_id="p1", parent_turn_id="t1", as_subagent={"inherit_memory": True})
        except BrokenBarrierError:
            raise AssertionError(f"Only these were asked for together: {met}") from None
    assert [hit["text"] for hit in told["hits"]] == ["Lives in Basel."]
