"""The embedding model of this machine, asked as the service asks it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import httpx
import pytest
from openai import OpenAI

from context_memory.adapters.http_embedder import HttpEmbedder
from context_memory.adapters.system import SystemClock
from context_memory.domain.facts import embedding
from context_memory.domain.facts.vectors import cosine
from infra.local.embeddings import MODEL, PASSAGE, QUERY
from infra.local.embeddings.server import EmbeddingModel

if TYPE_CHECKING:
    from collections.abc import Iterator

FACTS = ("My dentist is Dr. Keller in Bern.", "I am allergic to peanuts.", "我每天早上跑步。")


@pytest.fixture(scope="module")
def model() -> Iterator[EmbeddingModel]:
    with EmbeddingModel() as running:
        yield running


@pytest.fixture(scope="module")
def embedder(model: EmbeddingModel) -> Iterator[HttpEmbedder]:
    asked_as = embedding.EmbeddingModel(name=MODEL, query_prefix=QUERY, passage_prefix=PASSAGE)
    made = HttpEmbedder(model=asked_as, base_url=model.base_url, api_key=str, clock=SystemClock())
    yield made
    made.close()


@pytest.mark.parametrize(
    ("question", "found"),
    [("Who takes care of her teeth?", 0), ("What food could harm them?", 1), ("What does he do every morning?", 2)],
)
def test_a_question_finds_its_fact_without_a_common_word(embedder: HttpEmbedder, question: str, found: int) -> None:
    asked = embedder.query(question, seconds_left=30)
    likeness = [cosine(asked, vector) for vector in embedder.passages(FACTS, seconds_left=30)]
    assert likeness.index(max(likeness)) == found


def test_one_byte_a_dimension_keeps_the_direction(model: EmbeddingModel, embedder: HttpEmbedder) -> None:
    with OpenAI(base_url=model.base_url, api_key="none") as client:
        [exact] = client.embeddings.create(model=MODEL, input=f"{PASSAGE}{FACTS[0]}", encoding_format="float").data
    [kept] = embedder.passages(FACTS[:1], seconds_left=30)
    length = sum(value * value for value in kept.components) ** 0.5
    assert sum(a * b / length for a, b in zip(exact.embedding, kept.components, strict=True)) > 0.999


def test_the_same_text_gets_the_same_vector_from_every_thread(embedder: HttpEmbedder) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(lambda _: embedder.query("tea", seconds_left=30), range(8)))) == 1


@pytest.mark.parametrize("body", [{}, {"input": []}, {"input": [1]}, {"input": "without a prefix"}])
def test_what_it_cannot_embed_is_refused(model: EmbeddingModel, body: dict[str, object]) -> None:
    assert httpx.post(f"{model.base_url}/embeddings", json=body).status_code == 400
