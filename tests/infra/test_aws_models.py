"""What is left of botocore's descriptions of AWS: enough for every call that the adapters make."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import botocore
import pytest
from botocore import xform_name

from infra.layers.aws_models import OPERATIONS, cut_model, cut_models
from infra.layers.places import EMULATOR_PYTHON, OWN_SOURCE, dependencies_layer

ADAPTERS = OWN_SOURCE / "context_memory" / "adapters"
CALLED_BY_BOTOCORE = {"head_bucket"}
SENDS_EACH = """
import sys
_, layer, *services = sys.argv
sys.path.insert(0, layer)
import botocore.session
from botocore import xform_name
from botocore.config import Config

class Sent(Exception):
    pass

def send(**_):
    raise Sent

session = botocore.session.get_session()
session.set_credentials("a", "b")
given = {
    "s3": {"Bucket": "bucket", "Key": "key"},
    "sqs": {"QueueUrl": "https://sqs.eu-central-1.amazonaws.com/000000000000/q.fifo"},
    "lambda": {"FunctionName": "function"},
    "dynamodb": {"RequestItems": {}},
}
for service in services:
    client = session.create_client(service, region_name="eu-central-1", config=Config(parameter_validation=False))
    client.meta.events.register("before-send", send)
    for name in client.meta.service_model.operation_names:
        members = client.meta.service_model.operation_model(name).input_shape.members
        try:
            arguments = {one: value for one, value in given.get(service, {}).items() if one in members}
            getattr(client, xform_name(name))(**arguments)
        except Sent:
            print(name)
"""
WHOLE = Path(botocore.__file__).parent / "data"


def calls_of_clients(source: str) -> set[str]:
    """Operations that a module calls on something named like a client, or pages through."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        owner = ast.unparse(node.func.value).rpartition(".")[2].removeprefix("_")
        if owner in {"client", "sts"}:
            paged = node.args[0] if node.func.attr == "get_paginator" else None
            found.add(paged.value if isinstance(paged, ast.Constant) else node.func.attr)
    return {str(name) for name in found}


def test_the_layer_keeps_the_operations_that_adapters_call_and_no_other() -> None:
    aws = [file for file in ADAPTERS.rglob("*.py") if "in_memory" not in file.parts and "openai" not in file.name]
    called = {call for file in aws for call in calls_of_clients(file.read_text())}

    assert called | CALLED_BY_BOTOCORE == {xform_name(name) for names in OPERATIONS.values() for name in names}


def test_an_operation_keeps_the_shapes_it_reaches_and_loses_its_prose() -> None:
    model: dict[str, Any] = {
        "version": "2.0",
        "clientContextParams": {"Path": {"type": "boolean", "documentation": "botocore reads this."}},
        "operations": {
            "Get": {"input": {"shape": "In"}, "errors": [{"shape": "Gone"}], "documentation": "<p>get</p>"},
            "Put": {"input": {"shape": "Unused"}},
        },
        "shapes": {
            "In": {"type": "structure", "members": {"documentation": {"shape": "Deep"}, "shape": {"shape": "Text"}}},
            "Deep": {"type": "list", "member": {"shape": "In", "documentation": "itself again"}},
            "Text": {"type": "string"},
            "Gone": {"type": "structure", "members": {}, "exception": True},
            "Unused": {"type": "structure", "members": {}},
        },
    }

    cut = cut_model(model, ["Get"])

    assert list(cut["operations"]) == ["Get"]
    assert list(cut["shapes"]) == ["Deep", "Gone", "In", "Text"]
    assert cut["shapes"]["In"]["members"] == {"documentation": {"shape": "Deep"}, "shape": {"shape": "Text"}}
    assert cut["clientContextParams"] == model["clientContextParams"]
    assert "<p>" not in json.dumps(cut)
    assert "itself again" not in json.dumps(cut)


def test_an_operation_that_a_service_does_not_have_fails_the_build() -> None:
    with pytest.raises(KeyError, match="Fetch"):
        cut_model({"operations": {}, "shapes": {}}, ["Fetch"])


def test_services_that_nobody_uses_and_older_versions_go(tmp_path: Path) -> None:
    for name in ("ec2", *OPERATIONS):
        shutil.copytree(WHOLE / name, tmp_path / name)
    for name in ("endpoints.json", "partitions.json", "_retry.json", "sdk-default-configuration.json"):
        shutil.copy(WHOLE / name, tmp_path)
    assert len(list((tmp_path / "dynamodb").iterdir())) == 2

    cut_models(tmp_path)

    assert {folder.name for folder in tmp_path.iterdir() if folder.is_dir()} == set(OPERATIONS)
    assert [folder.name for folder in (tmp_path / "dynamodb").iterdir()] == ["2012-08-10"]
    partitions = json.loads((tmp_path / "endpoints.json").read_text())["partitions"]
    assert {name for partition in partitions for name in partition["services"]} == set(OPERATIONS)
    assert "us-gov-west-1" in {region for partition in partitions for region in partition["regions"]}


def test_every_operation_is_sent_from_the_built_layer() -> None:
    layer = dependencies_layer("host") / "python"
    done = subprocess.run(  # noqa: S603 - the program above
        [EMULATOR_PYTHON, "-I", "-S", "-c", SENDS_EACH, layer, *OPERATIONS], capture_output=True, text=True, check=False
    )

    assert done.stderr == ""
    assert set(done.stdout.split()) == {name for names in OPERATIONS.values() for name in names}


def test_the_built_layer_describes_aws_in_a_few_hundred_kilobytes() -> None:
    data = dependencies_layer("host") / "python" / "botocore" / "data"

    assert sum(file.stat().st_size for file in data.rglob("*.json")) < 400_000
