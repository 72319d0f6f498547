"""What the tests of vendor adapters share."""

from __future__ import annotations

import os

import pytest

from context_memory.adapters.tiktoken_tokenizer import TiktokenTokenizer
from tests.support.vocabulary import vocabulary_folder


@pytest.fixture(scope="session", params=["o200k_base", "cl100k_base"])
def tokenizer(request: pytest.FixtureRequest) -> TiktokenTokenizer:
    """The real tokenizer; fails when the vocabulary has not been built."""
    os.environ["TIKTOKEN_CACHE_DIR"] = str(vocabulary_folder())
    return TiktokenTokenizer(request.param)
