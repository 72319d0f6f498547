"""How long `load` takes to start under AWS's runtime client, beside a handler that only has boto3 and three clients.

The baseline sees boto3 as its package installs it, compiled ahead as our layer is. A second one makes the same clients
of botocore on our own layer, which holds no boto3 and is the harder measure: what of the start is not AWS's SDK.
All start in turns, so only ratios count.
"""

from __future__ import annotations

import compileall
import importlib.util
import py_compile
import shutil
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from infra.layers.places import dependencies_layer
from infra.local.coldstart.__main__ import local_variables
from infra.local.coldstart.measure import Startable, in_turns, of_function

if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLES = 20
INSTALLED = ("boto3", "botocore", "s3transfer", "jmespath", "urllib3", "dateutil", "six")
THREE_CLIENTS = """\
import boto3

clients = [boto3.client(service) for service in ("s3", "dynamodb", "sts")]


def handler(event, context):
    return {}
"""
THREE_OF_BOTOCORE = """\
import botocore.session

session = botocore.session.Session()
clients = [session.create_client(service) for service in ("s3", "dynamodb", "sts")]


def handler(event, context):
    return {}
"""
NOTHING = "def handler(event, context):\n    return {}\n"


@pytest.fixture(scope="module")
def boto3_as_installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """boto3 with all its services, with the same kind of byte code as our layer."""
    folder = tmp_path_factory.mktemp("installed")
    for name in INSTALLED:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        origin = Path(spec.origin)
        if spec.submodule_search_locations:
            shutil.copytree(origin.parent, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(origin, folder)
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    assert compileall.compile_dir(folder, quiet=1, invalidation_mode=unchecked)
    return folder


def handler_of(folder: Path, source: str, packages: Sequence[Path]) -> Startable:
    folder.mkdir()
    (folder / "handler.py").write_text(source)
    return Startable(folder, packages, local_variables("load", folder))


def test_load_starts_no_later_than_a_handler_with_boto3_and_three_clients(
    tmp_path: Path, boto3_as_installed: Path
) -> None:
    layer = dependencies_layer("host") / "python"
    compared = {
        "boto3, three clients": handler_of(tmp_path / "installed", THREE_CLIENTS, [boto3_as_installed]),
        "botocore, on our layer": handler_of(tmp_path / "layer", THREE_OF_BOTOCORE, [layer]),
        "nothing at all": handler_of(tmp_path / "nothing", NOTHING, []),
        "load": of_function("load", local_variables("load", tmp_path)),
    }

    starts = in_turns(list(compared.values()), event=b"{}", samples=SAMPLES)

    assert [start.body for taken in starts for start in taken if not start.first] == []
    init = {
        name: statistics.median(start.init for start in taken) for name, taken in zip(compared, starts, strict=True)
    }
    baseline = init["boto3, three clients"]
    for name, seconds in init.items():
        sys.stdout.write(f"\ninit of {name:24}{1e3 * seconds:6.0f} ms{seconds / baseline:8.2f}")
    assert init["load"] <= baseline
