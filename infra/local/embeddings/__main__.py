"""`python -m infra.local.embeddings --port N`: serve until told to stop."""

from __future__ import annotations

from infra.local.embeddings.server import EmbeddingModel
from infra.local.model_server import serve

if __name__ == "__main__":
    raise SystemExit(serve("infra.local.embeddings", EmbeddingModel))
