"""`context-memory me`: what a user sees of their own memory, by a token of the local issuer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rich.text import Text

from infra.local.commands.shared import UsageError, add_place, connect
from infra.local.screen import show_memory
from infra.local.token import NoAudience, access_token

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from infra.local.client import Client

HELP = "show what a user sees of their own memory"


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("--user", default="me", help="the user's id (default: %(default)s)")
    parser.add_argument("--company", help="the user's company (default: the environment's)")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    add_place(parser)


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


def own_token(client: Client, user_id: str, company_id: str | None) -> str:
    """A token by which the user reads.

    Raises:
        UsageError: nobody's token may speak for the company.
    """
    try:
        return access_token(client.outputs, user_id, company_id=company_id)
    except NoAudience as error:
        raise UsageError(str(error)) from error
