"""`context-memory turn`: hand over one finished turn and see what became of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from infra.local.commands.shared import UsageError, add_place, add_user, add_waiting, connect, now_in
from infra.local.difference import difference
from infra.local.replay.plan import PlannedTurn
from infra.local.replay.player import play
from infra.local.screen import indented, outcome, show_difference, written_back

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

HELP = "hand over one finished turn and show what it changed, in the memory and among the facts"


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("text", help="what the user said; - reads it from standard input")
    parser.add_argument("--answer", default="All right.", help="what the assistant answered (default: %(default)s)")
    add_user(parser)
    parser.add_argument("--chat", default="by-hand", help="the chat's id (default: %(default)s)")
    parser.add_argument("--name", help="the user's display name")
    parser.add_argument("--zone", help="the user's time zone, such as Europe/Zurich")
    add_waiting(parser)
    add_place(parser)


def run(arguments: argparse.Namespace, screen: Console) -> int:
    """Hand over, wait, show the difference; 1 when something went wrong with the turn.

    Raises:
        TurnTooSlow: its facts are still to be written back.
        ServiceError: out of reach.
    """
    said = sys.stdin.read() if arguments.text == "-" else arguments.text
    if not said.strip():
        raise UsageError("There is nothing to hand over: the text is empty.")
    turn = PlannedTurn(
        user_id=arguments.user,
        chat_id=arguments.chat,
        number=1,
        occurred_at=now_in(arguments.zone),
        messages=({"role": "user", "content": said}, {"role": "assistant", "content": arguments.answer}),
        space_id=arguments.space,
        time_zone=arguments.zone,
        display_name=arguments.name,
    )
    with connect(arguments) as client:
        before = client.load(turn.user_id, turn.space_id)
        (played,) = play(client, [turn], seconds=arguments.wait)
        screen.print(outcome(played))
        show_difference(screen, difference(before.memory, client.load(turn.user_id, turn.space_id).memory))
        if played.state and played.state.final:
            state = client.wait_for_facts(turn.user_id, turn.turn_id, seconds=arguments.wait)
            screen.print(indented(written_back(state), 4))
    return 0 if played.well else 1
