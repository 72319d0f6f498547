"""A look at the memory must not wait for what only a change needs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from infra.local.coldstart.__main__ import local_variables

FUNCTION = Path(__file__).parents[2] / "functions" / "account"
FOR_CHANGES_ALONE = (
    "boto3",
    "jinja2",
    "markdown_it",
    "openai",
    "pydantic",
    "tiktoken",
    "yaml",
    "context_memory.application.changing",
    "context_memory.contracts.memory",
)
STARTED, READING, CHANGING = "None", "handler.account.routes('reading')", "handler.account.routes('changing')"


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """What a fresh process has imported after the start, then with the group that only reads, then with the other."""
    variables = local_variables("account", tmp_path_factory.mktemp("no-outputs"))
    told = "print(json.dumps(sorted(sys.modules)), flush=True)"
    program = (
        f"import json, os, sys; sys.path[:] = {[str(FUNCTION), *sys.path]!r}\nimport handler\n"
        + "\n".join(f"{step}\n{told}" for step in (STARTED, READING, CHANGING))
        + "\nos._exit(0)"
    )
    done = subprocess.run(  # noqa: S603 - the program above
        [sys.executable, "-c", program], env=dict(variables), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return dict(zip((STARTED, READING, CHANGING), map(set, map(json.loads, done.stdout.splitlines())), strict=True))


@pytest.mark.parametrize("name", FOR_CHANGES_ALONE)
@pytest.mark.parametrize("step", [STARTED, READING])
def test_whoever_only_looks_does_not_wait_for(imported: dict[str, set[str]], step: str, name: str) -> None:
    assert name not in imported[step]


def test_what_a_change_needs_comes_with_the_first_change(imported: dict[str, set[str]]) -> None:
    expected = set(FOR_CHANGES_ALONE) - {"boto3", "openai"}
    assert expected <= imported[CHANGING]
