"""`flags show|set`: which companies have a memory, and what they may spend on a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from infra.operate.flag_changes import HEADINGS, change_of, row
from infra.operate.switchboard import GRADUAL, IMMEDIATE, UNDER_WAY, Switchboard, SwitchError
from infra.operate.table import lined_up

if TYPE_CHECKING:
    import argparse

    from infra.operate.switchboard import Rollout
    from infra.operate.target import Target

HELP = "show the operator's switches of companies, or move them"

_FAILED = 1


def add(parser: argparse.ArgumentParser) -> None:
    """Arguments: what to do, and for `set` a company and its new values."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("show", help="say what holds, and what is under way or was taken back")
    setting = actions.add_parser("set", help="change flags of one company, on top of what holds")
    setting.add_argument("company")
    setting.add_argument(
        "values",
        nargs="+",
        metavar="FLAG=VALUE",
        help="context_memory=on|off, context_memory_with_web_search=on|off, daily_tokens=N|default",
    )
    setting.add_argument(
        "--now", action="store_true", help="for everybody at once; takes back a change that is still spreading"
    )


def run(arguments: argparse.Namespace, target: Target) -> int:
    """Do it; 1 when a change was taken back."""
    switchboard = Switchboard(target.client("appconfig"), target.names)
    if arguments.action == "show":
        _show(switchboard)
        return 0
    return _set(arguments, target, switchboard)


def _show(switchboard: Switchboard) -> None:
    holds, (newest, *_) = switchboard.in_force(), switchboard.rollouts()
    print(f"version {holds.version} holds (deployment {holds.number}, {holds.state})")
    if newest.number != holds.number:
        print(f"deployment {newest.number} of version {newest.version}: {_progress(newest)}")
    companies = switchboard.companies(holds.version)
    print("\n".join(lined_up([HEADINGS, *(row(company, flags) for company, flags in sorted(companies.items()))])))


def _set(arguments: argparse.Namespace, target: Target, switchboard: Switchboard) -> int:
    try:
        change = change_of(arguments.values)
    except ValueError as error:
        raise SwitchError(f"{error}.") from None
    known = {*target.environment.companies, *switchboard.companies(switchboard.in_force().version)}
    if arguments.company not in known:
        raise SwitchError(f"{arguments.company!r} is none of the companies {', '.join(sorted(known))}.")
    if arguments.now and (stopped := switchboard.stop()):
        print(f"deployment {stopped.number} of version {stopped.version} was under way and is taken back: set it again")
        switchboard.followed(stopped, say=lambda _: None)
    begun = switchboard.switch(arguments.company, change, speed=IMMEDIATE if arguments.now else GRADUAL)
    if begun is None:
        print("nothing to change: it is so already")
        return 0
    print(f"deployment {begun.number} of version {begun.version} has begun")
    ended = switchboard.followed(begun, say=lambda rollout: print(_progress(rollout)))
    print(f"version {ended.version}: {_progress(ended)}")
    return 0 if ended.state == "COMPLETE" else _FAILED


def _progress(rollout: Rollout) -> str:
    if rollout.state in UNDER_WAY:
        return f"{rollout.state.lower()}, has reached {rollout.percent:.0f} % of the readers"
    return {"COMPLETE": "holds everywhere", "ROLLED_BACK": "was taken back: what held before holds again"}.get(
        rollout.state, rollout.state.lower()
    )
