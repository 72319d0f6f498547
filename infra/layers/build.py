"""Builds the layers of one target."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from infra.layers.cache import built_once, fingerprint, source_files
from infra.layers.places import OWN_SOURCE, VOCABULARY, dependencies_layer, own_layer
from infra.layers.strip import strip
from infra.layers.uv import uv
from infra.layers.vocabulary import build_vocabulary, vocabulary_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from infra.layers.targets import Target


def build(target: Target, say: Callable[[str], None]) -> None:
    """Build what is missing or stale of the vocabulary and both layers, telling `say` of each.

    Raises:
        UvError: a package has no wheel for the target, or cannot be fetched.
        VocabularyMismatch: the vocabulary is not the one that tiktoken expects.
    """
    _tell(say, build_vocabulary(), "tokenizer's vocabulary")
    _tell(say, _build_dependencies(target), f"dependencies for {target.name} (Python {target.version})")
    _tell(say, _build_own(target), f"own code for {target.name}")


def _tell(say: Callable[[str], None], was_built: bool, what: str) -> None:  # noqa: FBT001 - private, and read beside its call
    say(f"layers: {what}: {'built' if was_built else 'up to date'}")


def _build_dependencies(target: Target) -> bool:
    requirements = uv("export", "--frozen", "--no-default-groups", "--no-emit-project", "--no-header", "--quiet")
    key = fingerprint(requirements, repr(target), vocabulary_key(), files=Path(__file__).parent.glob("*.py"))

    def fill(layer: Path) -> None:
        packages, listed = layer / "python", layer.with_name("requirements.txt")
        listed.write_text(requirements)
        foreign = ["--python-platform", target.platform] if target.platform else []
        uv(
            *[
                "pip",
                "install",
                "--quiet",
                "--link-mode",
                "copy",
                "--no-deps",
                "--require-hashes",
                "--only-binary",
                ":all:",
            ],
            *["--python", str(target.python), "--python-version", target.version, *foreign],
            *["--target", str(packages), "--requirements", str(listed)],
        )
        strip(packages)
        _compile(target, packages)
        shutil.copytree(VOCABULARY, layer / "tiktoken")

    return built_once(dependencies_layer(target.name), key, fill)


def _build_own(target: Target) -> bool:
    key = fingerprint(repr(target), files=source_files(OWN_SOURCE))

    def fill(layer: Path) -> None:
        shutil.copytree(OWN_SOURCE, layer / "python", ignore=shutil.ignore_patterns("__pycache__", "py.typed"))
        _compile(target, layer / "python")

    return built_once(own_layer(target.name), key, fill)


def _compile(target: Target, folder: Path) -> None:
    # Unchecked: zips and unpacking reset the times of files, and byte code that looks stale is compiled anew at each
    # cold start. Relative to `/opt` so that no path of this machine stands in tracebacks or in the hash of the layer.
    subprocess.run(  # noqa: S603 - the interpreter of the target
        [
            *[str(target.python), "-m", "compileall", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash"],
            *["-s", str(folder.parent), "-p", "/opt", str(folder)],
        ],
        check=True,
    )
