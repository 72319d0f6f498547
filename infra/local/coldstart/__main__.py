"""`python -m infra.local.coldstart [FUNCTION …]`: how long the functions take to start on this machine."""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from infra.environments import LOCAL
from infra.layers.places import VOCABULARY
from infra.local.coldstart.measure import StartTooSlow, measure
from infra.local.emulator_process import ACCOUNT, REGION
from infra.local.paths import OUTPUTS
from infra.local.running import outputs_of
from infra.names import FUNCTIONS, Names
from infra.variables import variables_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one line a function; returns 1 when one could not start."""
    parser = argparse.ArgumentParser(prog="python -m infra.local.coldstart", description=__doc__)
    parser.add_argument("functions", nargs="*", default=list(FUNCTIONS), metavar="FUNCTION", help="default: all")
    parser.add_argument("--samples", type=int, default=10)
    parser.add_argument("--event", type=Path, help="first event (JSON); default {}, which most functions refuse")
    parser.add_argument("--outputs", type=Path, default=OUTPUTS, help="of a running environment, for the first event")
    chosen = parser.parse_args(arguments)
    event = chosen.event.read_bytes() if chosen.event else b"{}"
    failed = False
    for function in chosen.functions:
        try:
            starts = measure(
                function, event=event, variables=local_variables(function, chosen.outputs), samples=chosen.samples
            )
        except StartTooSlow as error:
            sys.stderr.write(f"{error}\n")
            failed = True
            continue
        init, first = [1e3 * start.init for start in starts], [1e3 * start.first for start in starts]
        outcome = starts[-1].kind if first[-1] else f"did not start: {starts[-1].body[:300]}"
        failed |= not first[-1]
        sys.stdout.write(
            f"{function:12} init {statistics.median(init):5.0f} ms ({min(init):.0f} to {max(init):.0f})"
            f"   first event {statistics.median(first):5.0f} ms, {outcome}\n"
        )
    return int(failed)


def local_variables(function: str, outputs: Path) -> dict[str, str]:
    """What a function is given on this machine; its endpoint is the environment that runs with `outputs`, if any."""
    names = Names(environment=LOCAL.name, account=ACCOUNT, region=REGION)
    running = outputs_of(outputs)
    return {
        **variables_of(function, environment=LOCAL, names=names, url_suffix="amazonaws.com"),
        "TIKTOKEN_CACHE_DIR": str(VOCABULARY),
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        # Port 9 discards: without a running environment the first event finds nobody, and never AWS.
        "AWS_ENDPOINT_URL": running.endpoint_url if running else "http://127.0.0.1:9",
    }


if __name__ == "__main__":
    sys.exit(main())
