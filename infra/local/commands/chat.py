"""`context-memory chat`: talk to a model that has loaded your memory, and see the memory change after each turn."""

from __future__ import annotations

import os
import sys
import uuid
from typing import TYPE_CHECKING, Any, cast

from rich.text import Text

from infra.local.commands.load import show_loaded
from infra.local.commands.shared import add_place, add_user, add_waiting, connect, now_in
from infra.local.difference import difference
from infra.local.replay.plan import PlannedTurn
from infra.local.replay.player import play
from infra.local.screen import indented, outcome, printable, show_difference

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from rich.console import Console

    from infra.local.client import Client
    from infra.local.outputs import Outputs

HELP = "talk to the assistant and see your memory change"
_INSTRUCTIONS = "You are a helpful assistant. Answer briefly."


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_user(parser)
    parser.add_argument("--name", help="your name as an orchestrator would show it")
    parser.add_argument("--zone", help="your time zone, such as Europe/Zurich")
    add_waiting(parser)
    add_place(parser)


def run(arguments: argparse.Namespace, screen: Console) -> int:
    """Talk until the input ends; 1 when something went wrong with any turn."""
    chat_id = f"chat-{uuid.uuid4().hex[:8]}"
    well = True
    with connect(arguments) as client:
        memory = client.load(arguments.user, arguments.space)
        screen.print(
            Text(f"Chat of {printable(arguments.user)}; an empty line or Ctrl-D ends it. Loaded:", style="dim")
        )
        show_loaded(screen, memory)
        # The section is loaded once and kept for the whole chat: so it costs nothing from the second answer on.
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": "\n\n".join([_INSTRUCTIONS, memory.prompt or ""])}
        ]
        for number, said in enumerate(_lines(screen), start=1):
            messages.append({"role": "user", "content": said})
            messages.append({"role": "assistant", "content": _ask(client.outputs, messages)})
            screen.print(indented(Text(printable(messages[-1]["content"])), 2))
            well &= _consolidate(arguments, client, screen, _turn(arguments, chat_id, number, messages))
    return 0 if well else 1


def _lines(screen: Console) -> Iterator[str]:
    """What the user types; without a terminal the lines of standard input."""
    interactive = sys.stdin.isatty()
    while True:
        if interactive:
            screen.print(Text("> ", style="bold cyan"), end="")
        line = sys.stdin.readline()
        if not line.strip():
            return
        if not interactive:
            screen.print(Text(f"> {printable(line.strip())}", style="bold cyan"))
        yield line.strip()


def _ask(outputs: Outputs, messages: list[dict[str, Any]]) -> str:
    """The assistant's answer, from the very endpoint that the environment uses."""
    from openai import OpenAI, OpenAIError  # noqa: PLC0415 (a second of imports that only a chat needs)

    key = os.environ.get("OPENAI_API_KEY") or "none"
    try:
        with OpenAI(base_url=outputs.model_base_url or None, api_key=key) as model:
            reply = model.chat.completions.create(
                model=outputs.model,
                messages=cast("Any", messages),  # dictionaries in the client's own shape
                extra_headers={"x-context-memory-purpose": "chat"},
            )
    except OpenAIError as error:
        return f"(The model did not answer: {type(error).__name__}.)"
    return reply.choices[0].message.content or "(The model answered nothing.)"


def _turn(arguments: argparse.Namespace, chat_id: str, number: int, messages: list[dict[str, Any]]) -> PlannedTurn:
    return PlannedTurn(
        user_id=arguments.user,
        chat_id=chat_id,
        number=number,
        occurred_at=now_in(arguments.zone),
        messages=tuple(messages),
        space_id=arguments.space,
        time_zone=arguments.zone,
        display_name=arguments.name,
    )


def _consolidate(arguments: argparse.Namespace, client: Client, screen: Console, turn: PlannedTurn) -> bool:
    before = client.load(turn.user_id, turn.space_id)
    (played,) = play(client, [turn], seconds=arguments.wait)
    screen.print(indented(outcome(played), 2))
    show_difference(screen, difference(before.memory, client.load(turn.user_id, turn.space_id).memory))
    return played.well
