"""Where tests find the tokenizer's vocabulary; tiktoken must never go to the network for it."""

from __future__ import annotations

import os
from pathlib import Path

BUILT = Path(__file__).parents[2] / "build" / "tiktoken"


def vocabulary_folder() -> Path:
    """The folder that `TIKTOKEN_CACHE_DIR` names, else the one that the layer build fills.

    Raises:
        FileNotFoundError: the vocabulary has not been built.
    """
    folder = Path(os.environ.get("TIKTOKEN_CACHE_DIR") or BUILT)
    if not (folder.is_dir() and any(folder.iterdir())):
        raise FileNotFoundError(f"The tokenizer's vocabulary is not in {folder}: build it with `make layers`.")
    return folder
