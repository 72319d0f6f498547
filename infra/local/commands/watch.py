"""`context-memory watch`: follow a user's memory as it changes."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.text import Text

from infra.local.commands.load import show_loaded
from infra.local.commands.shared import add_place, add_user, connect
from infra.local.difference import difference
from infra.local.screen import show_difference

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from infra.local.answers import Memory

HELP = "follow a user's memory as it changes, until interrupted"


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_user(parser)
    parser.add_argument(
        "--every", type=float, default=1.0, metavar="SECONDS", help="how often to look (default: %(default).0f)"
    )
    parser.add_argument(
        "--for", dest="seconds", type=float, metavar="SECONDS", help="stop after so long (default: never)"
    )
    add_place(parser)


def run(arguments: argparse.Namespace, screen: Console) -> int:
    """Show the memory once, then each change; 0."""
    deadline = time.monotonic() + arguments.seconds if arguments.seconds is not None else None
    with connect(arguments) as client:
        last = client.load(arguments.user, arguments.space)
        show_loaded(screen, last)
        while deadline is None or time.monotonic() + arguments.every <= deadline:
            time.sleep(arguments.every)
            now = client.load(arguments.user, arguments.space)
            if _news(last) != _news(now):
                screen.print(Text(f"{datetime.now(UTC):%H:%M:%S} UTC  {_line(now)}", style="bold"))
                show_difference(screen, difference(last.memory, now.memory))
            last = now
    return 0


def _news(memory: Memory) -> tuple[object, ...]:
    return memory.enabled, memory.turn_count, memory.pending, memory.failed, memory.memory


def _line(memory: Memory) -> str:
    if not memory.enabled:
        return f"memory is off: {memory.reason}"
    waiting = f", {memory.pending} waiting" if memory.pending else ""
    failed = f", {memory.failed} failed" if memory.failed else ""
    return f"version {memory.turn_count}{waiting}{failed}"
