"""The parts of the local environment that need no emulator."""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from infra.local import assembly
from infra.local.deploy import with_variables, zipped
from infra.local.emulator_process import emulator
from infra.local.models import ModelEndpoint, ModelNotNamed, named_embeddings, named_endpoint
from infra.local.outputs import Caller, Outputs
from infra.local.paths import ROOT
from infra.local.processes import Child, StartFailed, free_port
from infra.local.running import AlreadyRunning, holder, outputs_of, running, stop

if TYPE_CHECKING:
    from pathlib import Path

OUTPUTS = Outputs(
    api_url="http://localhost:1/api",
    profile_bucket="p",
    work_bucket="w",
    user_table="u",
    company_table="c",
    queue_url="q",
    dead_letter_queue_url="d",
    region="us-east-1",
    account="000000000000",
    company_id="acme",
    caller=Caller(access_key_id="k", secret_access_key="s"),
    issuer_url="http://localhost:1",
    issuer_key_file="key.pem",
    page_url="http://localhost:8/",
    endpoint_url="http://localhost:1",
    model_base_url="",
    model="m",
    root_folder="user-memory",
    functions={"load": "f"},
    log_file="/tmp/log",  # noqa: S108 - nobody writes there
)


def python(code: str, name: str, folder: Path) -> Child:
    return Child(name, [sys.executable, "-c", code], cwd=folder, environment=os.environ, log=folder / "log")


def gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def eventually(holds: Any, seconds: float = 10) -> bool:  # noqa: ANN401 - any condition
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, None),
        ({"CONTEXT_MEMORY_MODEL": "m"}, None),
        ({"OPENAI_API_KEY": "k", "CONTEXT_MEMORY_MODEL": "m"}, ("", "k", "m")),
        ({"OPENAI_BASE_URL": "http://x/v1", "CONTEXT_MEMORY_MODEL": "m"}, ("http://x/v1", "none", "m")),
    ],
)
def test_the_callers_environment_names_the_endpoint(
    environment: dict[str, str], expected: tuple[str, str, str] | None
) -> None:
    endpoint = named_endpoint(environment)

    assert (endpoint and (endpoint.base_url, endpoint.api_key, endpoint.model)) == expected


def test_embeddings_are_asked_of_the_named_endpoint_only_where_a_model_is_named_for_them() -> None:
    endpoint = ModelEndpoint(base_url="http://x/v1", api_key="k", model="m")
    named = named_embeddings({"CONTEXT_MEMORY_EMBEDDING_MODEL": "v"}, endpoint)

    assert named is not None
    assert named.variables == {
        "EMBEDDING_BASE_URL": "http://x/v1",
        "EMBEDDING_MODEL": "v",
        "EMBEDDING_PREFIXES": "{}",
    }
    assert named_embeddings({}, endpoint) is None
    assert named_embeddings({"CONTEXT_MEMORY_EMBEDDING_MODEL": "v"}, None) is None


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "OPENAI_BASE_URL"])
def test_an_endpoint_without_a_model_is_refused(name: str) -> None:
    with pytest.raises(ModelNotNamed, match="CONTEXT_MEMORY_MODEL"):
        named_endpoint({name: "x"})


def test_functions_get_this_machines_values_only_for_variables_that_they_have() -> None:
    def function(**variables: str) -> dict[str, Any]:
        return {"Type": "AWS::Lambda::Function", "Properties": {"Environment": {"Variables": variables}}}

    template = {"Resources": {"a": function(MODEL_BASE_URL="", X="1"), "b": function(X="1"), "c": {"Type": "T"}}}

    changed = with_variables(template, {"MODEL_BASE_URL": "http://m"})

    assert changed["Resources"]["a"] == function(MODEL_BASE_URL="http://m", X="1")
    assert changed["Resources"]["b"] == function(X="1")
    assert template["Resources"]["a"] == function(MODEL_BASE_URL="", X="1")


def test_the_same_folder_makes_the_same_archive_whenever_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "handler.py").write_text("x = 1\n")
    first = zipped(tmp_path)
    os.utime(tmp_path / "handler.py", (1, 1))
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "handler.pyc").write_bytes(b"x")

    assert zipped(tmp_path) == first
    assert zipfile.ZipFile(io.BytesIO(first)).namelist() == ["handler.py"]


def test_a_layers_archive_holds_its_byte_code(tmp_path: Path) -> None:
    compiled = tmp_path / "python" / "__pycache__" / "m.pyc"
    compiled.parent.mkdir(parents=True)
    compiled.write_bytes(b"x")

    assert zipfile.ZipFile(io.BytesIO(zipped(tmp_path))).namelist() == ["python/__pycache__/m.pyc"]


