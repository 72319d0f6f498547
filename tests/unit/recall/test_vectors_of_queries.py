"""The endpoint of embeddings beside recall: asked early, waited for briefly, missed with a word."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.in_memory.embeddings import InMemoryEmbedder
from context_memory.adapters.in_memory.telemetry import RecordingTelemetry
from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.adapters.system import SystemClock
from context_memory.application.recall.vectors import QueryVectors
from context_memory.domain.errors import ModelAccessDenied, ModelRejected, ModelServerError, ModelUnavailable
from tests.support.recalling import Recalls

if TYPE_CHECKING:
    from context_memory.domain.facts.vectors import Vector

FAULTS = [ModelUnavailable, ModelServerError, ModelAccessDenied, ModelRejected]


@pytest.fixture
def world() -> InMemoryWorld:
    return InMemoryWorld()


def test_with_an_endpoint_facts_are_found_by_meaning_too(world: InMemoryWorld) -> None:
    with Recalls(world, world.embedder) as recalls:
        [vector] = world.embedder.passages(["Lives in Basel."], seconds_left=1)
        recalls.learn("Lives in Basel.", vector=vector)
        (hit,) = recalls.ask("Lives in Basel.")["hits"]
    assert set(hit["why"]) == {"keywords", "meaning"}
    assert world.telemetry.total("embedding_total", outcome="success") == 1


@pytest.mark.parametrize("fault", FAULTS)
def test_without_the_endpoint_words_find_facts_and_the_answer_says_so(
    world: InMemoryWorld, fault: type[Exception]
) -> None:
    def down(step: str) -> None:
        if step.startswith("before:embedder"):
            raise fault("The endpoint is down.")

    world.whenever(down)
    with Recalls(world, world.embedder) as recalls:
        recalls.learn("Lives in Basel.")
        told = recalls.ask("Basel")
    assert ([hit["text"] for hit in told["hits"]], told["notes"]) == (["Lives in Basel."], ["embedding_unavailable"])
    assert world.telemetry.total("embedding_total", outcome="error") == 1
    assert world.telemetry.total("recall_failed") == 0


def test_nobody_waits_for_an_endpoint_that_is_slow() -> None:
    answered, telemetry = Event(), RecordingTelemetry()

    class Slow(InMemoryEmbedder):
        def query(self, text: str, *, seconds_left: float) -> Vector:
            answered.wait(10)
            return super().query(text, seconds_left=seconds_left)

    slow = Slow(steps=InMemoryWorld().steps)
    with ThreadPoolExecutor() as executor:
        vectors = QueryVectors(
            embedder=slow, executor=executor, clock=SystemClock(), telemetry=telemetry, most_seconds=0.05
        )
        asked = vectors.ahead("Basel")
        assert asked is not None
        assert asked.result() is None
        answered.set()
    assert [line.fields["error_type"] for line in telemetry.lines] == ["ModelUnavailable"]


@pytest.mark.parametrize("query", ["", " \n"])
def test_a_blank_query_is_no_question_to_anybody(world: InMemoryWorld, query: str) -> None:
    steps: list[str] = []
    world.whenever(steps.append)
    with Recalls(world, world.embedder) as recalls:
        assert recalls.ask(query)["notes"] == []
    assert not [step for step in steps if "embedder" in step]


def test_an_earlier_answer_of_the_prompt_waits_for_no_vector(world: InMemoryWorld) -> None:
    with Recalls(world, world.embedder) as recalls:
        recalls.learn("Lives in Basel.")
        recalls.ask("Basel", prompt_id="p1")
        counted = world.telemetry.total("embedding_total")
        assert recalls.ask("Basel", prompt_id="p1")["cached"]
        assert world.telemetry.total("embedding_total") == counted
