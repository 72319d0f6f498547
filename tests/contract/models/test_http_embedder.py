"""The embedder against a scripted endpoint over real HTTP: what is sent, read and raised."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.http_embedder import LONGEST_TEXT, MAX_TRIES, TEXTS_AT_ONCE, HttpEmbedder
from context_memory.domain.errors import (
    ContextMemoryError,
    ModelAccessDenied,
    ModelRejected,
    ModelServerError,
    ModelUnavailable,
)
from context_memory.domain.facts.embedding import EmbeddingModel
from context_memory.domain.facts.vectors import quantised
from tests.support import model_calls
from tests.support import scripted_answers as answers
from tests.support.model_calls import CANARY, KEY, SteppingClock
from tests.support.scripted_answers import Answer

if TYPE_CHECKING:
    from tests.support.scripted_model import Asked, ScriptedModel

PLAIN = EmbeddingModel(name="small-1")
VECTOR = answers.embeddings([0.5, -1.0])


type Maker = Callable[..., HttpEmbedder]


@pytest.fixture
def make(server: ScriptedModel, clock: SteppingClock) -> Iterator[Maker]:
    made: list[HttpEmbedder] = []

    def make(
        model: EmbeddingModel = PLAIN,
        *,
        base_url: str | None = None,
        key: Callable[[], str] = lambda: KEY,
    ) -> HttpEmbedder:
        made.append(
            HttpEmbedder(
                model=model,
                base_url=base_url or server.base_url,
                api_key=key,
                clock=clock,
                sleep=clock.sleep,
                jitter=lambda: 0.0,
            )
        )
        return made[-1]

    yield make
    for embedder in made:
        embedder.close()


def refused(embedder: HttpEmbedder, seconds_left: float = 30.0) -> ContextMemoryError:
    return model_calls.refused(lambda: embedder.query(CANARY, seconds_left=seconds_left))


# What is sent


def test_a_call_says_its_model_its_purpose_and_its_key(server: ScriptedModel, make: Maker) -> None:
    server.queue("embedding", VECTOR)
    make().query(CANARY, seconds_left=5)
    [asked] = server.asked()
    assert asked.path == "/v1/embeddings"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert dict(asked.body) == {"model": "small-1", "input": [CANARY]}


def test_a_model_that_wants_prefixes_and_fewer_dimensions_gets_them(server: ScriptedModel, make: Maker) -> None:
    wanted = EmbeddingModel(name="e5", query_prefix="query: ", passage_prefix="passage: ", dimensions=2)
    embedder = make(wanted)
    server.queue("embedding", VECTOR, VECTOR)
    embedder.query("tea", seconds_left=5)
    embedder.passages(["drinks tea"], seconds_left=5)
    assert [asked.body["input"] for asked in server.asked()] == [["query: tea"], ["passage: drinks tea"]]
    assert [asked.body["dimensions"] for asked in server.asked()] == [2, 2]
    assert embedder.model.startswith("e5#")


def test_many_texts_go_in_batches_and_come_back_in_order(server: ScriptedModel, make: Maker) -> None:
    def numbered(asked: Asked) -> Answer:
        return answers.embeddings(*([float(text), 127.0] for text in asked.body["input"]))

    server.script("embedding", numbered)
    vectors = make().passages([str(number) for number in range(100)], seconds_left=5)
    assert [len(asked.body["input"]) for asked in server.asked()] == [TEXTS_AT_ONCE, 100 - TEXTS_AT_ONCE]
    assert [(vector.model, vector.values) for vector in vectors] == [
        (vector.model, quantised(vector.model, [float(number), 127.0]).values) for number, vector in enumerate(vectors)
    ]


def test_long_texts_are_cut_and_lone_surrogates_dropped(server: ScriptedModel, make: Maker) -> None:
    server.queue("embedding", VECTOR, VECTOR)
    embedder = make()
    embedder.query("tea " * 10_000, seconds_left=5)
    embedder.query("a\ud800b", seconds_left=5)
    long, odd = (asked.body["input"][0] for asked in server.asked())
    assert len(long) == LONGEST_TEXT
    assert odd == "ab"


def test_a_redirect_is_not_followed_with_the_key(server: ScriptedModel, make: Maker) -> None:
    elsewhere = Answer(status=307, headers={"Location": f"{server.base_url}/elsewhere"})
    server.script("embedding", lambda _: elsewhere)
    assert isinstance(refused(make()), ModelUnavailable)
    assert {asked.path for asked in server.asked()} == {"/v1/embeddings"}


# What is read


def test_entries_may_come_in_any_order(server: ScriptedModel, make: Maker) -> None:
    data = [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]
    server.queue("embedding", answers.of_json({"data": data}))
    first, second = make().passages(["one", "two"], seconds_left=5)
    assert (first.components[0] > 0, first.components[1], second.components[0]) == (True, 0, 0)
    assert second.components[1] == first.components[0]


@pytest.mark.parametrize(
    "answer",
    [
        answers.broken(500),
        answers.html(200),
        answers.of_json([]),
        answers.of_json({"data": None}),
        answers.of_json({"data": ["x"]}),
        answers.embeddings(),
        answers.embeddings([1.0], [1.0]),
        answers.embeddings([]),
        answers.embeddings([0.0, 0.0]),
        answers.of_json({"data": [{"index": 1, "embedding": [1.0]}]}),
        answers.of_json({"data": [{"index": True, "embedding": [1.0]}]}),
        answers.of_json({"data": [{"index": 0, "embedding": ["1.0"]}]}),
        answers.of_json({"data": [{"index": 0, "embedding": [float("nan")]}]}),
        answers.of_json({"data": [{"index": 0, "embedding": [10**400]}]}),
        Answer(body=b"[" * 100_000),
    ],
)
def test_what_is_no_answer_is_asked_for_again_and_then_told(
    server: ScriptedModel, make: Maker, clock: SteppingClock, answer: Answer
) -> None:
    server.queue("embedding", *[answer] * MAX_TRIES)
    assert isinstance(refused(make()), ModelServerError)
    assert clock.pauses == [0.5, 1.0]


def test_vectors_of_different_sizes_are_no_answer(server: ScriptedModel, make: Maker) -> None:
    server.queue("embedding", *[answers.embeddings([1.0], [1.0, 2.0])] * MAX_TRIES)
    with pytest.raises(ModelServerError):
        make().passages(["one", "two"], seconds_left=30)


# What is raised


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (answers.denied(401), ModelAccessDenied),
        (answers.unknown_model(), ModelAccessDenied),
        (answers.too_long(), ModelRejected),
        (answers.error(422), ModelRejected),
        (answers.error(400, {"message": f"cannot embed {CANARY}"}), ModelRejected),
    ],
)
def test_what_cannot_go_better_is_asked_once(
    server: ScriptedModel, make: Maker, answer: Answer, kind: type[Exception]
) -> None:
    server.queue("embedding", answer)
    assert isinstance(refused(make()), kind)
    assert len(server.asked()) == 1


def test_an_endpoint_that_recovers_is_forgiven(server: ScriptedModel, make: Maker) -> None:
    server.queue("embedding", answers.broken(503), Answer(hangs_up=True), VECTOR)
    found = make().query(CANARY, seconds_left=30)
    assert found == quantised(found.model, [0.5, -1.0])


def test_an_endpoint_that_asks_to_wait_is_waited_for_where_the_time_allows(
    server: ScriptedModel, make: Maker, clock: SteppingClock
) -> None:
    server.queue("embedding", answers.slow_down("2"), VECTOR)
    make().query(CANARY, seconds_left=30)
    assert clock.pauses == [2.0]
    server.queue("embedding", answers.slow_down("60"))
    error = refused(make(), seconds_left=5)
    assert isinstance(error, ModelUnavailable)
    assert error.retry_after == 60
    assert clock.pauses == [2.0]


@pytest.mark.parametrize("answer", [answers.hang(), VECTOR.dripping(0.02)])
def test_silence_and_drips_end_at_the_deadline(server: ScriptedModel, make: Maker, answer: Answer) -> None:
    server.queue("embedding", answer)
    before = time.monotonic()
    assert isinstance(refused(make(), seconds_left=0.3), ModelUnavailable)
    assert time.monotonic() - before < 1.5


def test_nobody_listening_is_out_of_reach(make: Maker) -> None:
    assert isinstance(refused(make(base_url="http://127.0.0.1:9/v1")), ModelUnavailable)


def test_no_time_left_asks_nobody(server: ScriptedModel, make: Maker) -> None:
    assert isinstance(refused(make(), seconds_left=0.0), ModelUnavailable)
    assert server.asked() == ()


def test_a_key_that_no_header_can_carry_is_never_quoted(server: ScriptedModel, make: Maker) -> None:
    assert isinstance(refused(make(key=lambda: f"{KEY}\nx")), ModelAccessDenied)
    assert server.asked() == ()
