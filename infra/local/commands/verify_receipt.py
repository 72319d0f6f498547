"""`context-memory verify-receipt`: is the receipt of an erase whole, and what does it attest?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError
from rich.text import Text

from infra.local.commands.shared import UsageError
from infra.local.paths import OUTPUTS
from infra.operate.target import TargetError, target
from infra.receipts import ReceiptError, attested, checked, public_key

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

HELP = "check the receipt of an erase, and say what it attests"

_TAMPERED = 1


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("file", type=Path, help="the receipt as JSON")
    known = parser.add_mutually_exclusive_group(required=True)
    known.add_argument("--key", type=Path, help="public key as PEM (`operate receipt-key` prints it)")
    known.add_argument("--env", help="environment whose key is asked for; `local` is the one on this machine")
    parser.add_argument("--outputs", type=Path, default=OUTPUTS, help="folder of the local environment's outputs")


def run(arguments: argparse.Namespace, screen: Console) -> int:
    """Check and show; 0 when it is whole, 1 when it is not.

    Raises:
        UsageError: the file or the key cannot be had.
    """
    try:
        document, key = arguments.file.read_bytes(), _key(arguments)
    except (OSError, TargetError, BotoCoreError, ClientError) as error:
        raise UsageError(str(error)) from error
    try:
        receipt = checked(document, key)
    except ReceiptError as error:
        sys.stderr.write(f"context-memory: this receipt attests nothing: {error}\n")
        return _TAMPERED
    for line in attested(receipt):
        screen.print(Text(line))
    return 0


def _key(arguments: argparse.Namespace) -> bytes:
    if arguments.key:
        found: bytes = arguments.key.read_bytes()
        return found
    return public_key(target(arguments.env, arguments.outputs))
