from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import httpx
import pytest
from openai import OpenAI

from infra.local.offline_model import MODEL
from infra.local.offline_model.server import OfflineModel

if TYPE_CHECKING:
    from collections.abc import Iterator

PROMPT = "<evidence-0a1b2c3d>\nI live in Bern.\n</evidence-0a1b2c3d>"


@pytest.fixture(scope="module")
def model() -> Iterator[OfflineModel]:
    with OfflineModel() as running:
        yield running


def request(purpose: str, text: str = PROMPT) -> dict[str, object]:
    return {
        "headers": {"x-context-memory-purpose": purpose},
        "json": {"model": "any", "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": text}]},
    }


def test_the_openai_client_gets_a_completion_with_usage(model: OfflineModel) -> None:
    with OpenAI(base_url=model.base_url, api_key="none") as client:
        reply = client.chat.completions.create(
            model=MODEL,
            messages=[{"role": "user", "content": [{"type": "text", "text": PROMPT}]}],
            extra_headers={"x-context-memory-purpose": "gate"},
        )
        assert [known.id for known in client.models.list()] == [MODEL]
    assert reply.choices[0].message.content == "UPDATE"
    assert reply.choices[0].finish_reason == "stop"
    assert reply.model == MODEL
    assert reply.usage is not None
    assert reply.usage.prompt_tokens > reply.usage.completion_tokens > 0


def test_the_purpose_header_tells_the_calls_apart(model: OfflineModel) -> None:
    url = f"{model.base_url}/chat/completions"
    said = [
        httpx.post(url, **request(purpose)).json()["choices"][0]["message"]["content"]  # type: ignore[arg-type] # keyword arguments from one place
        for purpose in ("gate", "consolidation", "scrub")
    ]
    assert said[0] == "UPDATE"
    assert "- Lives in Bern." in said[1]
    assert said[2] == "CLEAN"


def test_the_same_request_gets_the_same_answer_from_every_thread(model: OfflineModel) -> None:
    def ask(_: int) -> bytes:
        return httpx.post(f"{model.base_url}/chat/completions", **request("consolidation")).content  # type: ignore[arg-type] # keyword arguments from one place

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ask, range(16)))) == 1


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"no json", "no JSON"),
        (b"[]", "messages must be a list of objects"),
        (b'{"messages": "hi"}', "messages must be a list of objects"),
        (b'{"messages": [], "stream": true}', "streaming is not offered"),
    ],
)
def test_a_bad_request_is_refused_in_the_shape_that_clients_know(model: OfflineModel, body: bytes, why: str) -> None:
    reply = httpx.post(f"{model.base_url}/chat/completions", content=body)
    assert reply.status_code == 400
    assert reply.json()["error"]["message"] == why


def test_health_says_what_it_is_and_other_routes_do_not_exist(model: OfflineModel) -> None:
    root = model.base_url.removesuffix("/v1")
    assert httpx.get(f"{root}/health").json()["about"] == "a stand-in by rules, no language model"
    assert httpx.get(f"{root}/v2").status_code == 404
    assert httpx.post(f"{root}/v1/embeddings", json={}).status_code == 404
