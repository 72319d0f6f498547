"""Where vectors are made: read beside a function's own settings, by those that make or compare vectors."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.facts.embedding import EmbeddingModel
from context_memory.settings.reading import FromEnvironment, variable
from context_memory.settings.values import json_object

if TYPE_CHECKING:
    from collections.abc import Mapping

_KINDS = frozenset({"query", "passage"})


def prefixes(text: str) -> Mapping[str, str]:
    """What the model wants before a text that is looked for (`query`), and before one to be found (`passage`)."""
    named = json_object(json.loads(text))
    if not named.keys() <= _KINDS or not all(isinstance(one, str) for one in named.values()):
        raise ValueError("EMBEDDING_PREFIXES")
    return named


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSettings(FromEnvironment):
    """The model that makes vectors and its endpoint; an empty model means that there are none."""

    embedding_model: str = variable("EMBEDDING_MODEL", default="")
    embedding_base_url: str = variable("EMBEDDING_BASE_URL", default="")
    embedding_prefixes: Mapping[str, str] | None = variable("EMBEDDING_PREFIXES", prefixes, default=None)
    embedding_key_secret_arn: str = variable("EMBEDDING_KEY_SECRET_ARN")

    @property
    def model(self) -> EmbeddingModel:
        """The model as it is asked."""
        named = self.embedding_prefixes or {}
        return EmbeddingModel(
            name=self.embedding_model,
            query_prefix=named.get("query", ""),
            passage_prefix=named.get("passage", ""),
        )
