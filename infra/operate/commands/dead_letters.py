"""`dead-letters [--queue turns|facts|jobs] list|redrive|drop`: what was given up, and what is to become of it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

from infra.operate.dead_letters.letter import Selection
from infra.operate.dead_letters.queue import DeadLetterQueue
from infra.operate.dead_letters.redriving import Redriver
from infra.operate.table import age, lined_up, shown

if TYPE_CHECKING:
    import argparse

    from infra.operate.dead_letters.letter import DeadLetter
    from infra.operate.target import Target

HELP = "list, redrive or drop dead letters: turns and jobs that were given up, doorbells that nobody could answer"

_LIMIT = 100
_HEADINGS = ("kind", "company", "user", "turn", "reason", "age")
_FAILED, _UNCONFIRMED = 1, 2
_ELSEWHERE = " (its letter took too long and is visible again, or in other hands)"


def add(parser: argparse.ArgumentParser) -> None:
    """Arguments: of which queue, what to do, and with which letters."""
    parser.add_argument(
        "--queue", choices=("turns", "facts", "jobs"), default="turns", help="whose dead letters (default: %(default)s)"
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, explained in (
        ("list", "say what there is; nothing is removed"),
        ("redrive", "give turns another life, ring again, send jobs again; a letter goes once that is done"),
        ("drop", "delete letters; their turns stay dead, and can be redriven by hand"),
    ):
        action = actions.add_parser(name, help=explained, description=f"{explained[:1].upper()}{explained[1:]}.")
        action.add_argument("--company", help="only of this company")
        action.add_argument("--user", help="only of this user")
        action.add_argument("--turn", help="only of this turn")
        action.add_argument("--limit", type=int, default=_LIMIT, help=f"at most so many (default: {_LIMIT})")
    actions.choices["drop"].add_argument("--yes", action="store_true", help="without it, only say what would go")


def run(arguments: argparse.Namespace, target: Target) -> int:
    """Do it; 1 when a letter could not be dealt with, 2 when dropping was not confirmed."""
    names = target.names
    dead, living = {
        "turns": (names.dead_letter_queue, names.turns_queue),
        "facts": (names.facts_dead_letter_queue, names.facts_queue),
        "jobs": (names.dead_jobs_queue, names.jobs_queue),
    }[arguments.queue]
    queue = DeadLetterQueue(target, dead)
    selection = Selection(company_id=arguments.company, user_id=arguments.user, turn_id=arguments.turn)
    if arguments.action == "redrive":
        return _redrive(queue, selection, arguments.limit, Redriver(target, living))
    if arguments.action == "drop" and arguments.yes:
        return _drop(queue, selection, arguments.limit)
    _list(queue, selection, arguments.limit)
    if arguments.action == "drop":
        sys.stderr.write("Nothing was dropped: say --yes.\n")
        return _UNCONFIRMED
    return 0


def _list(queue: DeadLetterQueue, selection: Selection, limit: int) -> None:
    now = datetime.now(UTC)
    with queue.walk() as letters:
        found = list(islice((letter for letter in letters if letter in selection), limit))
    if found:
        print("\n".join(lined_up([_HEADINGS, *(_row(letter, now) for letter in found)])))
    print(f"{len(found)} shown, about {queue.count()} in the queue")


def _redrive(queue: DeadLetterQueue, selection: Selection, limit: int, redrive: Redriver) -> int:
    failed = False
    with queue.walk() as letters:
        for letter in islice((letter for letter in letters if letter in selection), limit):
            redriven = redrive(letter)
            removed = redriven.finished and queue.remove(letter)
            left = redriven.finished and not removed
            failed |= redriven.failed or left
            _say(letter, redriven.outcome + (_ELSEWHERE if left else ""))
    print(f"about {queue.count()} left in the queue")
    return _FAILED if failed else 0


def _drop(queue: DeadLetterQueue, selection: Selection, limit: int) -> int:
    failed = False
    with queue.walk() as letters:
        for letter in islice((letter for letter in letters if letter in selection), limit):
            dropped = queue.remove(letter)
            failed |= not dropped
            _say(letter, "dropped" if dropped else f"kept{_ELSEWHERE}")
    print(f"about {queue.count()} left in the queue")
    return _FAILED if failed else 0


def _say(letter: DeadLetter, outcome: str) -> None:
    # At once: whoever interrupts us knows what was done.
    print(f"{' '.join(_ids(letter))}: {outcome}", flush=True)


def _row(letter: DeadLetter, now: datetime) -> tuple[str, ...]:
    return (*_ids(letter), shown(letter.reason), age(now - letter.sent_at))


def _ids(letter: DeadLetter) -> tuple[str, ...]:
    return (letter.kind.value, shown(letter.company_id), shown(letter.user_id), shown(letter.turn_id))
