"""`python -m infra.layers host|aws|list`."""

from __future__ import annotations

import sys

from infra.layers.build import build
from infra.layers.listing import listing
from infra.layers.targets import BuildError, aws, host
from infra.layers.uv import UvError
from infra.layers.vocabulary import VocabularyMismatch

_TARGETS = {"host": host, "aws": aws}


def main(arguments: list[str]) -> int:
    """Build the layers of the targets named, or list what is in those that are built; returns the exit code."""
    if arguments == ["list"]:
        sys.stdout.writelines(f"{line}\n" for name in _TARGETS for line in listing(name))
        return 0
    if not arguments or not set(arguments) <= set(_TARGETS):
        sys.stderr.write("usage: python -m infra.layers host|aws …, or list\n")
        return 2
    try:
        for name in arguments:
            build(_TARGETS[name](), _say)
    except (BuildError, UvError, VocabularyMismatch) as error:
        sys.stderr.write(f"layers: {error}\n")
        return 1
    return 0


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
