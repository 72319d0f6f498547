"""Whoever waits for a recall does not wait for the `openai` client."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
import botocore.session, botocore.httpsession
before = set(sys.modules)
import context_memory.adapters.http_embedder
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""


@pytest.fixture(scope="module")
def imported() -> set[str]:
    """Packages that the embedder brings beside what every client of AWS has brought already."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)  # noqa: S603 - the program above
    return set(done.stdout.split())


@pytest.mark.parametrize("name", ["openai", "httpx", "numpy", "pydantic"])
def test_the_embedder_brings_nothing_heavy(imported: set[str], name: str) -> None:
    assert "context_memory" in imported
    assert name not in imported
