from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.errors import VersionConflict
from context_memory.domain.spaces import Backend, Cadence, RecallSettings, SpaceSettings, StoredSpace

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.stores import Stores

OFF = SpaceSettings(context_memory=False)
SEARCHING = SpaceSettings(
    web_search=True,
    use_orchestrator_language_model=True,
    language_model="fast",
    max_tokens=700,
    consolidation_gate_enabled=False,
    recall=RecallSettings(
        enabled=False,
        write_back=False,
        pruning=False,
        compaction=False,
        backend=Backend.LANCE,
        cadence=Cadence.EVERY_CALL,
    ),
)
IDS = ("s1", "s=1", "S1", "s1/", "ä", "..", "s1##spaces")


def test_a_space_that_nobody_registered_is_not_there(stores: Stores) -> None:
    assert stores.spaces.space("acme", "s1") is None
    assert list(stores.spaces.spaces("acme", limit=10)) == []


@pytest.mark.parametrize("settings", [OFF, SEARCHING, SpaceSettings()])
def test_what_was_registered_is_read_again(stores: Stores, settings: SpaceSettings) -> None:
    registered = stores.spaces.register("acme", "s1", settings, version=0)
    assert (registered.space_id, registered.settings) == ("s1", settings)
    assert stores.spaces.space("acme", "s1") == registered


def test_a_change_has_another_version_and_replaces_everything(stores: Stores) -> None:
    first = stores.spaces.register("acme", "s1", SEARCHING, version=None)
    second = stores.spaces.register("acme", "s1", OFF, version=first.version)
    third = stores.spaces.register("acme", "s1", OFF, version=None)
    assert first.version < second.version < third.version
    assert stores.spaces.space("acme", "s1") == third
    assert third.settings == OFF


def test_spaces_with_look_alike_ids_and_of_other_companies_are_kept_apart(stores: Stores) -> None:
    for number, space_id in enumerate(IDS):
        stores.spaces.register("acme", space_id, SpaceSettings(max_tokens=500 + number), version=0)
    for number, space_id in enumerate(IDS):
        found = stores.spaces.space("acme", space_id)
        assert found is not None
        assert (found.space_id, found.settings.max_tokens) == (space_id, 500 + number)
    for other in ("acme2", "acm"):
        assert stores.spaces.space(other, "s1") is None
        assert list(stores.spaces.spaces(other, limit=10)) == []


def test_all_spaces_are_listed_in_one_order_however_small_the_pages(stores: Stores) -> None:
    for space_id in IDS:
        stores.spaces.register("acme", space_id, OFF, version=0)
    whole = [space.space_id for space in stores.spaces.spaces("acme", limit=100)]
    assert sorted(whole) == sorted(IDS)
    page, paged = stores.spaces.spaces("acme", limit=2), list[str]()
    while page:
        assert len(page) <= 2
        paged += [space.space_id for space in page]
        page = stores.spaces.spaces("acme", limit=2, after=paged[-1])
    assert paged == whole


def test_a_list_goes_on_behind_a_space_that_was_removed_meanwhile(stores: Stores) -> None:
    for space_id in ("a", "b", "c"):
        stores.spaces.register("acme", space_id, OFF, version=0)
    stores.spaces.unregister("acme", "b", version=None)
    assert [space.space_id for space in stores.spaces.spaces("acme", limit=2, after="b")] == ["c"]


def test_on_top_of_another_version_nothing_is_written_and_the_one_that_counts_is_named(stores: Stores) -> None:
    registered = stores.spaces.register("acme", "s1", OFF, version=0)
    for version in (0, registered.version - 1, registered.version + 1):
        with pytest.raises(VersionConflict) as refused:
            stores.spaces.register("acme", "s1", SEARCHING, version=version)
        assert refused.value.version == registered.version
    with pytest.raises(VersionConflict) as missing:
        stores.spaces.register("acme", "s2", SEARCHING, version=registered.version)
    assert missing.value.version == 0
    assert stores.spaces.space("acme", "s1") == registered
    assert stores.spaces.space("acme", "s2") is None


def test_what_was_removed_is_gone_and_removing_it_again_changes_nothing(stores: Stores) -> None:
    registered = stores.spaces.register("acme", "s1", OFF, version=0)
    kept = stores.spaces.register("acme", "s2", OFF, version=0)
    with pytest.raises(VersionConflict) as refused:
        stores.spaces.unregister("acme", "s1", version=registered.version + 1)
    assert refused.value.version == registered.version
    for version in (registered.version, registered.version, None):
        stores.spaces.unregister("acme", "s1", version=version)
        assert stores.spaces.space("acme", "s1") is None
    assert stores.spaces.space("acme", "s2") == kept


def test_a_version_of_a_space_that_was_removed_never_comes_again(stores: Stores) -> None:
    registered = stores.spaces.register("acme", "s1", OFF, version=0)
    stores.spaces.unregister("acme", "s1", version=None)
    again = stores.spaces.register("acme", "s1", SEARCHING, version=0)
    assert again.version > registered.version
    with pytest.raises(VersionConflict):
        stores.spaces.register("acme", "s1", OFF, version=registered.version)
    assert stores.spaces.space("acme", "s1") == again


def test_of_two_who_write_on_top_of_the_same_one_wins_and_the_other_is_told(stores: Stores) -> None:
    base, start = stores.spaces.register("acme", "s1", SpaceSettings(), version=0), Barrier(2)

    def write(settings: SpaceSettings) -> StoredSpace | int:
        start.wait()
        try:
            return stores.spaces.register("acme", "s1", settings, version=base.version)
        except VersionConflict as refused:
            return refused.version

    with ThreadPoolExecutor(2) as pool:
        written = list(pool.map(write, (OFF, SEARCHING)))
    (winner,) = [one for one in written if isinstance(one, StoredSpace)]
    assert winner.version in written  # what the loser is told
    assert stores.spaces.space("acme", "s1") == winner


def test_of_one_who_changes_and_one_who_removes_the_same_version_one_is_refused(stores: Stores) -> None:
    base, start = stores.spaces.register("acme", "s1", SpaceSettings(), version=0), Barrier(2)

    def refused(write: Callable[[], object]) -> int | None:
        start.wait()
        try:
            write()
        except VersionConflict as conflict:
            return conflict.version
        return None

    spaces = stores.spaces
    with ThreadPoolExecutor(2) as pool:
        changing = pool.submit(refused, lambda: spaces.register("acme", "s1", OFF, version=base.version))
        removing = pool.submit(refused, lambda: spaces.unregister("acme", "s1", version=base.version))
    found = spaces.space("acme", "s1")
    if found is None:
        assert (changing.result(), removing.result()) == (0, None)
    else:
        assert (changing.result(), removing.result(), found.settings) == (None, found.version, OFF)
