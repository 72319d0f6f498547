from __future__ import annotations

import pytest

from context_memory.domain.language_models import AllowedModels, choice
from context_memory.domain.spaces import SpaceSettings

MODELS = AllowedModels(aliases={"fast": "small-1", "best": "large-2", "large-2": "large-3"})
OWN = SpaceSettings(language_model="fast", use_orchestrator_language_model=True)
TURNS = SpaceSettings(use_orchestrator_language_model=True)


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("fast", "small-1"),
        ("small-1", "small-1"),
        ("large-2", "large-3"),  # an alias goes before a model's own name
        ("large-3", "large-3"),
        ("Fast", None),
        ("gpt", None),
        ("", None),
    ],
)
def test_a_name_is_an_alias_or_a_model_of_the_list(name: str, model: str | None) -> None:
    assert MODELS.named(name) == model
    assert MODELS.refuses(name) == (model is None)


def test_whoever_names_none_is_not_refused() -> None:
    assert not MODELS.refuses(None)
    assert not AllowedModels().refuses(None)
    assert AllowedModels().refuses("gpt")


@pytest.mark.parametrize(
    ("space", "of_the_turn", "name", "model"),
    [
        (OWN, "best", "fast", "small-1"),  # the space's goes first
        (TURNS, "best", "best", "large-2"),
        (TURNS, None, None, "ours"),
        (TURNS, "left the list", "left the list", "ours"),
        (SpaceSettings(language_model="left the list"), None, "left the list", "ours"),
        (SpaceSettings(), "best", None, "ours"),  # nobody lets the turn choose
        (None, "best", None, "ours"),
    ],
)
def test_the_space_goes_before_the_turn_and_both_before_the_environment(
    space: SpaceSettings | None, of_the_turn: str | None, name: str | None, model: str
) -> None:
    assert choice(space, of_the_turn) == name
    assert MODELS.chosen(space, of_the_turn, otherwise="ours") == model
