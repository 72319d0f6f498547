"""LanceDB's tables in a folder and in the emulator's S3: writers may be late, may die, and may come at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING

import boto3
import pytest

from context_memory.adapters.lance.rows import State, rows
from context_memory.adapters.lance.searching import legs_of
from context_memory.adapters.lance.tables import Place, Tables, state_of, told_as_ours
from context_memory.adapters.lance.writing import TableWriter, _merge
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.vectors import quantised
from context_memory.domain.recall.terms import asked
from infra.local.emulator_process import REGION, emulator
from infra.local.processes import free_port
from tests.support.facts import LENA, a_fact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from context_memory.domain.facts.fact import Fact

FOLDER = LENA.folder
TEA, BOAT, DOG = (a_fact(text, vector=quantised("e5", [1.0, 0.5])) for text in ("Likes tea", "Has a boat", "Has a dog"))


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Options that reach a bucket `work` in an emulator of its own."""
    port, folder = free_port(), tmp_path_factory.mktemp("emulator")
    with emulator(port, state=None, log=folder / "emulator.log"):
        url = f"http://127.0.0.1:{port}"
        keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
        boto3.client("s3", endpoint_url=url, region_name=REGION, **keys).create_bucket(Bucket="work")  # type: ignore[call-overload] # keys by name
        yield {"endpoint": url, "region": REGION, "allow_http": "true", **keys}


