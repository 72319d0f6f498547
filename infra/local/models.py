"""Which language model answers: the one that the caller's environment names, else the offline model."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infra.local.offline_model import MODEL as OFFLINE
from infra.local.processes import free_port
from infra.local.stand_ins import stand_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


class ModelNotNamed(Exception):
    """An endpoint or key is given, but no model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEndpoint:
    """An OpenAI-compatible endpoint (empty address: the provider's own), its key and the model for every call."""

    base_url: str
    api_key: str
    model: str


def named_endpoint(environment: Mapping[str, str]) -> ModelEndpoint | None:
    """The endpoint that OPENAI_BASE_URL, OPENAI_API_KEY and CONTEXT_MEMORY_MODEL name; None when neither first is set.

    Raises:
        ModelNotNamed: CONTEXT_MEMORY_MODEL is missing.
    """
    base_url, api_key = environment.get("OPENAI_BASE_URL", ""), environment.get("OPENAI_API_KEY", "")
    if not (base_url or api_key):
        return None
    model = environment.get("CONTEXT_MEMORY_MODEL", "")
    if not model:
        raise ModelNotNamed("OPENAI_BASE_URL or OPENAI_API_KEY is set: say which model in CONTEXT_MEMORY_MODEL.")
    # Local servers ask for no key, but the client does.
    return ModelEndpoint(base_url=base_url, api_key=api_key or "none", model=model)


@contextmanager
def offline_model(log: Path) -> Iterator[ModelEndpoint]:
    """Run the offline model, a stand-in that answers by rules and needs no key.

    Raises:
        StartFailed: it does not answer.
    """
    port = free_port()
    base_url = f"http://127.0.0.1:{port}/v1"
    arguments = ("infra.local.offline_model", "--port", str(port))
    with stand_in("offline model", *arguments, asked_at=f"{base_url}/models", log=log):
        yield ModelEndpoint(base_url=base_url, api_key=OFFLINE, model=OFFLINE)
