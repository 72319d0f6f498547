"""Models that spaces and turns may choose."""

from __future__ import annotations

import json

from context_memory.domain.language_models import AllowedModels
from context_memory.settings.values import json_object, texts


def models_of(text: str) -> AllowedModels:
    """Aliases and models: texts, none of them empty."""
    aliases = json_object(json.loads(text))
    if not texts([*aliases, *aliases.values()]):
        raise ValueError("MODELS")
    return AllowedModels(aliases=aliases)
