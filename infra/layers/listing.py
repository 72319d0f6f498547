"""The contents of layers as lines for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from infra.layers.contents import contents_of
from infra.layers.places import dependencies_layer, own_layer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MB = 1_000_000


def listing(target: str) -> Iterator[str]:
    """Lines about both layers of a target, as far as they are built."""
    for what, layer in (("dependencies", dependencies_layer(target)), ("own code", own_layer(target))):
        if layer.is_dir():
            yield from _lines(f"{target}, {what}", layer)


def _lines(title: str, layer: Path) -> Iterator[str]:
    contents = contents_of(layer)
    yield (
        f"{title}: {contents.unpacked / _MB:.1f} MB unpacked ({contents.byte_code / contents.unpacked:.0%} byte code), "
        f"{contents.zipped / _MB:.1f} MB zipped, {contents.files} files"
    )
    for part in contents.parts:
        yield f"  {part.size / _MB:5.2f} MB  {part.name} {part.version or ''}".rstrip()
