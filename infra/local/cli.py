"""`context-memory`: talk to the service as an orchestrator, a user, an administrator and an operator would."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from infra.local.client import ServiceError
from infra.local.commands import chat, facts, load, me, migrate, recall, replay, turn, verify_receipt, watch
from infra.local.commands.shared import UsageError
from infra.local.replay.plan import ReplayFileError
from infra.local.screen import console

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMANDS = {
    "load": load,
    "me": me,
    "recall": recall,
    "facts": facts,
    "turn": turn,
    "watch": watch,
    "chat": chat,
    "replay": replay,
    "migrate": migrate,
    "verify-receipt": verify_receipt,
}
_FAILED, _MISUSED, _INTERRUPTED = 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        0 when it went well, 1 when a turn or a request failed, 2 for wrong use, 130 when interrupted.
    """
    arguments = parser().parse_args(argv)
    try:
        code: int = _COMMANDS[arguments.command].run(arguments, console())
    except (UsageError, ReplayFileError) as error:
        return _say(error, _MISUSED)
    except ServiceError as error:
        return _say(error, _FAILED)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _FAILED
    except KeyboardInterrupt:
        return _INTERRUPTED
    return code


def parser() -> argparse.ArgumentParser:
    """All commands and their arguments."""
    top = argparse.ArgumentParser(
        prog="context-memory", description="Use the local environment of Context Memory (start it with `make up`)."
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in _COMMANDS.items():
        command.add(
            commands.add_parser(name, help=command.HELP, description=f"{command.HELP[:1].upper()}{command.HELP[1:]}.")
        )
    return top


def _say(error: Exception, code: int) -> int:
    print(f"context-memory: {error}", file=sys.stderr)
    return code


if __name__ == "__main__":
    raise SystemExit(main())
