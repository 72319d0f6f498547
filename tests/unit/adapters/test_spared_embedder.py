"""An endpoint that is down costs the first question its time, and not those right behind it."""

from __future__ import annotations

import pytest

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.adapters.spared_embedder import SPARED_SECONDS, SparedEmbedder
from context_memory.domain.errors import ModelRejected, ModelUnavailable


class Down:
    """A hook that lets every question, and every text, fail."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.asked = 0

    def __call__(self, step: str) -> None:
        if step.startswith("before:embedder."):
            self.asked += 1
            raise self.error


@pytest.fixture
def world() -> InMemoryWorld:
    return InMemoryWorld()


@pytest.fixture
def embedder(world: InMemoryWorld) -> SparedEmbedder:
    return SparedEmbedder(world.embedder, clock=world.clock)


def test_vectors_pass(world: InMemoryWorld, embedder: SparedEmbedder) -> None:
    assert embedder.model == world.embedder.model
    assert embedder.query("tea", seconds_left=1) == world.embedder.query("tea", seconds_left=1)
    assert len(embedder.passages(["tea", "boat"], seconds_left=1)) == 2


def test_questions_leave_a_silent_endpoint_alone_for_a_while(world: InMemoryWorld, embedder: SparedEmbedder) -> None:
    down = Down(ModelUnavailable("as the test wants it"))
    world.whenever(down)
    for _ in range(3):
        with pytest.raises(ModelUnavailable):
            embedder.query("tea", seconds_left=1)
    assert down.asked == 1
    world.clock.advance(SPARED_SECONDS)
    world.whenever(lambda _: None)
    embedder.query("tea", seconds_left=1)


def test_a_text_that_the_model_rejects_keeps_no_other_from_being_asked(
    world: InMemoryWorld, embedder: SparedEmbedder
) -> None:
    down = Down(ModelRejected("length"))
    world.whenever(down)
    for _ in range(2):
        with pytest.raises(ModelRejected):
            embedder.query("tea", seconds_left=1)
    assert down.asked == 2


def test_whoever_embeds_facts_is_never_turned_away(world: InMemoryWorld, embedder: SparedEmbedder) -> None:
    down = Down(ModelUnavailable("as the test wants it"))
    world.whenever(down)
    for ask in (lambda: embedder.query("tea", seconds_left=1), lambda: embedder.passages(["tea"], seconds_left=1)):
        with pytest.raises(ModelUnavailable):
            ask()
    assert down.asked == 2
