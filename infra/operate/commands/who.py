"""`who --company C --user U`: which hash stands for a user, and who reached for their memory."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from infra.operate.audit_records import records
from infra.operate.maintaining import JobFailed, Maintain
from infra.operate.table import lined_up, shown

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from infra.operate.target import Target

HELP = "tell which hash stands for a user in logs and audit records, and who called about them"

_HEADINGS = ("time", "status", "route", "caller", "request")
_FAILED = 1


def add(parser: argparse.ArgumentParser) -> None:
    """Arguments: who, and how far back to look."""
    parser.add_argument("--company", required=True, help="the user's company")
    parser.add_argument("--user", required=True, help="the user's id, as the company spells it")
    parser.add_argument(
        "--hours", type=int, default=0, help="also show the audit records of so many hours (default: none)"
    )


def run(arguments: argparse.Namespace, target: Target) -> int:
    """Ask `maintain`, which alone has the key of the hashes, and look into the audit bucket where that is wanted."""
    try:
        user: str = Maintain(target)("pseudonym", company_id=arguments.company, user_id=arguments.user)["user"]
    except JobFailed as error:
        sys.stderr.write(f"operate: maintain failed ({error})\n")
        return _FAILED
    print(user)
    if arguments.hours > 0:
        now = datetime.now(UTC)
        found = records(target, user, since=now - timedelta(hours=arguments.hours), until=now)
        print("\n".join(["", *(lined_up([_HEADINGS, *map(_row, found)]) if found else ["nothing was recorded"])]))
    return 0


def _row(record: Mapping[str, Any]) -> tuple[str, ...]:
    return (record["time"], str(record["status"]), record["route"], shown(record["caller"]), record["request_id"])
