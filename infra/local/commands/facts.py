"""`context-memory facts`: the single facts that a user sees of their own memory, by a token of the local issuer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rich.text import Text

from infra.local.commands.shared import add_person, connect, own_token
from infra.local.screen import indented, printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rich.console import Console

HELP = "list the single facts that are stored about a user"


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_person(parser)


def run(arguments: argparse.Namespace, screen: Console) -> int:
    """Make a token, ask with it, show; 0.

    Raises:
        UsageError: nobody's token may speak for the company.
    """
    with connect(arguments) as client:
        facts = client.own_facts(own_token(client, arguments.user, arguments.company))
    if arguments.json:
        print(json.dumps(facts, ensure_ascii=False, indent=2))
    else:
        show_facts(screen, facts)
    return 0


def show_facts(screen: Console, facts: Sequence[dict[str, Any]]) -> None:
    """One line a fact, with its tier and what it said last before."""
    for fact in facts:
        before = f" · before: {fact['supersedes'][0]['text']}" if fact["supersedes"] else ""
        about = printable(f"  {fact['tier']}{before}")
        screen.print(indented(Text.assemble(f"• {printable(fact['text'])}", (about, "dim")), 4))
    if not facts:
        screen.print(indented(Text("No fact is stored.", style="cyan"), 4))
