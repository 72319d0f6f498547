"""Environments are validated when they are written, not when they are deployed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from infra.environments import DEV, ENVIRONMENTS
from infra.environments.parts import FunctionSize, Models
from infra.names import Names


@pytest.mark.parametrize("name", ["", "d", "Dev", "dev-1", "1dev", "averylongname"])
def test_a_name_that_could_not_stand_in_other_names_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name must be"):
        replace(DEV, name=name)


@pytest.mark.parametrize("folder", ["home-x", "a/b", "", "Memory", "..", "-x"])
def test_a_root_folder_that_could_be_a_users_home_or_another_place_is_refused(folder: str) -> None:
    with pytest.raises(ValueError, match="root_folder"):
        replace(DEV, root_folder=folder)


@pytest.mark.parametrize(("memory", "timeout"), [(64, 10), (20_000, 10), (512, 0), (512, 901)])
def test_a_size_that_lambda_does_not_have_is_refused(memory: int, timeout: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        FunctionSize(memory_mb=memory, timeout_seconds=timeout)


def test_a_call_without_a_model_is_refused() -> None:
    with pytest.raises(ValueError, match="model"):
        Models(gate="m", consolidation="", scrub="m", small="m")


@pytest.mark.parametrize(("first", "longest"), [(0, 10), (20, 10), (1, 901)])
def test_waits_that_shrink_or_that_a_message_cannot_hide_for_are_refused(first: int, longest: int) -> None:
    with pytest.raises(ValueError, match="waits"):
        replace(DEV, wait_seconds_first=first, wait_seconds_max=longest)


@pytest.mark.parametrize("seconds", [0, 901])
def test_a_try_that_outlives_the_function_is_refused(seconds: int) -> None:
    with pytest.raises(ValueError, match="model_try_seconds"):
        replace(DEV, model_try_seconds=seconds)


def test_environments_are_found_under_their_own_names() -> None:
    assert {name: environment.name for name, environment in ENVIRONMENTS.items()} == {
        name: name for name in ("dev", "local", "prod", "staging")
    }


def test_the_longest_names_fit_what_aws_allows() -> None:
    names = Names(environment="production"[:10], account="1" * 12, region="ap-southeast-1")

    assert len(names.profile_bucket) <= 63
    assert len(names.user_data_role("lister")) <= 64
    assert len(names.function_role("consolidate")) <= 64
    assert len(names.function("consolidate")) <= 64
    assert len(names.dead_letter_queue) <= 80
