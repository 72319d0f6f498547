"""cfn-lint over every template of every environment: properties, types, patterns and policies."""

from __future__ import annotations

import json
import subprocess
import sysconfig
from pathlib import Path

from infra.environments import ENVIRONMENTS
from infra.layers.places import ROOT

CFN_LINT = str(Path(sysconfig.get_path("scripts")) / "cfn-lint")


def complaints(*templates: Path) -> list[str]:
    """What cfn-lint says, under the repository's own configuration."""
    done = subprocess.run(  # noqa: S603 - our own templates, through our own tool
        [CFN_LINT, "--format", "json", "--template", *map(str, templates)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr, done.stderr
    return [f"{one['Filename']}: {one['Rule']['Id']} {one['Message']}" for one in json.loads(done.stdout)]


def test_cfn_lint_has_nothing_to_say(template_files: dict[str, Path]) -> None:
    templates = [file for folder in template_files.values() for file in folder.glob("*.template.json")]

    assert {file.parent for file in templates} == {template_files[name] for name in ENVIRONMENTS}
    assert complaints(*templates) == []


def test_cfn_lint_would_notice_a_misspelt_property(template_files: dict[str, Path], tmp_path: Path) -> None:
    text = (template_files["dev"] / "storage.template.json").read_text()
    spoilt = tmp_path / "spoilt.template.json"
    spoilt.write_text(text.replace("DeletionProtectionEnabled", "DeletionProtected"))

    assert any("E3002" in complaint for complaint in complaints(spoilt))
