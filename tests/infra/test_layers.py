"""The layers as they are built: what is in them, and that a function needs nothing beside them."""

from __future__ import annotations

import json
import subprocess
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from infra.layers.aws_models import SERVICES
from infra.layers.places import EMULATOR_PYTHON, ROOT, VOCABULARY, dependencies_layer, own_layer
from infra.layers.strip import strip
from infra.layers.targets import host
from infra.layers.vocabulary import RANK_FILES

if TYPE_CHECKING:
    from collections.abc import Iterator

LAYERS = (own_layer("host"), dependencies_layer("host"))
UNCHECKED_HASH = 0b01  # PEP 552: byte code by hash, not checked against its source


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    for layer in LAYERS:
        assert layer.is_dir(), "the layers are not built: run `make layers`"


def isolated(code: str, *, variables: dict[str, str] | None = None) -> str:
    """What a fresh interpreter prints that sees the standard library and the layers, and nothing else."""
    paths = [str(layer / "python") for layer in LAYERS]
    done = subprocess.run(  # noqa: S603 - the interpreter of our own environment
        [EMULATOR_PYTHON, "-I", "-S", "-W", "error", "-c", f"import sys; sys.path[:0] = {paths!r}\n{code}"],
        env={"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", **(variables or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def source_files(layer: Path) -> Iterator[Path]:
    return (file for file in (layer / "python").rglob("*.py"))


@pytest.mark.parametrize("layer", LAYERS, ids=["own", "dependencies"])
def test_every_module_has_byte_code_that_no_changed_time_can_make_stale(layer: Path) -> None:
    tag = f"cpython-{host().version.replace('.', '')}"
    seen = 0
    for file in source_files(layer):
        compiled = Path(cache_from_source(str(file))).with_name(f"{file.stem}.{tag}.pyc")
        assert compiled.is_file(), file
        with compiled.open("rb") as code:
            header = code.read(8)
        assert int.from_bytes(header[4:8], "little") == UNCHECKED_HASH, file
        seen += 1
    assert seen > 10


def test_byte_code_is_of_the_interpreter_that_runs_the_functions() -> None:
    magic = isolated("import importlib.util; print(importlib.util.MAGIC_NUMBER.hex())")
    (compiled,) = (own_layer("host") / "python" / "context_memory" / "__pycache__").glob("ports.*.pyc")

    assert compiled.read_bytes()[:4].hex() == magic


def test_all_dependencies_import_from_the_layer_alone() -> None:
    names = [
        "aws_lambda_powertools",
        "boto3",
        "botocore",
        "jinja2",
        "markdown_it",
        "openai",
        "pydantic",
        "stdnum",
        "yaml",
        "tiktoken",
        "tzdata",
    ]
    found = isolated(
        f"import importlib, json\nprint(json.dumps([importlib.import_module(n).__file__ for n in {names!r}]))"
    )

    layer = str(dependencies_layer("host"))
    assert all(file.startswith(layer) for file in json.loads(found))


def test_all_our_modules_import_from_the_layers_alone() -> None:
    package = own_layer("host") / "python" / "context_memory"
    names = sorted(
        ".".join(file.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        for file in package.rglob("*.py")
    )

    assert isolated(f"import importlib\nfor name in {names!r}: importlib.import_module(name)\nprint('ok')") == "ok"


def test_the_vocabulary_is_read_from_the_layer_without_a_network() -> None:
    count = isolated(
        "import socket, tiktoken\n"
        "socket.socket = None\n"
        "print([len(tiktoken.get_encoding(name).encode('one, two')) for name in ('o200k_base', 'cl100k_base')])",
        variables={"TIKTOKEN_CACHE_DIR": str(dependencies_layer("host") / "tiktoken")},
    )

    assert count == "[3, 3]"


def test_tests_on_this_machine_find_the_same_vocabulary() -> None:
    shipped = dependencies_layer("host") / "tiktoken"

    assert {file.name for file in VOCABULARY.iterdir()} == {file.cache_name for file in RANK_FILES}
    for file in VOCABULARY.iterdir():
        assert (shipped / file.name).read_bytes() == file.read_bytes()


def test_botocore_knows_the_services_we_use_and_can_sign_for_them() -> None:
    data = dependencies_layer("host") / "python" / "botocore" / "data"
    made = isolated(
        "import botocore.session\n"
        "session = botocore.session.get_session()\n"
        "session.set_credentials('a', 'b')\n"
        f"for name in {sorted(SERVICES)!r}:\n"
        "    session.create_client(name, region_name='eu-central-1')\n"
        "print('ok')"
    )

    assert made == "ok"
    assert {folder.name for folder in data.iterdir() if folder.is_dir()} == SERVICES


def test_what_importlib_metadata_reads_stays(tmp_path: Path) -> None:
    metadata = tmp_path / "package-1.0.dist-info"
    metadata.mkdir()
    for name in ("METADATA", "RECORD", "WHEEL", "INSTALLER", "entry_points.txt", "LICENSE"):
        (metadata / name).write_text("x")

    strip(tmp_path)

    assert {file.name for file in metadata.iterdir()} == {"METADATA", "entry_points.txt", "LICENSE"}


def test_stubs_tests_commands_and_unused_services_go(tmp_path: Path) -> None:
    kept = ["package/module.py", "package/data.json", "boto3/data/s3/resources.json"]
    gone = ["package/module.pyi", "package/tests/test_it.py", "bin/tool", "boto3/data/ec2/resources.json"]
    for name in (*kept, *gone):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")

    strip(tmp_path)

    assert sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()) == sorted(kept)


def test_our_layer_holds_what_was_written_and_nothing_else() -> None:
    source = ROOT / "layers" / "context_memory" / "python" / "context_memory"
    built_package = own_layer("host") / "python" / "context_memory"

    def files(folder: Path) -> set[str]:
        return {
            str(file.relative_to(folder))
            for file in folder.rglob("*")
            if file.is_file() and "__pycache__" not in file.parts and file.name != "py.typed"
        }

    assert files(built_package) <= files(source)
    assert any(name.endswith(".j2") for name in files(built_package))
