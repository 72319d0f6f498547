"""`erasures replay`: after a user table was set back, erase again whoever had been erased since."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING
from urllib.parse import unquote

from infra.operate.maintaining import JobFailed, Maintain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from infra.operate.target import Target

HELP = "erase again whom a restored user table has brought back"

_FAILED = 1


def add(parser: argparse.ArgumentParser) -> None:
    """Arguments: what is to be done, and the table whose users are walked through."""
    commands = parser.add_subparsers(dest="erasures_command", required=True, metavar="COMMAND")
    replay = commands.add_parser("replay", help="ask maintain for each user of a table")
    replay.add_argument("--table", help="the restored table (default: the environment's user table)")


def run(arguments: argparse.Namespace, target: Target) -> int:
    """Walk through all users; 1 when maintain failed for some, who are counted."""
    maintain, asked, replayed, failed = Maintain(target), 0, 0, 0
    for company_id, user in _users(target, arguments.table or target.names.user_table):
        asked += 1
        try:
            replayed += maintain("replay_erasure", company_id=company_id, user_id=user)["replayed"]
        except JobFailed:
            failed += 1
    print(f"{asked} users, {replayed} erased again, {failed} failed")
    if failed:
        sys.stderr.write("operate: run it again: some users were not looked at, and may be back\n")
    return _FAILED if failed else 0


def _users(target: Target, table: str) -> Iterator[tuple[str, str]]:
    """Company and id of everybody of whom the table holds anything, each once: partitions come whole."""
    last = ""
    pages = (
        target.client("dynamodb")
        .get_paginator("scan")
        .paginate(TableName=table, ProjectionExpression="pk", ConsistentRead=True)
    )
    for page in pages:
        for item in page["Items"]:
            if (partition := item["pk"]["S"]) != last:
                last = partition
                company_id, _, encoded = partition.partition("#")
                yield company_id, unquote(encoded.replace("=", "%"))  # keys spell bytes so, and hold no `%`
