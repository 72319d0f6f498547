"""`who --company C --user U`: which hash stands for a user, and who reached for their memory."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from infra.operate.audit_records import records
from infra.operate.maintaining import JobFailed, Maintain
from infra.operate.table import lined_up

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from infra.operate.target import Target

HELP = "tell which hash stands for a user in logs and audit records, and who called about them"

_FIELDS = ("time", "status", "route", "caller", "request_id")
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
    """Ask `maintain`, so that no operator needs the key of the hashes, and look into the audit bucket if wanted."""
    try:
        user: str = Maintain(target)("pseudonym", company_id=arguments.company, user_id=arguments.user)["user"]
    except JobFailed as error:
        sys.stderr.write(f"operate: maintain failed ({error})\n")
        return _FAILED
    print(user)
    if arguments.hours > 0:
        now = datetime.now(UTC)
        since = now - timedelta(hours=arguments.hours)
        found = records(target, user, company_id=arguments.company, since=since, until=now)
        print("\n".join(["", *(_table(found.of_user) or ["nothing was recorded"])]))
        if found.of_whom:
            print("\nabout users of the company whom nobody could hash just then, this one maybe among them:")
            print("\n".join(_table(found.of_whom)))
    return 0


def _table(found: Sequence[Mapping[str, Any]]) -> list[str]:
    return lined_up([_HEADINGS, *map(_row, found)]) if found else []


def _row(record: Mapping[str, Any]) -> tuple[str, ...]:
    # Whatever a line holds, and lacks: what is wrong with one must not hide the others.
    told = (str(record.get(name, "-")) for name in _FIELDS)
    return tuple(text if text.isprintable() else ascii(text) for text in told)
