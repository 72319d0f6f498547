"""`python -m infra.local.demo`: plays the conversations of `events/conversations` and shows what is remembered.

Starts a local environment of its own on a free port (with `--reuse` it takes the running one, and users of their own),
plays turn by turn, and shows for each what happened and what changed; then which facts were written back, what a
question recalls, with vectors and without, and what becomes of citations. Ends with 1 when a turn was not final in time
or a request failed; what a model decides to remember is no failure.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import tempfile
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from rich.rule import Rule
from rich.text import Text

from infra.layers.places import dependencies_layer
from infra.local.assembly import SynthesisFailed
from infra.local.client import Client, ServiceError
from infra.local.commands.load import show_loaded
from infra.local.commands.replay import with_suffix
from infra.local.commands.shared import SPACE, WAIT_SECONDS, UsageError
from infra.local.demo_facts import demonstrate_facts
from infra.local.deploy import DeployFailed
from infra.local.difference import difference
from infra.local.environment import LocalEnvironment
from infra.local.models import ModelNotNamed, local_embeddings, named_embeddings, named_endpoint
from infra.local.offline_model import MODEL as OFFLINE
from infra.local.outputs import Outputs
from infra.local.paths import OUTPUTS, ROOT
from infra.local.processes import StartFailed
from infra.local.replay.plan import Plan, ReplayFileError
from infra.local.replay.player import Played, play
from infra.local.replay.reading import read_file
from infra.local.screen import console, indented, outcome, printable, show_difference, show_summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from infra.local.replay.plan import PlannedTurn

CONVERSATIONS = ROOT / "events" / "conversations"
_FAILURES = (
    DeployFailed, ModelNotNamed, ReplayFileError, ServiceError, StartFailed, SynthesisFailed, UsageError,
)  # fmt: skip
_LONGEST_SAID = 400  # characters of what the user said that are shown


def main(argv: Sequence[str] | None = None) -> int:
    """Start, play, show; 0 when every turn became final, 1 when not or when the environment did not start."""
    options = _parser().parse_args(argv)
    screen = console()
    # A request to end is an exception here, so that everything that was started is ended on the way out.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        code, outputs = _play(screen, options)
    except _FAILURES as error:
        _tell(screen, str(error))
        return 1
    except KeyboardInterrupt:
        _tell(screen, "Interrupted.")
        return 1
    if code:
        _tell(screen, f"Something went wrong; the functions' log is {outputs.log_file}")
    elif not options.reuse:
        shutil.rmtree(Path(outputs.log_file).parent, ignore_errors=True)
    return code


def _play(screen: Console, options: argparse.Namespace) -> tuple[int, Outputs]:
    plan = _plan(options)
    with ExitStack() as running:
        vectors = ExitStack()
        outputs = _running(options.outputs) if options.reuse else _start(running, vectors, screen)
        client = running.enter_context(Client(outputs))
        code = demonstrate(screen, client, plan, seconds=options.wait)
        # The model of vectors can be taken away only where it is ours alone.
        taken = None if options.reuse or named_embeddings(os.environ, named_endpoint(os.environ)) else vectors.close
        first = next(iter(plan.by_user().values()))
        demonstrate_facts(screen, client, first, without_vectors=taken, seconds=options.wait)
        return code, outputs


def demonstrate(screen: Console, client: Client, plan: Plan, *, seconds: float) -> int:
    """Play the plan turn by turn with everything that happens, then what new chats load, then the sums."""
    screen.print(Text.assemble(("Context Memory", "bold"), "  ", (_model(client.outputs), "dim")))
    started = time.monotonic()
    played = [_show(screen, client, number, turn, seconds) for number, turn in enumerate(plan.turns, start=1)]
    for user_id, turns in plan.by_user().items():
        screen.print()
        screen.print(
            Rule(Text(f"What a new chat of {printable(user_id)} loads", style="bold"), align="left", style="dim")
        )
        show_loaded(screen, client.load(user_id, turns[-1].space_id))
    screen.print()
    show_summary(screen, played, time.monotonic() - started)
    return 0 if all(one.skipped or (one.state and one.state.status == "done") for one in played) else 1


def _show(screen: Console, client: Client, number: int, turn: PlannedTurn, seconds: float) -> Played:
    here = turn.occurred_at.astimezone(ZoneInfo(turn.time_zone) if turn.time_zone else UTC)
    title = f"{number} · {turn.display_name or turn.user_id} · {turn.chat_id} · {here:%a %d %b %H:%M}"
    screen.print()
    screen.print(Rule(Text(printable(title), style="bold"), align="left", style="dim"))
    screen.print(indented(Text(_shortened(turn.said), style="italic"), 2))
    screen.print(indented(Text(f"→ {turn.note}", style="dim"), 2))
    before = client.load(turn.user_id, turn.space_id)
    (played,) = play(client, [turn], seconds=seconds)
    screen.print(indented(outcome(played), 2))
    show_difference(screen, difference(before.memory, client.load(turn.user_id, turn.space_id).memory))
    return played


def _plan(options: argparse.Namespace) -> Plan:
    files = options.file or sorted(CONVERSATIONS.glob("*.json"))
    plans = [read_file(file, now=datetime.now(UTC), space=SPACE, user="demo") for file in files]
    plan = Plan.of("demo", (turn for one in plans for turn in one.turns))
    return with_suffix(plan, f"{datetime.now(UTC):%m%d%H%M%S}") if options.reuse else plan


def _running(folder: Path) -> Outputs:
    try:
        return Outputs.read(folder)
    except FileNotFoundError as error:
        raise UsageError("No environment runs here; leave --reuse out, or start one with `make up`.") from error


def _start(running: ExitStack, vectors: ExitStack, screen: Console) -> Outputs:
    """An environment of its own, with a model of vectors that goes when `vectors` closes.

    Its folder stays behind only when something goes wrong: it holds the logs.
    """
    if not dependencies_layer("host").is_dir():
        raise UsageError("The layers are not built: run `make layers`.")
    folder = Path(tempfile.mkdtemp(prefix="context-memory-demo-"))
    running.push(vectors)
    named = named_embeddings(os.environ, named_endpoint(os.environ))
    embeddings = named or vectors.enter_context(local_embeddings(folder / "embedding-model.log"))
    local = LocalEnvironment(
        outputs=folder, embeddings=embeddings, say=lambda line: screen.print(Text(f"  {line}", style="dim"))
    )
    return running.enter_context(local).outputs


def _tell(screen: Console, what: str) -> None:
    screen.print(Text(what, style="bold red"))


def _model(outputs: Outputs) -> str:
    if outputs.model == OFFLINE:
        return "with the offline model: a stand-in by rules, no language model"
    return f"with {outputs.model}"


def _shortened(said: str) -> str:
    text = printable(said.strip())
    return text if len(text) <= _LONGEST_SAID else f"{text[:_LONGEST_SAID].rstrip()} …"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m infra.local.demo", description="Play conversations and show what is remembered of them."
    )
    parser.add_argument(
        "file", nargs="*", type=Path, help="conversations to play (default: all of events/conversations)"
    )
    parser.add_argument("--reuse", action="store_true", help="use the running environment instead of starting one")
    parser.add_argument(
        "--outputs", type=Path, default=OUTPUTS, metavar="DIR", help="with --reuse: folder of outputs.json"
    )
    parser.add_argument(
        "--wait",
        type=float,
        default=WAIT_SECONDS,
        metavar="SECONDS",
        help="how long a turn may take (default: %(default).0f)",
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
