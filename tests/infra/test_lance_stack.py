"""The function `lance`: only where an environment has it, an image, and without a right to anybody's data."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from aws_cdk import App
from aws_cdk.assertions import Template

from context_memory.settings.lance import LanceSettings
from context_memory.settings.reading import variables
from infra.environments import DEV
from infra.environments.parts import FunctionSize
from infra.images import lance_context
from infra.nag.acknowledged import acknowledged
from infra.nag.checks import Finding, findings
from infra.synthesis import HOLD_NOTHING
from tests.infra.templates import ACCOUNT, REGION, stacks_of, synthesise
from tests.infra.test_template_lint import complaints

if TYPE_CHECKING:
    from pathlib import Path

    from tests.infra.templates import Templates

WITH_TABLES = replace(DEV, lance=FunctionSize(memory_mb=2048, timeout_seconds=60))
ARN = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:context-memory-dev-lance"
ASKERS = ("recall", "extract", "maintain")
KNOWING = (*ASKERS, "account")
"""Whoever lets others write the tables must know that there are any."""


@pytest.fixture(scope="module")
def templates(code_folder: Path) -> Templates:
    return synthesise(WITH_TABLES, code_folder)


def test_it_is_an_image_that_reads_only_what_its_settings_know(templates: Templates) -> None:
    (function,) = templates.resources("AWS::Lambda::Function", "lance").values()
    assert function["PackageType"] == "Image"
    assert (function["FunctionName"], function["MemorySize"], function["Timeout"]) == (
        "context-memory-dev-lance",
        2048,
        60,
    )
    set_by_lambda = {"AWS_REGION", "AWS_ENDPOINT_URL_S3"}  # the second by nobody but an emulator
    assert set(function["Environment"]["Variables"]) == set(variables(LanceSettings)) - set_by_lambda


def test_its_own_role_reaches_nothing(templates: Templates) -> None:
    allowed = {
        action
        for statement in templates.statements(templates.names.function_role("lance"))
        for action in ([statement["Action"]] if isinstance(statement["Action"], str) else statement["Action"])
    }
    assert {action.partition(":")[0] for action in allowed} == {"logs", "xray"}


def test_only_those_who_have_facts_may_ask_it(templates: Templates) -> None:
    asking = {
        function
        for function in WITH_TABLES.functions
        for statement in templates.statements(templates.names.function_role(function))
        if statement["Action"] == "lambda:InvokeFunction" and statement["Resource"] == ARN
    }
    assert asking == set(ASKERS)


@pytest.mark.parametrize("name", KNOWING)
def test_whoever_writes_or_searches_facts_knows_its_name(templates: Templates, dev: Templates, name: str) -> None:
    def told(of: Templates) -> str:
        functions = of.named("AWS::Lambda::Function", "FunctionName")
        return str(functions[f"context-memory-dev-{name}"]["Environment"]["Variables"]["LANCE_FUNCTION"])

    assert told(templates) == "context-memory-dev-lance"
    assert told(dev) == ""


def test_an_environment_without_it_has_nothing_of_it(dev: Templates) -> None:
    assert "lance" not in dev.by_concern
    assert "lambda:InvokeFunction" not in str(dev.statements(dev.names.function_role("recall")))


def test_it_holds_no_data_and_both_linters_pass_it(code_folder: Path, tmp_path: Path) -> None:
    assert "lance" in HOLD_NOTHING
    stacks = {"lance": stacks_of(App(), WITH_TABLES, code_folder)["lance"]}
    explained = {Finding(entry.rule, entry.at) for entry in acknowledged(WITH_TABLES) if entry.at.startswith("lance/")}
    assert sorted(findings(stacks)) == sorted(explained)
    file = tmp_path / "lance.template.json"
    file.write_text(json.dumps(Template.from_stack(stacks["lance"]).to_json()))
    assert complaints(file) == []


def test_what_the_image_is_built_from_is_complete_and_pinned(tmp_path: Path) -> None:
    context = lance_context(tmp_path / "context")
    assert {"Dockerfile", "handler.py", "requirements.txt", "context_memory"} == {
        entry.name for entry in context.iterdir()
    }
    requirements = (context / "requirements.txt").read_text()
    assert "lancedb==" in requirements
    assert "--hash=sha256:" in requirements
    assert "boto" not in requirements
    assert not list(context.rglob("__pycache__"))
    copied = [line.split()[1:-1] for line in (context / "Dockerfile").read_text().splitlines() if line[:4] == "COPY"]
    assert {source for sources in copied for source in sources} <= {entry.name for entry in context.iterdir()}
