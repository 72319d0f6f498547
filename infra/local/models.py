"""Which models answer: those that the caller's environment names, else the ones of this machine."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from infra.local.embeddings import MODEL as EMBEDDINGS
from infra.local.embeddings import PASSAGE, QUERY
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


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingEndpoint:
    """An endpoint of embeddings, its model, and what the model wants before what is asked and what is found.

    The key is that of the language model: endpoints of this machine ask for none.
    """

    base_url: str
    model: str
    prefixes: Mapping[str, str] = field(default_factory=dict)

    @property
    def variables(self) -> Mapping[str, str]:
        """Environment variables of the functions that embed."""
        return {
            "EMBEDDING_BASE_URL": self.base_url,
            "EMBEDDING_MODEL": self.model,
            "EMBEDDING_PREFIXES": json.dumps(dict(self.prefixes)),
        }


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


def named_embeddings(environment: Mapping[str, str], endpoint: ModelEndpoint | None) -> EmbeddingEndpoint | None:
    """The model that CONTEXT_MEMORY_EMBEDDING_MODEL names at the endpoint of the language model, if it names one."""
    model = environment.get("CONTEXT_MEMORY_EMBEDDING_MODEL", "")
    return EmbeddingEndpoint(base_url=endpoint.base_url, model=model) if model and endpoint else None


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


@contextmanager
def local_embeddings(log: Path) -> Iterator[EmbeddingEndpoint]:
    """Run the embedding model of this machine, which needs no key.

    Raises:
        StartFailed: it does not answer.
    """
    port = free_port()
    base_url = f"http://127.0.0.1:{port}/v1"
    arguments = ("infra.local.embeddings", "--port", str(port))
    with stand_in("embedding model", *arguments, asked_at=f"{base_url}/models", log=log):
        yield EmbeddingEndpoint(base_url=base_url, model=EMBEDDINGS, prefixes={"query": QUERY, "passage": PASSAGE})
