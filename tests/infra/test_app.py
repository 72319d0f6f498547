"""What the app tells those who deploy, and what it gives every stack."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from aws_cdk import App
from aws_cdk.assertions import Template

from infra.app import NotSynthesised, check_built, main
from infra.environments import DEV, missing
from infra.layers.places import ROOT
from infra.limits import MOST_VARIABLE_BYTES, too_large, variable_bytes
from infra.stacks.service import CodeFolders
from infra.synthesis import add_stacks

if TYPE_CHECKING:
    from pathlib import Path

    from aws_cdk import Stack

    from infra.environments import Environment


def stacks(environment: Environment, code: Path) -> dict[str, Stack]:
    app = App(context={"aws:cdk:disable-asset-staging": True})
    folders = CodeFolders(
        functions=ROOT / "functions", own_layer=code / "own", dependencies_layer=code / "dependencies"
    )
    return add_stacks(app, environment, folders)


def test_an_unknown_environment_is_answered_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["env=prd"]) == 1
    assert capsys.readouterr().err == f"infra.app: {missing('prd')}\n"


@pytest.mark.parametrize("slip", ["envv=dev", "dev", "env="])
def test_a_setting_that_nobody_reads_is_refused(slip: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([slip]) == 1
    assert "Say env=NAME or out=FOLDER" in capsys.readouterr().err


def test_without_layers_it_says_how_to_build_them(tmp_path: Path) -> None:
    check_built(tmp_path, target="aws")

    with pytest.raises(NotSynthesised, match=r"run `\.venv/bin/python -m infra\.layers aws`"):
        check_built(tmp_path, tmp_path / "missing", target="aws")


def test_all_stacks_go_to_the_account_and_region_of_the_file(code_folder: Path) -> None:
    environment = replace(DEV, account="111122223333", region="eu-central-1")

    for concern, stack in stacks(environment, code_folder).items():
        assert (concern, stack.account, stack.region) == (concern, "111122223333", "eu-central-1")


def test_without_an_account_the_stacks_go_wherever_the_credentials_belong(code_folder: Path) -> None:
    for concern, stack in stacks(DEV, code_folder).items():
        assert (concern, stack.environment) == (concern, "aws://unknown-account/unknown-region")


def test_everything_that_can_carry_tags_carries_the_environments(code_folder: Path) -> None:
    environment = replace(DEV, tags={"cost-centre": "4711"})

    tagged: dict[str, list[Any]] = {}
    for stack in stacks(environment, code_folder).values():
        for resource in Template.from_stack(stack).to_json()["Resources"].values():
            tagged.setdefault(resource["Type"], []).append(resource["Properties"].get("Tags"))
    for kind in ("AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::KMS::Key", "AWS::Lambda::Function", "AWS::IAM::Role"):
        assert tagged[kind], kind
        assert all({"Key": "cost-centre", "Value": "4711"} in tags for tags in tagged[kind]), kind


def function(**variables: Any) -> dict[str, Any]:  # noqa: ANN401 - a template's value
    properties = {"FunctionName": "load", "Environment": {"Variables": variables}}
    return {"Resources": {"f": {"Type": "AWS::Lambda::Function", "Properties": properties}}}


def test_variables_that_lambda_takes_are_let_through() -> None:
    assert list(too_large(function(COMPANIES="x" * 4000))) == []


def test_variables_that_lambda_would_refuse_are_a_sentence_before_anything_is_deployed() -> None:
    (sentence,) = too_large(function(COMPANIES="x" * 4096))

    assert sentence.startswith("the environment variables of load are 4112 bytes, and Lambda takes 4096: name fewer")


def test_letters_that_take_two_bytes_count_twice() -> None:
    assert variable_bytes({"A": "ü"}) == variable_bytes({"A": "uu"})


def test_references_count_as_what_they_may_become() -> None:
    queue = {"Fn::Join": ["", ["https://sqs.", {"Ref": "AWS::Region"}, ".amazonaws.com/q"]]}

    longest = variable_bytes({"QUEUE": "https://sqs.ap-southeast-1.amazonaws.com/q"})
    assert variable_bytes({"QUEUE": queue}) == longest
    assert variable_bytes({"QUEUE": {"Ref": "SomeQueue"}}) > longest


def test_every_function_has_room_for_growth(code_folder: Path) -> None:
    sizes = {
        resource["Properties"]["FunctionName"]: variable_bytes(resource["Properties"]["Environment"]["Variables"])
        for stack in stacks(DEV, code_folder).values()
        for resource in Template.from_stack(stack).to_json()["Resources"].values()
        if resource["Type"] == "AWS::Lambda::Function" and "Environment" in resource["Properties"]
    }

    assert sizes
    assert max(sizes.values()) < 0.75 * MOST_VARIABLE_BYTES, sizes
