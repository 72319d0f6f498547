"""What a built layer holds: its packages, their versions and sizes."""

from __future__ import annotations

import zlib
from collections import defaultdict
from dataclasses import dataclass
from importlib.metadata import distributions, packages_distributions
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_METADATA = ".dist-info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A package, or a folder beside the packages (then `version` is None); `size` in bytes, unpacked."""

    name: str
    version: str | None
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """A layer's parts, largest first; sizes in bytes, `zipped` as AWS is sent it, `byte_code` unpacked."""

    parts: tuple[Part, ...]
    files: int
    unpacked: int
    zipped: int
    byte_code: int


def contents_of(layer: Path) -> Contents:
    """Look into a layer that was built."""
    files = [file for file in layer.rglob("*") if file.is_file()]
    sizes = {file: file.stat().st_size for file in files}
    return Contents(
        parts=_parts(layer, sizes),
        files=len(files),
        unpacked=sum(sizes.values()),
        zipped=sum(len(zlib.compress(file.read_bytes())) for file in files),
        byte_code=sum(size for file, size in sizes.items() if file.suffix == ".pyc"),
    )


def _parts(layer: Path, sizes: dict[Path, int]) -> tuple[Part, ...]:
    packages = layer / "python"
    versions = {_plain(found.name): found.version for found in distributions(path=[str(packages)])}
    total: dict[str, int] = defaultdict(int)
    owners = packages_distributions()
    for file, size in sizes.items():
        folder, *inside = file.relative_to(layer).parts
        total[_owner(inside, owners, versions) if folder == packages.name else f"{folder}/"] += size
    found = (Part(name=name, version=versions.get(name), size=size) for name, size in total.items())
    return tuple(sorted(found, key=lambda part: (-part.size, part.name)))


def _owner(path: list[str], owners: Mapping[str, list[str]], versions: Iterable[str]) -> str:
    """The distribution that a file belongs to, by its folder's name or by what our own environment knows of it."""
    if path[0] == "__pycache__":
        return _owner([path[1].partition(".")[0]], owners, versions)
    if path[0].endswith(_METADATA):
        return _plain(path[0].removesuffix(_METADATA).rpartition("-")[0])
    module = path[0].partition(".")[0]
    return next((name for name in map(_plain, owners.get(module, ())) if name in versions), module)


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")
