"""What a recall meets that is behind is told of, searched as far as it goes, and asked for once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.in_memory.embeddings import InMemoryEmbedder
from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.application.recall.mending import AGAIN_AFTER_SECONDS
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.scopes import SharedScope
from context_memory.domain.jobs import JobKind, ScopeJob, UserJob
from context_memory.ports.indexes import MOST_READ_AT_ONCE
from tests.support.recalling import LENA, Recalls

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPANY = SharedScope("acme")
EMBED, PUBLISH = UserJob(kind=JobKind.EMBED, user=LENA), ScopeJob(scope=COMPANY)


@pytest.fixture
def embedding() -> Iterator[Recalls]:
    """Recall in an environment with a model for vectors."""
    world = InMemoryWorld()
    with Recalls(world, world.embedder) as recalls:
        yield recalls


def grow(recalls: Recalls) -> None:
    recalls.share(*(f"Part number {number}." for number in range(MOST_READ_AT_ONCE + 1)))


def test_of_a_large_scope_that_was_never_published_a_part_is_searched_and_the_rest_asked_for(recalls: Recalls) -> None:
    grow(recalls)
    told = recalls.ask("part number")
    assert told["hits"]
    assert told["notes"] == ["shared_facts_incomplete"]
    assert recalls.world.jobs.waiting() == [PUBLISH]
    recalls.published.publish(COMPANY, recalls.world.shared_facts.facts(COMPANY))
    told = recalls.ask("part number")
    assert (bool(told["hits"]), told["notes"]) == (True, [])


def test_the_part_is_read_once_for_each_version(recalls: Recalls) -> None:
    grow(recalls)
    recalls.ask("part number")
    reads: list[str] = []
    recalls.world.whenever(reads.append)
    recalls.ask("part number")
    assert reads.count("before:shared_facts.facts") == 2  # the heads of both shared scopes
    recalls.share("One more.")
    reads.clear()
    recalls.ask("part number")
    assert reads.count("before:shared_facts.facts") == 3


def test_a_large_scope_that_was_written_since_is_searched_as_it_was_and_the_answer_says_so(recalls: Recalls) -> None:
    grow(recalls)
    recalls.published.publish(COMPANY, recalls.world.shared_facts.facts(COMPANY))
    recalls.share("The canteen closes at two.")
    told = recalls.ask("part number 7")
    assert "Part number 7." in {hit["text"] for hit in told["hits"]}
    assert told["notes"] == ["shared_facts_outdated"]
    assert recalls.world.jobs.waiting() == [PUBLISH]


def test_facts_without_vectors_are_asked_for_where_there_is_a_model(embedding: Recalls) -> None:
    embedding.learn("Likes tea.")
    embedding.share("Serves tea.")
    assert embedding.ask("tea")["notes"] == []
    assert set(embedding.world.jobs.waiting()) == {EMBED, PUBLISH}


def test_so_are_facts_with_the_vector_of_another_model(embedding: Recalls) -> None:
    [old] = InMemoryEmbedder(steps=embedding.world.steps, model="older").passages(["Likes tea."], seconds_left=1)
    embedding.learn("Likes tea.", vector=old)
    embedding.ask("tea")
    assert embedding.world.jobs.waiting() == [EMBED]


def test_where_every_fact_has_its_vector_nothing_is_asked_for(embedding: Recalls) -> None:
    [vector] = embedding.world.embedder.passages(["Likes tea."], seconds_left=1)
    embedding.learn("Likes tea.", vector=vector)
    embedding.ask("tea")
    assert embedding.world.jobs.waiting() == []


def test_while_the_endpoint_is_down_or_there_is_none_nobody_asks_for_vectors(
    embedding: Recalls, recalls: Recalls
) -> None:
    def down(step: str) -> None:
        if step == "before:embedder.query":
            raise StoreUnavailable("as the test wants it")

    embedding.world.whenever(down)
    for one in (embedding, recalls):
        one.learn("Likes tea.")
        one.ask("tea")
        assert one.world.jobs.waiting() == []


def test_the_bullets_of_a_profile_need_no_vectors(embedding: Recalls) -> None:
    embedding.learn("Likes tea.")
    embedding.ask("tea", backend="markdown_fts")
    assert embedding.world.jobs.waiting() == []


def test_the_same_job_is_asked_for_once_an_hour(embedding: Recalls) -> None:
    embedding.learn("Likes tea.")
    for _ in range(3):
        embedding.ask("tea")
    assert embedding.world.jobs.waiting() == [EMBED]
    embedding.world.clock.advance(AGAIN_AFTER_SECONDS)
    embedding.ask("tea")
    assert embedding.world.jobs.waiting() == [EMBED] * 2


def test_a_queue_that_is_down_costs_no_answer_and_the_next_recall_asks_again(embedding: Recalls) -> None:
    embedding.learn("Likes tea.")

    def down(step: str) -> None:
        if step == "before:jobs.send":
            raise StoreUnavailable("as the test wants it")

    embedding.world.whenever(down)
    assert embedding.texts("tea") == ["Likes tea."]
    assert embedding.world.telemetry.total("errors_total", stage="facts_index") == 1
    embedding.world.whenever(lambda _: None)
    embedding.ask("tea")
    assert embedding.world.jobs.waiting() == [EMBED]
