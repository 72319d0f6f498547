"""`receipt-key`: the public key with which anybody can check receipts of erasures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from infra.receipts import public_key

if TYPE_CHECKING:
    import argparse

    from infra.operate.target import Target

HELP = "print the public key that checks receipts of erasures, as PEM"


def add(parser: argparse.ArgumentParser) -> None:
    """No arguments."""
    del parser


def run(arguments: argparse.Namespace, target: Target) -> int:
    """Print it."""
    del arguments
    print(public_key(target).decode(), end="")
    return 0
