"""`context-memory replay FILE`: play recorded conversations and see what they come to."""

from __future__ import annotations

import queue
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from infra.local.commands.shared import SPACE, UsageError, add_place, add_waiting, connect
from infra.local.replay.plan import Plan
from infra.local.replay.player import Played, play
from infra.local.replay.reading import read_file
from infra.local.replay.summary import failures
from infra.local.screen import printable, show_summary

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from rich.console import Console

    from infra.local.client import Client

HELP = "play a file of conversations (ours, OpenAI JSON lines, MemoryBank)"


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("file", type=Path, help="our conversations, OpenAI JSON lines, or MemoryBank's JSON")
    parser.add_argument("--user", help="play this user only; owner of lines that name none")
    parser.add_argument("--limit-users", type=int, metavar="N", help="play the first N users only")
    parser.add_argument("--days", type=int, metavar="N", help="of MemoryBank, the first N days of each user")
    parser.add_argument(
        "--parallel", type=int, default=1, metavar="N", help="users played at once (default: %(default)s)"
    )
    parser.add_argument("--burst", action="store_true", help="hand a user's turns over at once instead of one by one")
    parser.add_argument(
        "--as", dest="suffix", metavar="SUFFIX", help="play as users of their own: each id gets -SUFFIX"
    )
    parser.add_argument("--space", default=SPACE, help="the space where the file names none (default: %(default)s)")
    add_waiting(parser)
    add_place(parser)


def run(arguments: argparse.Namespace, screen: Console) -> int:
    """Play everything; 1 when a turn was not final in time or failed."""
    plan = chosen(arguments)
    with connect(arguments) as client:
        started = time.monotonic()
        users = len(plan.by_user())
        screen.print(
            Text(f"{plan.title}: {len(plan.turns)} turns of {users} user{'' if users == 1 else 's'}", style="bold")
        )
        played = list(_with_progress(screen, plan, _play_users(client, plan, arguments)))
        show_summary(screen, played, time.monotonic() - started)
    return 1 if failures(played) or len(played) < len(plan.turns) else 0


def chosen(arguments: argparse.Namespace) -> Plan:
    """The turns that the arguments ask for.

    Raises:
        ReplayFileError: the file cannot be read.
        UsageError: nothing is left to play, or a number makes no sense.
    """
    for name in ("limit_users", "days", "parallel"):
        value = getattr(arguments, name)
        if value is not None and value < 1:
            raise UsageError(f"--{name.replace('_', '-')} must be at least 1.")
    plan = read_file(
        arguments.file,
        now=datetime.now(UTC),
        space=arguments.space,
        user=arguments.user or "replay",
        days=arguments.days,
    )
    users = [user for user in plan.by_user() if arguments.user in {None, user}][: arguments.limit_users]
    if not users:
        raise UsageError("There is nothing to play: the file holds no turn of such a user.")
    plan = plan.of_users(users)
    return with_suffix(plan, arguments.suffix) if arguments.suffix else plan


def with_suffix(plan: Plan, suffix: str) -> Plan:
    """The same turns of users who have nothing remembered yet: each id gets the suffix behind a hyphen."""
    return Plan(plan.title, tuple(replace(turn, user_id=f"{turn.user_id}-{suffix}") for turn in plan.turns))


def _play_users(client: Client, plan: Plan, arguments: argparse.Namespace) -> Iterator[Played]:
    """Each user's turns in order, several users side by side; yields as turns become final."""
    done: queue.SimpleQueue[Played | None] = queue.SimpleQueue()

    def play_one(user: str) -> None:
        try:
            for played in play(client, users[user], seconds=arguments.wait, burst=arguments.burst):
                done.put(played)
        finally:
            done.put(None)

    users = plan.by_user()
    with ThreadPoolExecutor(arguments.parallel) as pool:
        futures = [pool.submit(play_one, user) for user in users]
        left = len(users)
        while left:
            if (played := done.get()) is None:
                left -= 1
            else:
                yield played
        for future in futures:
            future.result()


def _with_progress(screen: Console, plan: Plan, played: Iterator[Played]) -> Iterator[Played]:
    """A bar in a terminal; elsewhere a line for each turn."""
    if not screen.is_terminal:
        for number, one in enumerate(played, start=1):
            place = f"{number:>5}/{len(plan.turns)}"
            screen.print(Text(f"{place}  {printable(one.turn.user_id)}  {one.turn.turn_id}  {one.ending}"))
            yield one
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=screen, transient=True) as progress:
        task = progress.add_task("", total=len(plan.turns))
        for one in played:
            progress.update(task, advance=1, description=f"{printable(one.turn.user_id)}: {one.ending}")
            yield one
