from __future__ import annotations

import pytest

from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.application.spaces import SpaceAdministration
from context_memory.contracts.http import version_etag
from context_memory.domain.errors import InvalidInput, UnknownSpace, VersionConflict
from context_memory.domain.language_models import AllowedModels
from context_memory.domain.spaces import SpaceSettings

OFF, FAST = SpaceSettings(context_memory=False), SpaceSettings(language_model="fast")


def spaces_of(world: InMemoryWorld) -> SpaceAdministration:
    models = AllowedModels(aliases={"fast": "small-1"})
    return SpaceAdministration(spaces=world.spaces, models=models, telemetry=world.telemetry)


def test_a_space_is_shown_as_it_was_registered_and_not_at_all_otherwise() -> None:
    spaces = spaces_of(InMemoryWorld())
    with pytest.raises(UnknownSpace):
        spaces.show("acme", "s1")
    registered = spaces.register("acme", "s1", OFF)
    assert spaces.show("acme", "s1") == registered
    with pytest.raises(UnknownSpace):
        spaces.show("acme2", "s1")


@pytest.mark.parametrize("name", ["fast", "small-1", None])
def test_a_space_may_choose_a_model_of_the_list(name: str | None) -> None:
    world = InMemoryWorld()
    assert spaces_of(world).register("acme", "s1", SpaceSettings(language_model=name)).version


def test_a_space_may_not_choose_another_model() -> None:
    world = InMemoryWorld()
    with pytest.raises(InvalidInput) as refused:
        spaces_of(world).register("acme", "s1", SpaceSettings(language_model="large"))
    assert refused.value.field == "language_model"
    assert world.spaces.space("acme", "s1") is None


def test_pages_hold_every_space_once_and_the_last_one_says_that_it_is() -> None:
    spaces, found, after = spaces_of(InMemoryWorld()), list[str](), None
    for number in range(5):
        spaces.register("acme", f"s{number}", OFF)
    for size in (2, 2, 1):
        page, after = spaces.page("acme", limit=2, after=after)
        assert len(page) == size
        found += [space.space_id for space in page]
    assert (found, after) == ([f"s{number}" for number in range(5)], None)
    assert spaces.page("acme", limit=5, after=None)[1] is None


@pytest.mark.parametrize("other", ["*", "its own"])
def test_a_change_upon_what_was_seen_goes_through(other: str) -> None:
    spaces = spaces_of(InMemoryWorld())
    seen = version_etag(spaces.register("acme", "s1", OFF).version)
    tag = seen if other == "its own" else other
    assert spaces.register("acme", "s1", FAST, expected=frozenset({'"7"', tag})).settings == FAST


def test_a_space_is_registered_only_where_nothing_is_when_that_is_expected() -> None:
    spaces = spaces_of(InMemoryWorld())
    first = spaces.register("acme", "s1", OFF, expected=frozenset({'"0"'}))
    with pytest.raises(VersionConflict) as refused:
        spaces.register("acme", "s1", FAST, expected=frozenset({'"0"'}))
    assert refused.value.version == first.version


@pytest.mark.parametrize("expected", [frozenset({'"7"'}), frozenset({"*"}), frozenset[str]()])
def test_who_expects_something_of_a_space_that_is_not_there_is_told_so(expected: frozenset[str]) -> None:
    world = InMemoryWorld()
    spaces = spaces_of(world)
    with pytest.raises(VersionConflict) as unregistering:
        spaces.unregister("acme", "s1", expected=expected)
    with pytest.raises(VersionConflict) as registering:
        spaces.register("acme", "s1", FAST, expected=expected)
    assert (unregistering.value.version, registering.value.version) == (0, 0)
    assert world.spaces.space("acme", "s1") is None


def test_removing_what_is_not_there_leaves_everything_as_it_is() -> None:
    spaces = spaces_of(InMemoryWorld())
    other = spaces.register("acme", "s2", OFF)
    spaces.unregister("acme", "s1")
    assert spaces.show("acme", "s2") == other


def test_a_removal_upon_what_was_seen_goes_through_and_upon_something_else_does_not() -> None:
    spaces = spaces_of(InMemoryWorld())
    registered = spaces.register("acme", "s1", OFF)
    with pytest.raises(VersionConflict) as refused:
        spaces.unregister("acme", "s1", expected=frozenset({version_etag(registered.version + 1)}))
    assert refused.value.version == registered.version
    spaces.unregister("acme", "s1", expected=frozenset({version_etag(registered.version)}))
    with pytest.raises(UnknownSpace):
        spaces.show("acme", "s1")


def test_who_is_overtaken_between_looking_and_writing_is_told() -> None:
    world = InMemoryWorld()
    spaces = spaces_of(world)
    seen = spaces.register("acme", "s1", OFF)

    def somebody_else(step: str) -> None:
        if step == "after:spaces.space":
            world.whenever(lambda _: None)
            world.spaces.register("acme", "s1", FAST, version=None)

    world.whenever(somebody_else)
    with pytest.raises(VersionConflict):
        spaces.register("acme", "s1", SpaceSettings(), expected=frozenset({version_etag(seen.version)}))
    assert spaces.show("acme", "s1").settings == FAST


def test_lines_name_neither_company_nor_space() -> None:
    world = InMemoryWorld()
    spaces = spaces_of(world)
    spaces.register("acme", "s1", OFF)
    spaces.unregister("acme", "s1")
    assert [line.phrase for line in world.telemetry.lines] == ["registered a space", "removed a space"]
    assert "s1" not in str(world.telemetry.lines)
    assert "acme" not in str(world.telemetry.lines)
