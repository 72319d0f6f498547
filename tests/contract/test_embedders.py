"""Both embedders, the twin and the one over HTTP: the same texts get the same vectors, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.http_embedder import HttpEmbedder
from context_memory.adapters.in_memory.embeddings import InMemoryEmbedder, hashed_words
from context_memory.adapters.in_memory.steps import Steps
from context_memory.adapters.system import SystemClock
from context_memory.domain.facts.embedding import EmbeddingModel
from context_memory.domain.facts.vectors import cosine
from tests.support import scripted_answers as answers
from tests.support.scripted_model import Asked, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.ports.recall import Embedder
    from tests.support.scripted_answers import Answer


@pytest.fixture(params=["in_memory", "http"])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    if request.param == "in_memory":
        yield InMemoryEmbedder(steps=Steps())
        return

    def embedded(asked: Asked) -> Answer:
        return answers.embeddings(*map(hashed_words, asked.body["input"]))

    with ScriptedModel() as server:
        server.script("embedding", embedded)
        made = HttpEmbedder(
            model=EmbeddingModel(name="hashed-words"), base_url=server.base_url, api_key=str, clock=SystemClock()
        )
        yield made
        made.close()


def test_vectors_carry_the_name_of_their_model(embedder: Embedder) -> None:
    assert embedder.query("tea", seconds_left=5).model == embedder.model == "hashed-words"


def test_vectors_come_in_the_order_of_their_texts(embedder: Embedder) -> None:
    texts = [f"word{number} of many" for number in range(150)]
    one_by_one = [embedder.passages([text], seconds_left=5)[0] for text in texts[:3] + texts[-3:]]
    together = embedder.passages(texts, seconds_left=5)
    assert len(together) == len(texts)
    assert [*together[:3], *together[-3:]] == one_by_one


def test_a_question_is_nearest_to_the_text_that_shares_its_words(embedder: Embedder) -> None:
    tea, boat = embedder.passages(["drinks green tea", "sails a small boat"], seconds_left=5)
    question = embedder.query("which green tea", seconds_left=5)
    assert cosine(question, tea) > cosine(question, boat)


def test_no_texts_have_no_vectors(embedder: Embedder) -> None:
    assert list(embedder.passages([], seconds_left=5)) == []
