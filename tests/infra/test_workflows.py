"""The workflows hold nothing that the Makefile does not: what they run, anybody can."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from infra.environments import ENVIRONMENTS
from infra.layers.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

WORKFLOWS = {file.stem: yaml.safe_load(file.read_text()) for file in (ROOT / ".github" / "workflows").glob("*.yml")}
MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = frozenset(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for workflow, document in WORKFLOWS.items():
        for name, job in document["jobs"].items():
            yield f"{workflow}/{name}", job


def steps(key: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, job in jobs():
        for step in job["steps"]:
            if key in step:
                yield name, step


def test_there_is_one_for_pull_requests_and_one_for_main() -> None:
    assert set(WORKFLOWS) == {"pull-request", "main"}
    assert {name.partition("/")[2] for name, _ in jobs()} == {"check", "test", "synth", "diff", "staging", "prod"}


def test_every_step_is_a_target_of_the_makefile() -> None:
    run = [step["run"] for _, step in steps("run")]

    assert len(run) > 8
    for command in run:
        target, *values = command.removeprefix("make ").split()
        assert command.startswith("make "), command
        assert target in TARGETS, command
        names = [value.removeprefix("ENV=") for value in values if value.startswith("ENV=")]
        assert set(names) <= set(ENVIRONMENTS), command


@pytest.mark.parametrize("target", ["synth", "nag", "lint-templates", "diff", "deploy", "destroy", "smoke"])
def test_the_makefile_says_what_a_target_does(target: str) -> None:
    assert re.search(rf"^{target}:.*## \w+", MAKEFILE, re.MULTILINE)


@pytest.mark.parametrize("target", ["diff", "deploy", "destroy", "smoke"])
def test_nothing_is_done_to_an_environment_that_nobody_named(target: str) -> None:
    command = ["make", target, "ENV="]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own Makefile

    assert done.returncode == 2
    assert "Which environment?" in done.stderr


def test_help_lists_every_target_that_says_what_it_does_in_columns() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607 - as people call it

    documented = set(re.findall(r"^([a-z-]+):.*## \w+", MAKEFILE, re.MULTILINE))
    listed = [re.fullmatch(r"([a-z-]+) {2,}(\S.*)", line) for line in done.stdout.splitlines()]
    assert {line[1] for line in listed if line} == documented
    assert len({line.start(2) for line in listed if line}) == 1


def test_actions_are_pinned_by_commit() -> None:
    used = [step["uses"] for _, step in steps("uses")]

    assert used
    assert [one for one in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", one)] == []


def test_nothing_is_secret_and_a_role_is_only_for_jobs_that_need_it() -> None:
    assert not any("secrets." in file.read_text() for file in (ROOT / ".github" / "workflows").iterdir())
    for document in WORKFLOWS.values():
        assert document["permissions"] == {"contents": "read"}
    granted = {name for name, job in jobs() if job.get("permissions", {}).get("id-token") == "write"}
    assumed = {name for name, step in steps("uses") if "configure-aws-credentials" in step["uses"]}
    assert granted == assumed == {"pull-request/diff", "main/staging", "main/prod"}


def test_a_fork_gets_no_role() -> None:
    assert "head.repo.full_name == github.repository" in WORKFLOWS["pull-request"]["jobs"]["diff"]["if"]


def test_production_comes_after_staging_passed_its_smoke_test_and_behind_its_environment() -> None:
    main = WORKFLOWS["main"]["jobs"]

    assert (main["staging"]["needs"], main["prod"]["needs"]) == ("test", "staging")
    assert (main["staging"]["environment"], main["prod"]["environment"]) == ("staging", "prod")
    assert [step["run"] for step in main["staging"]["steps"] if "run" in step] == [
        "make deploy ENV=staging APPROVAL=never",
        "make smoke ENV=staging",
    ]


def test_a_deployment_is_never_cut_off_by_the_next() -> None:
    for name in ("staging", "prod"):
        concurrency = WORKFLOWS["main"]["jobs"][name]["concurrency"]
        assert concurrency == {"group": f"deploy-{name}", "cancel-in-progress": False}
