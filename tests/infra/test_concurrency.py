"""How many of what run side by side: consolidations within the model's rate limit, loads whatever else runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.environments import DEV, ENVIRONMENTS
from infra.environments.parts import FunctionSize
from tests.infra.templates import Templates, synthesise

if TYPE_CHECKING:
    from pathlib import Path

    from infra.environments import Environment

QUICKEST_CALL_SECONDS = 2


@pytest.fixture(scope="module", params=sorted(ENVIRONMENTS))
def environment(request: pytest.FixtureRequest) -> Environment:
    return ENVIRONMENTS[request.param]


@pytest.fixture(scope="module")
def templates(environment: Environment, code_folder: Path) -> Templates:
    return synthesise(environment, code_folder)


def reserved(templates: Templates) -> dict[str, int]:
    """Executions kept free, by function."""
    functions = templates.named("AWS::Lambda::Function", "FunctionName")
    return {
        name.removeprefix(templates.names.plain("")): properties["ReservedConcurrentExecutions"]
        for name, properties in functions.items()
        if "ReservedConcurrentExecutions" in properties
    }


@given(st.integers(300, 10**7), st.floats(0.2, 0.8))
def test_workers_of_both_kinds_that_never_rest_stay_within_the_models_rate_limit(
    requests_per_minute: int, share: float
) -> None:
    models = replace(DEV.models, requests_per_minute=requests_per_minute, extraction_share=share)
    calls_a_minute = (models.workers + models.extractors) * 60 / QUICKEST_CALL_SECONDS
    assert calls_a_minute <= requests_per_minute
    assert 2 <= models.workers <= 1000
    assert 2 <= models.extractors <= 1000


def test_so_many_doorbells_are_answered_side_by_side_as_the_models_rate_limit_carries(
    environment: Environment, templates: Templates
) -> None:
    assert templates.mapping("turns.fifo")["ScalingConfig"] == {"MaximumConcurrency": environment.models.workers}
    assert templates.mapping("facts.fifo")["ScalingConfig"] == {"MaximumConcurrency": environment.models.extractors}


def test_executions_are_kept_free_for_the_functions_that_ask_for_it_and_no_others(
    environment: Environment, templates: Templates
) -> None:
    functions = ("load", "ingest", "recall", "consolidate", "extract", "maintain")
    asked = {function: environment.size(function).reserved_concurrency for function in functions}
    assert reserved(templates) == {function: number for function, number in asked.items() if number is not None}


def test_load_can_be_given_executions_of_its_own(code_folder: Path) -> None:
    sized = replace(DEV, load=FunctionSize(memory_mb=512, timeout_seconds=10, reserved_concurrency=50))
    assert reserved(synthesise(sized, code_folder)) == {"load": 50}
