"""`turns --company C --user U`: where a user's turns are."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from infra.operate.maintaining import JobFailed, Maintain
from infra.operate.table import lined_up, shown

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from infra.operate.target import Target

HELP = "say what of a user waits, was given up and is consolidated; ids, states and times only"

_HEADINGS = ("turn", "status", "reason", "attempts", "accepted")
_FAILED = 1


def add(parser: argparse.ArgumentParser) -> None:
    """Arguments: who."""
    parser.add_argument("--company", required=True, help="the user's company")
    parser.add_argument("--user", required=True, help="the user's id, as the company spells it")


def run(arguments: argparse.Namespace, target: Target) -> int:
    """Ask `maintain` and print what it says."""
    try:
        inspected = Maintain(target)("inspect", company_id=arguments.company, user_id=arguments.user)
    except JobFailed as error:
        sys.stderr.write(f"operate: maintain failed ({error})\n")
        return _FAILED
    print("\n".join(_lines(inspected)))
    return 0


def _lines(inspected: Mapping[str, Any]) -> Iterator[str]:
    version, freshness, turns = inspected["version"], inspected["freshness"], inspected["turns"]
    yield f"memory: {_memory(inspected)}"
    if version:
        yield f"changes: {version['turn_count']}, the last one at {version['last_updated']}"
    yield f"consolidated through: {freshness['consolidated_through'] or 'nothing yet'}"
    yield f"waiting: {freshness['pending']}, given up: {freshness['failed']}"
    facts = inspected["facts"]
    yield f"facts: {facts['count']}, turns waiting for theirs: {facts['pending']}, given up: {facts['failed']}"
    if turns:
        yield ""
        yield from lined_up([_HEADINGS, *map(_row, turns)])
    if (more := freshness["pending"] + freshness["failed"] - len(turns)) > 0:
        yield f"and {more} younger ones"


def _memory(inspected: Mapping[str, Any]) -> str:
    if inspected["erase_running"]:
        return "being erased"
    return "on" if inspected["memory_on"] else "switched off by the user"


def _row(turn: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        shown(turn["turn_id"]),
        turn["status"],
        shown(turn["reason"]),
        str(turn["attempts"]),
        turn["accepted_at"],
    )
