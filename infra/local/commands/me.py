"""`context-memory me`: what a user sees of their own memory, by a token of the local issuer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rich.text import Text

from infra.local.commands.shared import add_person, connect, own_token
from infra.local.screen import show_memory

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

HELP = "show what a user sees of their own memory"


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_person(parser)


def run(arguments: argparse.Namespace, screen: Console) -> int:
    """Make a token, ask with it, show; 0.

    Raises:
        UsageError: nobody's token may speak for the company.
    """
    with connect(arguments) as client:
        seen = client.own_memory(own_token(client, arguments.user, arguments.company))
    if arguments.json:
        print(json.dumps(seen, ensure_ascii=False, indent=2))
        return 0
    if not seen["enabled"]:
        screen.print(Text(f"This memory is not used: {seen['reason']}.", style="yellow"))
    if any(section["bullets"] for section in seen["sections"]):
        show_memory(screen, seen["memory"])
    else:
        screen.print(Text("Nothing is remembered yet.", style="cyan"))
    return 0
