"""Functions start as Lambda starts them, with their layers and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from infra.local.coldstart import measure as measuring
from infra.local.coldstart.__main__ import local_variables
from infra.names import FUNCTIONS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_starts_from_its_layers_alone(function: str, tmp_path: Path) -> None:
    (start,) = measuring.measure(function, event=b"{}", variables=local_variables(function, tmp_path), samples=1)

    assert start.first > 0, start.body
    assert 0 < start.init < 30


def test_a_package_that_no_layer_holds_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "functions" / "needy").mkdir(parents=True)
    (tmp_path / "functions" / "needy" / "handler.py").write_text("import hypothesis\ndef handler(e, c): return e\n")
    monkeypatch.setattr(measuring, "ROOT", tmp_path)

    (start,) = measuring.measure("needy", event=b"{}", variables={}, samples=1)

    assert start.first == 0
    assert "hypothesis" in start.body


def test_the_first_event_is_answered_by_the_handler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "functions" / "echo").mkdir(parents=True)
    (tmp_path / "functions" / "echo" / "handler.py").write_text("def handler(e, c): return {'got': e}\n")
    monkeypatch.setattr(measuring, "ROOT", tmp_path)

    (start,) = measuring.measure("echo", event=b'{"a": 1}', variables={}, samples=1)

    assert (start.kind, start.body) == ("response", '{"got": {"a": 1}}')
