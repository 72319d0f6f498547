"""The OpenAI-compatible interface over the rules."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from infra.local.model_server import BadRequestError, ModelServer
from infra.local.offline_model import MODEL
from infra.local.offline_model.answers import answer
from infra.local.offline_model.usage import rough_tokens


class OfflineModel(ModelServer):
    """The server as a context: listening inside, gone outside. Port 0 takes a free one."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        super().__init__(
            model=MODEL,
            about="a stand-in by rules, no language model",
            route="/v1/chat/completions",
            reply=completion,
            host=host,
            port=port,
        )


def completion(request: Any, purpose: str) -> dict[str, Any]:  # noqa: ANN401 (parsed JSON is anything until checked)
    """Answer one chat completion request, the same for the same request.

    Raises:
        BadRequestError: no messages, or a stream is asked for.
    """
    messages = request.get("messages") if isinstance(request, dict) else None
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise BadRequestError("messages must be a list of objects")
    if request.get("stream"):
        raise BadRequestError("streaming is not offered")
    asked = [_text(message.get("content")) for message in messages]
    last = next(
        (text for message, text in zip(messages[::-1], asked[::-1], strict=True) if message.get("role") == "user"), ""
    )
    content = answer(purpose, last)
    sent, said = rough_tokens("\n".join(asked)), rough_tokens(content)
    return {
        "id": f"chatcmpl-{hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()[:24]}",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": sent,
            "completion_tokens": said,
            "total_tokens": sent + said,
            "prompt_tokens_details": {"cached_tokens": 0},
        },
    }


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""
