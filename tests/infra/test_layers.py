"""The layers as they are built: what is in them, and that a function needs nothing beside them."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from infra.environments import ENVIRONMENTS, LOCAL
from infra.layers.aws_models import SERVICES
from infra.layers.places import EMULATOR_PYTHON, ROOT, VOCABULARY, dependencies_layer, own_layer
from infra.layers.strip import strip
from infra.layers.vocabulary import RANK_FILES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LAYERS = (own_layer("host"), dependencies_layer("host"))

COUNTING = """
class SocketsOff(Exception):
    pass

def refuse(event, arguments):
    if event.startswith("socket."):
        raise SocketsOff(event)

sys.addaudithook(refuse)  # before anything is imported; nothing can take it away again

from context_memory.bootstrap.shared import tokenizers

print([(one.encoding, one.count("Größe 漢字")) for one in tokenizers("gpt-4.1-mini")])
"""


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    for layer in LAYERS:
        assert layer.is_dir(), "the layers are not built: run `make layers`"


def isolated(code: str, *, variables: dict[str, str] | None = None) -> str:
    """What a fresh interpreter prints that sees the standard library and the layers, and nothing else."""
    done = ran(code, variables or {})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def ran(code: str, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    paths = [str(layer / "python") for layer in LAYERS]
    return subprocess.run(  # noqa: S603 - the interpreter of our own environment
        [EMULATOR_PYTHON, "-I", "-S", "-W", "error", "-c", f"import sys; sys.path[:0] = {paths!r}\n{code}"],
        env={"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def source_files(layer: Path) -> Iterator[Path]:
    return (file for file in (layer / "python").rglob("*.py"))


def test_byte_code_is_of_the_interpreter_that_runs_the_functions() -> None:
    magic = isolated("import importlib.util; print(importlib.util.MAGIC_NUMBER.hex())")
    (compiled,) = (own_layer("host") / "python" / "context_memory" / "__pycache__").glob("edge.*.pyc")

    assert compiled.read_bytes()[:4].hex() == magic


def test_all_dependencies_import_from_the_layer_alone() -> None:
    names = [
        "aws_lambda_powertools",
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
    of_the_image = package / "adapters" / "lance"  # which holds what the layers do not
    names = sorted(
        ".".join(file.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        for file in package.rglob("*.py")
        if of_the_image not in file.parents
    )

    assert isolated(f"import importlib\nfor name in {names!r}: importlib.import_module(name)\nprint('ok')") == "ok"


def test_our_tokenizers_count_with_the_layer_s_vocabulary_and_sockets_off() -> None:
    folder = dependencies_layer("host") / "tiktoken"

    assert (
        isolated(COUNTING, variables={"TIKTOKEN_CACHE_DIR": str(folder)}) == "[('o200k_base', 5), ('cl100k_base', 6)]"
    )


@pytest.mark.parametrize("name", sorted(ENVIRONMENTS.keys() - {LOCAL.name}))
def test_functions_on_aws_look_where_lambda_unpacks_the_vocabulary(name: str) -> None:
    folder = dependencies_layer("host") / "tiktoken"

    assert folder.is_dir()
    assert ENVIRONMENTS[name].tokenizer_folder == f"/opt/{folder.name}"


def test_without_the_vocabulary_counting_would_go_to_the_network(tmp_path: Path) -> None:
    done = ran(COUNTING, {"TIKTOKEN_CACHE_DIR": str(tmp_path)})

    assert done.returncode != 0
    assert "SocketsOff" in done.stderr


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
    for name in ("METADATA", "RECORD", "WHEEL", "INSTALLER", "entry_points.txt", "LICENSE", "NOTICE.txt"):
        (metadata / name).write_text("x")

    strip(tmp_path)

    assert {file.name for file in metadata.iterdir()} == {"METADATA", "entry_points.txt", "LICENSE", "NOTICE.txt"}


def test_stubs_tests_and_commands_go(tmp_path: Path) -> None:
    kept = ["package/module.py", "package/data.json"]
    gone = ["package/module.pyi", "package/py.typed", "package/tests/test_it.py", "bin/tool", ".lock"]
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
