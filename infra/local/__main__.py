"""`python -m infra.local up|down|status|token|keys`."""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from infra.layers.places import dependencies_layer
from infra.local import keys, token
from infra.local.assembly import SynthesisFailed
from infra.local.deploy import DeployFailed
from infra.local.environment import COMPANY, LocalEnvironment
from infra.local.models import ModelNotNamed
from infra.local.offline_model import MODEL as OFFLINE
from infra.local.outputs import FILE_NAME
from infra.local.paths import OUTPUTS, ROOT, module
from infra.local.processes import StartFailed
from infra.local.running import AlreadyRunning, holder, outputs_of, running, stop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from infra.local.outputs import Outputs

DEFAULT_PORT = 4566
_DETACHED_SECONDS = 180
_STOP_SECONDS = 60
_SECONDS_BETWEEN_LOOKS = 0.2
_FAILURES = (AlreadyRunning, StartFailed, SynthesisFailed, DeployFailed, ModelNotNamed, token.NoAudience)
_NOT_RUNNING = 3  # what `systemctl status` answers


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    chosen = _parser().parse_args(arguments)
    commands = {"up": _up, "down": _down, "status": _status, "token": _token, "keys": _keys}
    try:
        return commands[chosen.command](chosen)
    except _FAILURES as error:
        sys.stderr.write(f"local: {error}\n")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m infra.local", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    up = commands.add_parser("up", help="start the environment and keep it running")
    up.add_argument("--port", type=int, default=DEFAULT_PORT, help="of the emulator; 0 takes a free one")
    up.add_argument("--state", type=Path, help="folder that keeps data from run to run")
    up.add_argument("--detach", action="store_true", help="return once it runs")
    down = commands.add_parser("down", help="stop it, cleanly")
    status = commands.add_parser("status", help="say whether it runs, and where")
    made = commands.add_parser("token", help="print an access token of an end user")
    token.add(made, COMPANY)
    cut = commands.add_parser("keys", help="print new keys of an administrator or a reader of a company")
    keys.add(cut, COMPANY)
    for command in (up, down, status, made, cut):
        command.add_argument("--outputs", type=Path, default=OUTPUTS, help=f"folder of {FILE_NAME} and logs")
    return parser


def _up(chosen: argparse.Namespace) -> int:
    if not dependencies_layer("host").is_dir():
        sys.stderr.write("local: the layers are not built: run `make layers`.\n")
        return 1
    if (process := holder(chosen.outputs)) is not None:
        raise AlreadyRunning(f"The environment of {chosen.outputs} runs already (process {process}).")
    if chosen.detach:
        return _up_detached(chosen)
    # A request to end is an exception here, so that everything that was started is ended on the way out.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with (
            running(chosen.outputs),
            LocalEnvironment(port=chosen.port or None, state=chosen.state, outputs=chosen.outputs, say=_say) as local,
        ):
            _show(local.outputs, chosen.outputs)
            while local.alive:
                time.sleep(_SECONDS_BETWEEN_LOOKS)
        _say(f"the emulator ended by itself; see {local.outputs.log_file}")
    except KeyboardInterrupt:
        _say("stopped")
        return 0
    return 1


def _up_detached(chosen: argparse.Namespace) -> int:
    arguments = ["up", "--port", str(chosen.port), "--outputs", str(chosen.outputs)]
    if chosen.state:
        arguments += ["--state", str(chosen.state)]
    chosen.outputs.mkdir(parents=True, exist_ok=True)
    log = chosen.outputs / "up.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            module("infra.local", *arguments),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    deadline = time.monotonic() + _DETACHED_SECONDS
    while time.monotonic() < deadline:
        outputs = outputs_of(chosen.outputs)
        if process.poll() is not None:
            sys.stderr.write(log.read_text(errors="replace"))
            return 1
        if outputs:
            _show(outputs, chosen.outputs)
            return 0
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    process.terminate()
    sys.stderr.write(f"local: not up after {_DETACHED_SECONDS} seconds; see {log}\n")
    return 1


def _down(chosen: argparse.Namespace) -> int:
    if not stop(chosen.outputs, seconds=_STOP_SECONDS):
        sys.stderr.write("local: it did not stop.\n")
        return 1
    _say("not running")
    return 0


def _status(chosen: argparse.Namespace) -> int:
    outputs = outputs_of(chosen.outputs)
    if outputs is None:
        _say("not running")
        return _NOT_RUNNING
    _show(outputs, chosen.outputs)
    return 0


def _token(chosen: argparse.Namespace) -> int:
    return _print(
        chosen,
        lambda outputs: token.access_token(
            outputs,
            chosen.user,
            company_id=chosen.company,
            audience=chosen.audience,
            scope=chosen.scope,
            expires=chosen.expires,
        ),
    )


def _keys(chosen: argparse.Namespace) -> int:
    return _print(chosen, lambda outputs: keys.caller_keys(outputs, chosen.company, chosen.kind))


def _print(chosen: argparse.Namespace, made_of: Callable[[Outputs], str]) -> int:
    """Print what is made of the running environment."""
    outputs = outputs_of(chosen.outputs)
    if outputs is None:
        sys.stderr.write("local: it does not run: start it with `make up`.\n")
        return _NOT_RUNNING
    sys.stdout.write(made_of(outputs) + "\n")
    return 0


def _show(outputs: Outputs, folder: Path) -> None:
    stand_in = " (a stand-in that answers by rules)" if outputs.model == OFFLINE else ""
    _say("running")
    _say(f"  API    {outputs.api_url}")
    _say(f"  model  {outputs.model} at {outputs.model_base_url or 'the provider'}{stand_in}")
    _say(f"  page   {outputs.page_url}")
    _say(f"  more   {folder / FILE_NAME}")


def _say(line: str) -> None:
    sys.stdout.write(f"local: {line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
