from __future__ import annotations

import pytest
from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING

from context_memory.domain.encodings import encoding_for

# What went with completion models that no endpoint serves any more counts as unknown.
STILL_SERVED = {"o200k_base", "o200k_harmony", "cl100k_base"}


@pytest.mark.parametrize(
    ("model", "encoding"),
    [(model, encoding) for model, encoding in MODEL_TO_ENCODING.items() if encoding in STILL_SERVED]
    + [(f"{beginning}:acme" if beginning.startswith("ft:") else f"{beginning}2099", encoding)
       for beginning, encoding in MODEL_PREFIX_TO_ENCODING.items()],
)  # fmt: skip
def test_the_table_says_what_the_tokenizers_own_table_says(model: str, encoding: str) -> None:
    assert encoding_for(model) == encoding


@pytest.mark.parametrize("model", [None, "", "claude-sonnet", "offline-rules", "gpt-9", "my/gpt-4", "gpt-4everyone"])
def test_an_unknown_model_counts_in_the_newest_encoding(model: str | None) -> None:
    assert encoding_for(model) == ("cl100k_base" if model == "my/gpt-4" else "o200k_base")
