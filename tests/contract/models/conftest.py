"""An endpoint of models over real HTTP, and adapters that ask it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.openai_model import OpenAiModel
from tests.support.model_calls import KEY, SteppingClock
from tests.support.scripted_model import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from context_memory.ports.models import LanguageModel


@pytest.fixture(scope="module")
def running_server() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.fixture
def server(running_server: ScriptedModel) -> ScriptedModel:
    running_server.forget()
    return running_server


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


@pytest.fixture
def make(server: ScriptedModel, clock: SteppingClock) -> Iterator[Callable[..., OpenAiModel]]:
    made: list[OpenAiModel] = []

    def make(
        *, base_url: str | None = None, key: Callable[[], str] = lambda: KEY, reasoning: frozenset[str] = frozenset()
    ) -> OpenAiModel:
        made.append(
            OpenAiModel(
                base_url=base_url or server.base_url,
                api_key=key,
                clock=clock,
                reasoning_models=reasoning,
                sleep=clock.sleep,
                jitter=lambda: 0.0,
            )
        )
        return made[-1]

    yield make
    for model in made:
        model.close()


@pytest.fixture
def model(make: Callable[..., OpenAiModel]) -> LanguageModel:
    return make()
