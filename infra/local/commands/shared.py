"""Arguments and steps that several commands share."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from infra.local.client import Client
from infra.local.outputs import FILE_NAME, Outputs
from infra.local.token import NoAudience, access_token

if TYPE_CHECKING:
    import argparse

SPACE = "everyday"
WAIT_SECONDS = 120.0


class UsageError(Exception):
    """What was asked for cannot be done as asked; the message says what to do."""


def add_place(parser: argparse.ArgumentParser) -> None:
    """Where the environment's `outputs.json` is."""
    parser.add_argument(
        "--outputs",
        type=Path,
        default=Path(".local"),
        metavar="DIR",
        help="folder of outputs.json (default: %(default)s)",
    )


def add_user(parser: argparse.ArgumentParser) -> None:
    """Whose memory, and in which space."""
    parser.add_argument("--user", default="me", help="the user's id (default: %(default)s)")
    parser.add_argument("--space", default=SPACE, help="the space's id (default: %(default)s)")


def add_person(parser: argparse.ArgumentParser) -> None:
    """Who looks at their own memory, where it is, and how it is shown."""
    parser.add_argument("--user", default="me", help="the user's id (default: %(default)s)")
    parser.add_argument("--company", help="the user's company (default: the environment's)")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    add_place(parser)


def own_token(client: Client, user_id: str, company_id: str | None) -> str:
    """A token by which the user reads.

    Raises:
        UsageError: nobody's token may speak for the company.
    """
    try:
        return access_token(client.outputs, user_id, company_id=company_id)
    except NoAudience as error:
        raise UsageError(str(error)) from error


def add_waiting(parser: argparse.ArgumentParser) -> None:
    """How long a turn may take."""
    parser.add_argument(
        "--wait", type=float, default=WAIT_SECONDS, metavar="SECONDS",
        help="how long a turn may take to be final (default: %(default).0f)",
    )  # fmt: skip


def connect(arguments: argparse.Namespace) -> Client:
    """A client of the running environment.

    Raises:
        UsageError: no environment runs there.
    """
    try:
        return Client(Outputs.read(arguments.outputs))
    except FileNotFoundError as error:
        raise UsageError(
            f"No environment runs here: {arguments.outputs / FILE_NAME} is missing. Start one with `make up`."
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{arguments.outputs / FILE_NAME} cannot be read. Start the environment anew.") from error


def now_in(zone: str | None) -> datetime:
    """This moment, in a zone by name or else in UTC.

    Raises:
        UsageError: no such zone.
    """
    try:
        return datetime.now(ZoneInfo(zone) if zone else UTC)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(f"There is no time zone {zone}; name one such as Europe/Zurich.") from error
