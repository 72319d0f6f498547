"""What follows a write of facts: indexes outside of the store, and vectors of the model in force."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.in_memory.embeddings import InMemoryEmbedder
from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.application.indexing.embedding_anew import FACTS_AT_ONCE, EmbedAnew
from context_memory.application.indexing.publishing import Publishing
from context_memory.domain.errors import ModelRejected, ModelUnavailable, StoreUnavailable
from context_memory.domain.facts.embedding import waiting
from context_memory.ports.facts import Facts, FactsHead
from context_memory.ports.indexes import IndexChange
from tests.support.facts import COMPANY, a_fact

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.vectors import Vector
    from context_memory.ports.recall import Embedder

TEA, BOAT = a_fact("Serves tea at four", COMPANY), a_fact("Owns a boat", COMPANY)


@pytest.fixture
def world() -> InMemoryWorld:
    return InMemoryWorld()


@pytest.fixture
def publishing(world: InMemoryWorld) -> Publishing:
    return Publishing(indexes=[world.published], telemetry=world.telemetry)


def everything(version: int, *facts: Fact) -> Callable[[], Facts]:
    return lambda: Facts(FactsHead(version, len(facts)), facts)


def never() -> Facts:
    pytest.fail("Nobody needs all facts.")


def published(world: InMemoryWorld) -> tuple[int, set[str]]:
    (_, version), facts = world.published.published[COMPANY]
    return version, {fact.text for fact in facts.values()}


def failing(step: str, error: Exception, times: int = 1) -> Callable[[str], None]:
    left = [times]

    def hook(name: str) -> None:
        if name == step and left[0]:
            left[0] -= 1
            raise error

    return hook


def test_the_first_write_makes_the_index_of_all_facts_and_later_ones_are_brought_in(
    world: InMemoryWorld, publishing: Publishing
) -> None:
    assert publishing.written(IndexChange(scope=COMPANY, base=0, version=1, puts=[TEA]), everything(1, TEA))
    assert publishing.written(IndexChange(scope=COMPANY, base=1, version=2, puts=[BOAT], drops=[TEA.id]), never)
    assert published(world) == (2, {"Owns a boat"})


def test_an_index_that_missed_a_write_is_made_anew(world: InMemoryWorld, publishing: Publishing) -> None:
    publishing.catch_up(COMPANY, 1, everything(1, TEA))
    assert publishing.written(IndexChange(scope=COMPANY, base=2, version=3, puts=[BOAT]), everything(3, BOAT))
    assert published(world) == (3, {"Owns a boat"})


@pytest.mark.parametrize("step", ["before:published.change", "after:published.change", "before:published.replace"])
def test_a_write_stands_whose_index_is_out_of_reach_and_the_next_makes_up_for_it(
    world: InMemoryWorld, publishing: Publishing, step: str
) -> None:
    world.whenever(failing(step, StoreUnavailable("as the test wants it")))
    assert not publishing.written(IndexChange(scope=COMPANY, base=0, version=1, puts=[TEA]), everything(1, TEA))
    assert world.telemetry.total("errors_total", stage="facts_index") == 1
    both = everything(2, TEA, BOAT)
    assert publishing.written(IndexChange(scope=COMPANY, base=1, version=2, puts=[BOAT]), both)
    assert published(world) == (2, {"Serves tea at four", "Owns a boat"})


def test_an_index_that_has_come_so_far_is_left_alone_and_no_fact_read(
    world: InMemoryWorld, publishing: Publishing
) -> None:
    publishing.catch_up(COMPANY, 2, everything(2, TEA, BOAT))
    publishing.catch_up(COMPANY, 2, never)
    publishing.catch_up(COMPANY, 1, never)
    assert published(world) == (2, {"Serves tea at four", "Owns a boat"})


def test_catching_up_says_when_it_failed(world: InMemoryWorld, publishing: Publishing) -> None:
    world.whenever(failing("before:published.replace", StoreUnavailable("as the test wants it")))
    with pytest.raises(StoreUnavailable):
        publishing.catch_up(COMPANY, 1, everything(1, TEA))


def embed_anew(world: InMemoryWorld, embedder: Embedder | None = None) -> EmbedAnew:
    return EmbedAnew(
        embedder=embedder or InMemoryEmbedder(steps=world.steps, model="newer"),
        facts=world.facts,
        shared_facts=world.shared_facts,
        clock=world.clock,
        telemetry=world.telemetry,
    )


class Choosy(InMemoryEmbedder):
    """Refuses a request that one of some texts is in."""

    def __init__(self, world: InMemoryWorld, *refused: str) -> None:
        super().__init__(steps=world.steps, model="newer")
        self.refused = refused
        self.asked = 0

    def passages(self, texts: Sequence[str], *, seconds_left: float) -> Sequence[Vector]:
        self.asked += 1
        if any(text in self.refused for text in texts):
            raise ModelRejected("as the test wants it")
        return super().passages(texts, seconds_left=seconds_left)


def fill(world: InMemoryWorld, count: int) -> list[Fact]:
    """Facts of the company: every second one has a vector of the model before."""
    old = InMemoryEmbedder(steps=world.steps, model="older")
    facts = [a_fact(f"Rule {number}", COMPANY) for number in range(count)]
    facts = [
        replace(fact, vector=old.query(fact.text, seconds_left=1)) if number % 2 else fact
        for number, fact in enumerate(facts)
    ]
    head = FactsHead()
    for start in range(0, count, 50):
        part = facts[start : start + 50]
        head = world.shared_facts.change(COMPANY, head, part, (), count=head.count + len(part))
    return facts


def models(world: InMemoryWorld) -> list[str | None]:
    return [fact.vector.model if fact.vector else None for fact in world.shared_facts.facts(COMPANY).facts]


def test_every_fact_gets_a_vector_of_the_model_in_force(world: InMemoryWorld) -> None:
    facts = fill(world, FACTS_AT_ONCE + 10)
    assert embed_anew(world).of_shared(COMPANY, 60)
    assert set(models(world)) == {"newer"}
    after = world.shared_facts.facts(COMPANY)
    assert after.head.count == len(facts)
    assert {fact.id: fact.text for fact in after.facts} == {fact.id: fact.text for fact in facts}


def test_where_nothing_waits_nobody_is_asked_and_nothing_written(world: InMemoryWorld) -> None:
    fill(world, 3)
    assert embed_anew(world).of_shared(COMPANY, 60)
    before = world.shared_facts.head(COMPANY)
    steps: list[str] = []
    world.whenever(steps.append)
    assert embed_anew(world).of_shared(COMPANY, 60)
    assert not [step for step in steps if "embedder" in step or "change" in step]
    assert world.shared_facts.head(COMPANY) == before


def test_an_endpoint_that_dies_under_way_loses_nothing_that_was_embedded(world: InMemoryWorld) -> None:
    fill(world, 2 * FACTS_AT_ONCE)
    passed = iter([None, ModelUnavailable("as the test wants it")])

    def hook(step: str) -> None:
        if step == "before:embedder.passages" and (error := next(passed)):
            raise error

    world.whenever(hook)
    with pytest.raises(ModelUnavailable):
        embed_anew(world).of_shared(COMPANY, 60)
    assert models(world).count("newer") == FACTS_AT_ONCE
    world.whenever(lambda _: None)
    assert embed_anew(world).of_shared(COMPANY, 60)
    assert set(models(world)) == {"newer"}


def test_a_fact_that_the_model_refuses_keeps_no_other_from_its_vector(world: InMemoryWorld) -> None:
    fill(world, FACTS_AT_ONCE + 1)
    embedder = Choosy(world, "Rule 3", "Rule 64")
    assert embed_anew(world, embedder).of_shared(COMPANY, 60)
    left = [fact.text for fact in waiting(world.shared_facts.facts(COMPANY).facts, "newer")]
    assert sorted(left) == ["Rule 3", "Rule 64"]
    assert embedder.asked <= 2 + 2 * FACTS_AT_ONCE
    assert world.telemetry.total("embedding_total", outcome="error") == 2


def test_of_many_facts_all_are_read_once(world: InMemoryWorld) -> None:
    fill(world, 3 * FACTS_AT_ONCE)
    steps: list[str] = []
    world.whenever(steps.append)
    assert embed_anew(world).of_shared(COMPANY, 60)
    assert steps.count("before:shared_facts.facts") == 1
    assert steps.count("before:shared_facts.change") == 3


def test_whoever_wrote_first_is_not_overwritten(world: InMemoryWorld) -> None:
    fill(world, 3)
    raced = iter([True])

    def hook(step: str) -> None:
        if step == "before:shared_facts.change" and next(raced, False):
            head = world.shared_facts.head(COMPANY)
            world.shared_facts.change(COMPANY, head, [BOAT], (), count=head.count + 1)

    world.whenever(hook)
    assert embed_anew(world).of_shared(COMPANY, 60)
    facts = world.shared_facts.facts(COMPANY).facts
    assert "Owns a boat" in {fact.text for fact in facts}
    assert models(world) == ["newer"] * 4


def test_it_stops_when_the_time_is_up_and_says_so(world: InMemoryWorld) -> None:
    fill(world, 2 * FACTS_AT_ONCE)
    world.whenever(lambda step: world.clock.advance(30) if step == "after:embedder.passages" else None)
    assert not embed_anew(world).of_shared(COMPANY, 31)
    assert models(world).count("newer") == FACTS_AT_ONCE
    assert embed_anew(world).of_shared(COMPANY, 90)
