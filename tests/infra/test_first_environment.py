"""The file that docs/deploying.md begins with: whoever copies it has an environment that synthesises."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from aws_cdk import App

from infra.app import NotSynthesised, assembly
from infra.environments.finding import BrokenEnvironment, found
from infra.environments.parts import Alarms
from infra.layers.places import ROOT
from infra.nag.acknowledged import acknowledged
from infra.nag.checks import Finding, findings, guard
from tests.infra.templates import stacks_of

if TYPE_CHECKING:
    from pathlib import Path

    from infra.environments import Environment

_BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "deploying.md").read_text(), re.DOTALL)


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    (text,) = _BLOCKS
    return written(text, tmp_path, monkeypatch)


def written(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    """The environment `qa` of a file that somebody wrote."""
    package = folder / "theirs"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").write_text("")
    (package / "qa.py").write_text(text)
    monkeypatch.syspath_prepend(str(folder))
    for module in ("theirs", "theirs.qa"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    return found([str(package)], "theirs")["qa"]


def test_the_first_environment_of_the_page_is_synthesised_with_nothing_unexplained(
    example: Environment, code_folder: Path, tmp_path: Path
) -> None:
    app = App(outdir=str(tmp_path / "out"))
    stacks = stacks_of(app, example, code_folder)
    unexplained = findings(stacks) - {Finding(entry.rule, entry.at) for entry in acknowledged(example)}

    assert sorted(unexplained) == []
    guard(app, stacks, example)
    assert len(assembly(app).stacks) == len(stacks)


def test_what_is_not_explained_is_said_in_a_sentence(example: Environment, code_folder: Path, tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path / "out"))
    stacks = stacks_of(app, example, code_folder)
    # Guarded as if nobody were told of alarms: the subscription is then a finding without a reason.
    guard(app, stacks, replace(example, alarms=Alarms()))

    with pytest.raises(NotSynthesised, match=r"say in infra/nag/acknowledged\.py why"):
        assembly(app)


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        (("durable=", "durabel="), r"theirs/qa\.py, line \d+: .*'durabel'"),
        (("rate=50, burst=100", 'rate="50", burst=100'), r"theirs/qa\.py, line \d+: "),
        (('role="chat-orchestrator"),)', 'role="chat-orchestrator"))'), "callers must be a tuple of Principals"),
        (('"smoke": Company(),', '"smoke": {},'), "the company 'smoke' must be a Company"),
        (('("acme",)}', '("acme")}'), "an audience's companies must be a tuple"),
        ((" Principal,", ""), r"theirs/qa\.py, line \d+: name 'Principal' is not defined"),
    ],
)
def test_a_slip_in_it_is_named_with_its_place(
    slip: tuple[str, str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert slip[0] in _BLOCKS[0]

    with pytest.raises(BrokenEnvironment, match=said):
        written(_BLOCKS[0].replace(*slip, 1), tmp_path, monkeypatch)
