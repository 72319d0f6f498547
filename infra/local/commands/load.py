"""`context-memory load`: what a new chat would get."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.text import Text

from infra.local.commands.shared import add_place, add_user, connect
from infra.local.screen import indented, printable, show_memory

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from infra.local.answers import Memory

HELP = "show what a new chat of a user would load"


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_user(parser)
    parser.add_argument("--model", help="the model that will read it: decides how tokens are counted")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument(
        "--prompt", action="store_true", help="print the section for the system prompt, and nothing else"
    )
    shape.add_argument("--json", action="store_true", help="print everything as JSON")
    add_place(parser)


def run(arguments: argparse.Namespace, screen: Console) -> int:
    """Load and show; 0."""
    with connect(arguments) as client:
        memory = client.load(arguments.user, arguments.space, model=arguments.model)
    if arguments.json:
        print(json.dumps(asdict(memory), ensure_ascii=False, indent=2))
    elif arguments.prompt:
        print(memory.prompt or "", end="")
    else:
        show_loaded(screen, memory)
    return 0


def show_loaded(screen: Console, memory: Memory) -> None:
    """The memory with its version, its size and how fresh it is."""
    if not memory.enabled:
        screen.print(Text(f"Memory is off: {memory.reason}.", style="yellow"))
        return
    if memory.prompt is None:
        screen.print(Text("Nothing is remembered yet.", style="cyan"))
    else:
        show_memory(screen, memory.memory)
        facts = [
            f"version {memory.turn_count}",
            f"{memory.tokens:,} tokens stored",
            f"{memory.prompt_tokens:,} in the prompt",
            f"last change {_minute(memory.last_updated)}",
        ]
        screen.print(indented(Text(printable(" · ".join(facts)), style="dim"), 4))
    if memory.pending or memory.failed:
        screen.print(
            Text(f"{memory.pending} turns are still to be consolidated, {memory.failed} failed.", style="yellow")
        )


def _minute(stamp: str | None) -> str:
    return datetime.fromisoformat(stamp).astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC") if stamp else "never"
