"""cdk-nag's two packs over every environment: what they find is mended or acknowledged, each with its reason."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from aws_cdk import App, aws_sqs

from infra.environments import DEV, ENVIRONMENTS
from infra.nag.acknowledged import acknowledged
from infra.nag.checks import Finding, findings, guard
from tests.infra.templates import stacks_of

if TYPE_CHECKING:
    from pathlib import Path

    from infra.environments import Environment

_all: dict[str, set[Finding]] = {}


def found(environment: Environment, code: Path) -> set[Finding]:
    """What the packs find with nothing acknowledged; looked for once per environment."""
    if environment.name not in _all:
        _all[environment.name] = findings(stacks_of(App(), environment, code))
    return _all[environment.name]


def explained(environment: Environment) -> set[Finding]:
    return {Finding(entry.rule, entry.at) for entry in acknowledged(environment)}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_every_finding_is_acknowledged_on_its_resource(code_folder: Path, name: str) -> None:
    environment = ENVIRONMENTS[name]

    assert sorted(found(environment, code_folder) - explained(environment)) == []


def test_no_acknowledgement_outlives_its_finding(code_folder: Path) -> None:
    needed = {
        (finding.rule.replace(f"-{name}-", "-ENV-"), finding.at)
        for name, environment in ENVIRONMENTS.items()
        for finding in found(environment, code_folder)
    }
    given = {
        (finding.rule.replace(f"-{name}-", "-ENV-"), finding.at)
        for name, environment in ENVIRONMENTS.items()
        for finding in explained(environment)
    }

    assert sorted(given - needed) == []


def test_an_acknowledgement_names_one_rule_one_resource_and_a_reason_once() -> None:
    entries = acknowledged(DEV)

    assert len({(entry.rule, entry.at) for entry in entries}) == len(entries)
    assert all(len(entry.reason.split()) > 5 and not entry.reason.endswith(".") for entry in entries)


def test_acknowledgements_silence_exactly_what_they_name(code_folder: Path) -> None:
    app = App()
    stacks = stacks_of(app, DEV, code_folder)
    aws_sqs.Queue(stacks["queues"], "Open")

    guard(app, stacks, DEV)

    assert {(finding.rule, finding.at) for finding in findings(stacks)} == {
        ("AwsSolutions-SQS3", "queues/Open"),
        ("AwsSolutions-SQS4", "queues/Open"),
        ("Serverless-SQSRedrivePolicy", "queues/Open"),
    }


def test_the_synthesis_fails_on_a_finding_that_nobody_explained(code_folder: Path, tmp_path: Path) -> None:
    def synthesise(*, with_an_open_queue: bool) -> None:
        app = App(outdir=str(tmp_path))
        stacks = stacks_of(app, replace(DEV, tags={}), code_folder)
        if with_an_open_queue:
            aws_sqs.Queue(stacks["queues"], "Open")
        guard(app, stacks, DEV)
        app.synth()

    synthesise(with_an_open_queue=False)
    with pytest.raises(RuntimeError, match="ValidationFailed"):
        synthesise(with_an_open_queue=True)