@pytest.fixture(params=["folder", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "folder":
        return Place(str(tmp_path), {})
    return Place(f"s3://work/{tmp_path.name}", request.getfixturevalue("s3"))


@pytest.fixture
def writer(place: Place) -> Callable[[], TableWriter]:
    """Writers as separate invocations would be: each opens the tables for itself."""
    return lambda: TableWriter(Tables(place), FOLDER, 2)


def seen(place: Place, stamp: int | None = None, query: str = "tea boat dog") -> set[str] | None:
    """Texts that a reader finds."""
    legs = legs_of(Tables(place), FOLDER, stamp, asked(query), None)
    return None if legs is None else {found.fact.text for found in legs.words}


def at_once[Result](*calls: Callable[[], Result]) -> list[Result]:
    """Begin all in the same moment."""
    together = Barrier(len(calls))

    def run(call: Callable[[], Result]) -> Result:
        together.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_a_scope_that_nobody_wrote_has_no_table(place: Place) -> None:
    assert seen(place) is None


def test_a_reader_takes_nothing_from_a_table_of_another_version(
    place: Place, writer: Callable[[], TableWriter]
) -> None:
    writer().replace([TEA], 5)
    assert seen(place, 5) == {"Likes tea"}
    assert seen(place, 6) is None
    assert seen(place, 4) is None


def test_a_late_writer_changes_nothing(place: Place, writer: Callable[[], TableWriter]) -> None:
    writer().replace([TEA, BOAT], 5)
    writer().replace([DOG], 4)
    assert writer().change([DOG], [], 3, 4)
    assert seen(place, 5) == {"Likes tea", "Has a boat"}


def test_a_change_is_brought_in_where_it_was_made(place: Place, writer: Callable[[], TableWriter]) -> None:
    writer().replace([TEA, BOAT], 5)
    assert writer().change([DOG], [TEA.id], 5, 6)
    assert seen(place, 6) == {"Has a boat", "Has a dog"}


def test_a_change_of_facts_that_the_table_has_not_seen_asks_for_all_of_them(
    place: Place, writer: Callable[[], TableWriter]
) -> None:
    assert not writer().change([DOG], [], 0, 1)
    writer().replace([TEA], 5)
    assert not writer().change([DOG], [], 6, 7)
    assert seen(place, 5) == {"Likes tea"}


def test_nobody_sees_what_was_brought_before_all_of_it_is_there(
    place: Place, writer: Callable[[], TableWriter]
) -> None:
    writer().replace([TEA], 5)
    writer().bring([BOAT], 6)
    assert seen(place) == {"Likes tea"}
    writer().replace([DOG], 6)
    assert seen(place, 6) == {"Has a boat", "Has a dog"}


def test_what_a_dead_writer_brought_goes_with_the_next_one(place: Place, writer: Callable[[], TableWriter]) -> None:
    writer().bring([BOAT], 6)
    writer().replace([TEA], 7)
    table = Tables(place).known(FOLDER)
    assert table is not None
    assert table.count_rows() == 2  # the fact and the state
    assert seen(place, 7) == {"Likes tea"}


def test_what_an_older_writer_still_commits_is_not_there_for_a_reader(
    place: Place, writer: Callable[[], TableWriter]
) -> None:
    writer().replace([TEA], 5)
    writer().replace([BOAT], 7)
    table = Tables(place).known(FOLDER)
    assert table is not None
    # It looked before the newer one was done: LanceDB brings its commit in behind the other.
    _merge(table, rows([DOG], stamp=6, floor=5, dimensions=2), 6, gone=None)
    assert seen(place, 7) == {"Has a boat"}


@pytest.mark.parametrize("place", ["folder"], indirect=True)
def test_a_dropped_text_is_nowhere_any_more(writer: Callable[[], TableWriter], tmp_path: Path) -> None:
    def files_with(text: str) -> list[Path]:
        return [file for file in tmp_path.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]

    writer().replace([TEA, BOAT, DOG], 5)
    assert files_with(TEA.text)
    writer().change([], [TEA.id], 5, 6)
    assert not files_with(TEA.text)
    writer().replace([DOG], 7)
    assert not files_with(BOAT.text)
    assert files_with(DOG.text)


def test_writers_at_once_leave_what_the_newest_wrote(place: Place, writer: Callable[[], TableWriter]) -> None:
    def replacing(stamp: int) -> Callable[[], None]:
        facts = [a_fact(f"Likes tea number {stamp}"), a_fact(f"Has a boat number {stamp}")]

        def write() -> None:
            for _ in range(10):  # as a queue would bring it again
                try:
                    writer().replace(facts, stamp)
                except StoreUnavailable:
                    continue
                return
            pytest.fail("A writer never got through.")

        return write

    at_once(*map(replacing, range(1, 7)))
    assert seen(place, 6) == {"Likes tea number 6", "Has a boat number 6"}


@pytest.mark.parametrize("place", ["folder"], indirect=True)
def test_what_a_dead_writer_left_behind_goes_when_its_write_comes_again(
    writer: Callable[[], TableWriter], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def files_with(text: str) -> list[Path]:
        return [file for file in tmp_path.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]

    def dies(_: object) -> None:
        raise OSError

    def dying(write: Callable[[], object]) -> None:
        with monkeypatch.context() as patch:
            patch.setattr("context_memory.adapters.lance.writing._settle", dies)
            with pytest.raises(StoreUnavailable):
                write()

    writer().replace([TEA, BOAT, DOG], 5)
    dying(lambda: writer().change([], [TEA.id], 5, 6))
    assert files_with(TEA.text)
    assert writer().change([], [TEA.id], 5, 6)
    assert not files_with(TEA.text)
    dying(lambda: writer().replace([DOG], 7))
    assert files_with(BOAT.text)
    writer().replace([DOG], 7)
    assert not files_with(BOAT.text)


def test_a_panic_of_the_library_is_told_as_ours_and_a_mistake_of_our_own_is_not() -> None:
    panic = type("RustPanic", (Exception,), {})
    with pytest.raises(StoreUnavailable, match="RustPanic"), told_as_ours():
        raise panic("rust future panicked")
    with pytest.raises(TypeError), told_as_ours():
        raise TypeError


def test_changes_at_once_lose_nothing(place: Place, writer: Callable[[], TableWriter]) -> None:
    writer().replace([], 1)
    facts = [a_fact(f"Likes tea number {number}") for number in range(6)]

    def changing(place_in_line: int, fact: Fact) -> Callable[[], None]:
        def write() -> None:
            for _ in range(200):
                try:
                    if writer().change([fact], [], place_in_line + 1, place_in_line + 2):
                        return
                except StoreUnavailable:
                    continue
            pytest.fail("A writer never got through.")

        return write

    at_once(*(changing(number, fact) for number, fact in enumerate(facts)))
    assert seen(place, 7) == {fact.text for fact in facts}


def test_vectors_of_another_size_make_another_table(place: Place, writer: Callable[[], TableWriter]) -> None:
    writer().replace([TEA], 5)
    wider = a_fact("Has a boat", vector=quantised("e6", [1.0, 0.5, 0.2]))
    other = TableWriter(Tables(place), FOLDER, 3)
    assert not other.change([wider], [], 5, 6)
    other.replace([TEA, wider], 6)
    legs = legs_of(Tables(place), FOLDER, 6, asked("tea"), wider.vector)
    assert legs is not None
    assert [found.fact for found in legs.vectors] == [wider]
    assert [found.fact for found in legs.words] == [TEA]


def test_a_reader_goes_on_while_a_writer_cleans_up(place: Place, writer: Callable[[], TableWriter]) -> None:
    writer().replace([TEA], 1)

    def read() -> list[set[str] | None]:
        found = []
        for _ in range(8):
            try:
                found.append(seen(place))
            except StoreUnavailable:  # its version is gone: it opens the next
                continue
        return found

    def write() -> list[set[str] | None]:
        for stamp in range(2, 8):
            writer().replace([TEA], stamp)
        return []

    assert all(found == {"Likes tea"} for found in at_once(read, write)[0])


def test_the_state_of_a_new_table_is_before_every_write(place: Place) -> None:
    assert state_of(Tables(place).made(FOLDER, 2)) == State(0, 0)


def test_an_id_that_is_none_never_reaches_a_condition(place: Place, writer: Callable[[], TableWriter]) -> None:
    writer().replace([TEA], 5)
    with pytest.raises(StoreUnavailable):
        writer().change([], ["x') OR ('1' = '1"], 5, 6)
    assert seen(place, 5) == {"Likes tea"}


def test_what_is_out_of_reach_is_told_without_an_address(tmp_path: Path) -> None:
    nowhere = {"endpoint": "http://127.0.0.1:9", "region": "eu-central-1", "allow_http": "true"}
    keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "client_max_retries": "0"}
    with pytest.raises(StoreUnavailable) as caught:
        seen(Place(f"s3://work/{tmp_path.name}", nowhere | keys))
    assert "lena" not in str(caught.value)
    assert caught.value.__context__ is None
