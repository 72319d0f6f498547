"""`context-memory recall`: what a chat would be given for a question."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.text import Text

from infra.local.commands.shared import add_place, add_user, connect
from infra.local.screen import indented, printable

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from infra.local.recalled import Recalled

HELP = "show which facts a chat would be given for a question"


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("query", help="the question at hand")
    add_user(parser)
    parser.add_argument("--prompt-id", help="names the prompt: the same one gets the same answer again")
    parser.add_argument("--max-hits", type=int, help="how many facts at most, beside the core ones")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--prompt", action="store_true", help="print the block for the prompt, and nothing else")
    shape.add_argument("--json", action="store_true", help="print everything as JSON")
    add_place(parser)


def run(arguments: argparse.Namespace, screen: Console) -> int:
    """Ask and show; 0."""
    wanted = {"prompt_id": arguments.prompt_id, "max_hits": arguments.max_hits}
    with connect(arguments) as client:
        recalled = client.recall(arguments.user, arguments.space, arguments.query, wanted)
    if arguments.json:
        print(json.dumps(asdict(recalled), ensure_ascii=False, indent=2))
    elif arguments.prompt:
        print(recalled.block, end="")
    else:
        show_recalled(screen, recalled)
    return 0


def show_recalled(screen: Console, recalled: Recalled) -> None:
    """The facts, the best first, each with why it was found; what the profile shows already is not among them."""
    if not recalled.enabled:
        screen.print(Text(f"Recall is off: {recalled.reason}.", style="yellow"))
        return
    for hit in recalled.hits:
        screen.print(indented(Text(f"• {printable(hit.text)}"), 4))
        about = " · ".join([hit.tier, hit.scope or "this request", f"{hit.score:.2f}", ", ".join(hit.why)])
        screen.print(indented(Text(printable(about), style="dim"), 6))
    if not recalled.hits:
        screen.print(indented(Text("Nothing is recalled beside the profile.", style="cyan"), 4))
    for note in recalled.notes:
        screen.print(indented(Text(printable(note.replace("_", " ")), style="yellow"), 4))
