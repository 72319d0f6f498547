"""How large the layers may be, and what may not be in them, for this machine and for AWS."""

from __future__ import annotations

import platform
from collections import Counter
from importlib.metadata import distribution, distributions
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from infra.layers.aws_models import SERVICES
from infra.layers.contents import Contents, contents_of
from infra.layers.listing import listing
from infra.layers.places import dependencies_layer, own_layer
from infra.layers.targets import RUNTIME_VERSION, host

MB = 1_000_000
UNPACKED, ZIPPED = 100 * MB, 40 * MB
"""Of both layers together. Lambda's limit is 250 MB unpacked; every MB is fetched before a cold start."""
LARGEST_PACKAGE = 20 * MB
OWN_CODE = 6.5 * MB

UNCHECKED_HASH = 0b01  # PEP 552: byte code by hash, not checked against its source
MACHINES = {"x86_64": 62, "aarch64": 183, "arm64": 183}  # of ELF
LICENCES = ("licen", "notice", "copying", "authors")


@pytest.fixture(scope="module", params=["host", "aws"])
def layers(request: pytest.FixtureRequest) -> tuple[str, Path, Path]:
    """Name of a target, its layer of dependencies and its layer of our own code."""
    target: str = request.param
    dependencies, own = dependencies_layer(target), own_layer(target)
    if target == "aws" and not (dependencies.is_dir() and own.is_dir()):
        pytest.skip("the layers for AWS are not built: `make synth` builds them")
    assert dependencies.is_dir(), "the layers are not built: run `make layers`"
    return target, dependencies, own


@pytest.fixture(scope="module")
def contents(layers: tuple[str, Path, Path]) -> tuple[Contents, Contents]:
    _, dependencies, own = layers
    return contents_of(dependencies), contents_of(own)


def test_the_layers_keep_within_their_budget(contents: tuple[Contents, Contents]) -> None:
    dependencies, own = contents
    assert dependencies.unpacked + own.unpacked < UNPACKED
    assert dependencies.zipped + own.zipped < ZIPPED
    assert own.unpacked < OWN_CODE
    assert {part.name: part.size for part in dependencies.parts if part.size > LARGEST_PACKAGE} == {}


def test_every_byte_belongs_to_a_package_with_a_version_or_to_the_vocabulary(
    contents: tuple[Contents, Contents],
) -> None:
    dependencies, own = contents
    assert [part.name for part in dependencies.parts if part.version is None] == ["tiktoken/"]
    assert [part.name for part in own.parts] == ["context_memory"]
    for layer in contents:
        assert sum(part.size for part in layer.parts) == layer.unpacked


def test_nothing_is_in_both_layers_or_twice_in_one(layers: tuple[str, Path, Path]) -> None:
    _, dependencies, own = layers
    names = [found.name.lower() for found in distributions(path=[str(dependencies / "python")])]
    assert [name for name, times in Counter(names).items() if times > 1] == []
    assert [folder.name for folder in (own / "python").iterdir()] == ["context_memory"]
    places = [found for layer in (dependencies, own) for found in layer.rglob("botocore") if found.is_dir()]
    assert places == [dependencies / "python" / "botocore"]


def test_no_tests_stubs_commands_or_second_client_of_aws(layers: tuple[str, Path, Path]) -> None:
    _, *folders = layers
    files = [file.relative_to(layer).as_posix() for layer in folders for file in layer.rglob("*") if file.is_file()]
    unwanted = ("/tests/", "/testing/", "python/bin/", "python/boto3/", "python/s3transfer/")
    assert [file for file in files if any(part in file for part in unwanted)] == []
    assert [file for file in files if file.endswith((".pyi", "py.typed", ".c", ".h", ".pyx", ".whl", ".lock"))] == []
    assert [file for file in files if "-stubs/" in file or "python/types_" in file] == []


def test_aws_models_are_those_we_call_and_no_other(layers: tuple[str, Path, Path]) -> None:
    data = layers[1] / "python" / "botocore" / "data"
    assert {folder.name for folder in data.iterdir() if folder.is_dir()} == SERVICES


def test_all_byte_code_is_of_one_version_has_its_source_and_cannot_go_stale(layers: tuple[str, Path, Path]) -> None:
    target, *folders = layers
    version = RUNTIME_VERSION if target == "aws" else host().version
    tag = f".cpython-{version.replace('.', '')}.pyc"
    for layer in folders:
        sources = set((layer / "python").rglob("*.py"))
        compiled = set(layer.rglob("*.pyc"))
        expected = {Path(cache_from_source(str(file))).parent / f"{file.stem}{tag}" for file in sources}
        assert compiled == expected
        assert len(compiled) > 10
        for file in compiled:
            with file.open("rb") as code:
                assert int.from_bytes(code.read(8)[4:], "little") == UNCHECKED_HASH, file


def test_machine_code_is_for_the_machine_and_the_version_that_will_run_it(layers: tuple[str, Path, Path]) -> None:
    target, dependencies, _ = layers
    machine = "aarch64" if target == "aws" else platform.machine()
    version = RUNTIME_VERSION if target == "aws" else host().version
    libraries = [file for file in dependencies.rglob("*.so*") if file.is_file()]
    assert libraries
    for library in libraries:
        with library.open("rb") as code:
            header = code.read(20)
        assert header[:4] == b"\x7fELF", library
        assert int.from_bytes(header[18:20], "little") == MACHINES[machine], library
        if ".cpython-" in library.name:
            assert f".cpython-{version.replace('.', '')}-" in library.name


def test_every_package_brings_the_licences_that_it_came_with(layers: tuple[str, Path, Path]) -> None:
    packages = layers[1] / "python"
    for found in distributions(path=[str(packages)]):
        came_with = [
            str(file)
            for file in distribution(found.name).files or ()
            if any(word in file.name.lower() for word in LICENCES) and file.suffix not in {".py", ".pyc"}
        ]
        assert came_with, found.name
        assert [file for file in came_with if not (packages / file).is_file()] == []


def test_the_listing_names_each_package_with_its_version_and_size(layers: tuple[str, Path, Path]) -> None:
    target, dependencies, _ = layers
    lines = list(listing(target))
    assert [line.split(":")[0] for line in lines if not line.startswith(" ")] == [
        f"{target}, dependencies",
        f"{target}, own code",
    ]
    for found in distributions(path=[str(dependencies / "python")]):
        name = found.name.lower().replace("_", "-")
        assert sum(line.split()[2:] == [name, found.version] for line in lines) == 1, name
