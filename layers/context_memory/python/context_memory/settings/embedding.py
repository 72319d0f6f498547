"""Where vectors are made: read beside a function's own settings, by those that make or compare vectors."""

from __future__ import annotations

from dataclasses import dataclass

from context_memory.settings.reading import FromEnvironment, variable


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSettings(FromEnvironment):
    """The model that makes vectors and its endpoint; an empty model means that there are none."""

    embedding_model: str = variable("EMBEDDING_MODEL", default="")
    embedding_base_url: str = variable("EMBEDDING_BASE_URL", default="")
    embedding_key_secret_arn: str = variable("EMBEDDING_KEY_SECRET_ARN")