def test_stacks_deploy_behind_those_they_depend_on(tmp_path: Path) -> None:
    def artifact(name: str, *needed: str) -> dict[str, Any]:
        return {
            "type": "aws:cloudformation:stack",
            "properties": {"templateFile": f"{name}.json"},
            "dependencies": list(needed),
        }

    artifacts = {
        "service": artifact("service", "storage", "service.assets", "queues"),
        "service.assets": {"type": "cdk:asset-manifest", "properties": {}},
        "queues": artifact("queues", "storage"),
        "storage": artifact("storage"),
    }
    (tmp_path / "manifest.json").write_text(json.dumps({"artifacts": artifacts}))
    for name in ("service", "queues", "storage"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"Resources": {}}))
        (tmp_path / f"{name}.assets.json").write_text(json.dumps({"files": {}}))

    assert [stack.name for stack in assembly.stacks(tmp_path)] == ["storage", "queues", "service"]


def test_outputs_are_read_as_they_were_written_and_by_their_owner_alone(tmp_path: Path) -> None:
    path = OUTPUTS.write(tmp_path / "new")

    assert Outputs.read(tmp_path / "new") == OUTPUTS
    assert path.stat().st_mode & 0o077 == 0


def test_one_folder_is_held_by_one_process(tmp_path: Path) -> None:
    assert holder(tmp_path) is None
    with running(tmp_path):
        assert holder(tmp_path) == os.getpid()
        with pytest.raises(AlreadyRunning, match=str(os.getpid())), running(tmp_path):
            pass
    assert holder(tmp_path) is None


def test_outputs_of_a_run_that_was_killed_count_for_nothing(tmp_path: Path) -> None:
    OUTPUTS.write(tmp_path)

    assert outputs_of(tmp_path) is None
    with running(tmp_path):
        assert outputs_of(tmp_path) is None
        OUTPUTS.write(tmp_path)
        assert outputs_of(tmp_path) == OUTPUTS


def test_whoever_holds_a_folder_is_asked_to_end_and_waited_for(tmp_path: Path) -> None:
    code = (
        "import signal, sys, time\nfrom pathlib import Path\nfrom infra.local.running import running\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n"
        f"with running(Path({str(tmp_path)!r})): time.sleep(60)"
    )
    child = Child("holder", [sys.executable, "-c", code], cwd=ROOT, environment=os.environ, log=tmp_path / "log")
    child.wait_until(lambda: holder(tmp_path) is not None, seconds=20)

    assert stop(tmp_path, seconds=10)
    assert holder(tmp_path) is None
    child.stop(seconds=1)


def test_stopping_a_process_ends_its_children_too_even_deaf_ones(tmp_path: Path) -> None:
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    child = python(
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {deaf!r}])\n"
        "print(child.pid, flush=True)\ntime.sleep(60)",
        "parent",
        tmp_path,
    )
    child.wait_until(lambda: (tmp_path / "log").read_text().strip().isdigit(), seconds=20)
    grandchild = int((tmp_path / "log").read_text())

    child.stop(seconds=5)

    assert not child.alive
    assert eventually(lambda: gone(grandchild) or _is_zombie(grandchild))


def test_a_process_that_ends_before_it_answers_is_named_with_its_log(tmp_path: Path) -> None:
    child = python("raise SystemExit(7)", "thing", tmp_path)

    with pytest.raises(StartFailed, match=r"The thing ended with code 7; see .*log"):
        child.wait_until(lambda: False, seconds=20)


def test_a_process_that_never_answers_is_given_up(tmp_path: Path) -> None:
    child = python("import time; time.sleep(60)", "thing", tmp_path)

    with pytest.raises(StartFailed, match="did not answer"):
        child.wait_until(lambda: False, seconds=0.1)
    child.stop(seconds=5)


def test_a_taken_port_is_not_mistaken_for_our_own_emulator(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(StartFailed, match=f"Port {port} is taken"),
            emulator(port, state=None, log=tmp_path / "log"),
        ):
            pass


def test_a_tethered_process_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time\n"
        "tethered = subprocess.Popen([sys.executable, '-m', 'infra.local.tether', 'http.server', "
        f"'{free_port()}', '--bind', '127.0.0.1'])\n"
        "print(tethered.pid, flush=True)\ntime.sleep(60)"
    )
    with (tmp_path / "log").open("w") as log:
        parent = subprocess.Popen(  # noqa: S603 - our own code
            [sys.executable, "-c", code], cwd=ROOT, stdout=log, stderr=subprocess.DEVNULL
        )
    assert eventually(lambda: (tmp_path / "log").read_text().strip().isdigit())
    tethered = int((tmp_path / "log").read_text())
    time.sleep(0.5)  # until it watches

    parent.send_signal(signal.SIGKILL)
    parent.wait()

    assert eventually(lambda: gone(tethered) or _is_zombie(tethered))


def _is_zombie(process: int) -> bool:
    """Whether it has ended and only waits to be noticed by a parent that is not ours."""
    try:
        with open(f"/proc/{process}/stat") as stat:  # noqa: PTH123 - no file of ours
            return stat.read().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True
