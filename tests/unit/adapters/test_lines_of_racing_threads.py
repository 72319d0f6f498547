"""Many threads write log lines and metrics to one pipe: whoever reads it finds whole lines, and all of them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from context_memory.adapters.powertools_telemetry import PowertoolsTelemetry

THREADS, ROUNDS = 8, 150


def race() -> None:
    """What the process under test does; its threads are made to take turns in the middle of what they do."""
    sys.setswitchinterval(1e-6)
    telemetry = PowertoolsTelemetry(service="maintain", namespace="ContextMemory/dev", level="INFO")
    start = Barrier(THREADS)

    def write(thread: int) -> None:
        start.wait()
        for number in range(ROUNDS):
            telemetry.event("looked after stranded turns", writer=thread, number=number)
            figures = {"storage_total": 1.0, "storage_duration_seconds": thread + number / ROUNDS}
            telemetry.count_all(figures, op="commit", outcome="success")

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(write, range(THREADS)))


@pytest.mark.parametrize("options", [[], ["-u"]], ids=["buffered", "unbuffered"])
def test_lines_of_racing_threads_stay_whole_and_none_is_lost(options: list[str]) -> None:
    ran = subprocess.run(  # noqa: S603 - this very file, by this very Python
        [sys.executable, *options, __file__], stdout=subprocess.PIPE, check=True, timeout=60
    )
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    events = Counter((line["writer"], line["number"]) for line in lines if "writer" in line)
    figures = Counter(line["storage_duration_seconds"][0] for line in lines if "_aws" in line)
    assert set(events.values()) == set(figures.values()) == {1}
    assert len(events) == len(figures) == THREADS * ROUNDS


if __name__ == "__main__":
    race()
