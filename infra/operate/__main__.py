"""`python -m infra.operate --env NAME COMMAND`: operate a deployed environment."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from infra.local.paths import OUTPUTS
from infra.operate import commands
from infra.operate.target import TargetError, target

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from infra.operate.target import Target

_FAILED = 1
_INTERRUPTED = 130  # what a shell says of a program that SIGINT ended


def main(argv: Sequence[str] | None = None, *, find: Callable[[str, Path], Target] = target) -> int:
    """Run one command.

    Args:
        argv: arguments; None takes those of the process.
        find: finds the environment, and with whose credentials to act there.

    Returns:
        Its exit code: 1 when AWS refuses or there is nothing to act upon, 130 when it was interrupted.
    """
    known = _commands()
    arguments = _parser(known).parse_args(argv)
    try:
        code: int = known[arguments.command].run(arguments, find(arguments.env, arguments.outputs))
    except (TargetError, BotoCoreError, ClientError) as error:
        sys.stderr.write(f"operate: {error}\n")
        return _FAILED
    except KeyboardInterrupt:
        sys.stderr.write("operate: interrupted\n")
        return _INTERRUPTED
    return code


def _commands() -> Mapping[str, Any]:
    names = [module.name for module in pkgutil.iter_modules(commands.__path__) if not module.ispkg]
    return {name.replace("_", "-"): importlib.import_module(f"{commands.__name__}.{name}") for name in names}


def _parser(known: Mapping[str, Any]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m infra.operate", description=__doc__)
    parser.add_argument("--env", required=True, help="name of the environment; `local` is the one on this machine")
    parser.add_argument("--outputs", type=Path, default=OUTPUTS, help="folder of the local environment's outputs")
    chosen = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in known.items():
        command.add(
            chosen.add_parser(name, help=command.HELP, description=f"{command.HELP[:1].upper()}{command.HELP[1:]}.")
        )
    return parser


if __name__ == "__main__":
    sys.exit(main())
