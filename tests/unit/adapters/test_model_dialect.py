"""How models are told apart, and what is left when an endpoint refuses parameters."""

from __future__ import annotations

import pytest

from context_memory.adapters.model_dialect import OPTIONAL_PARAMETERS, Dialect, is_reasoning


@pytest.mark.parametrize(
    "name",
    [
        "o1", "o1-preview", "o3-mini-2025-01-31", "o4-mini", "gpt-5", "gpt-5-mini", "gpt-5.2", "gpt-6", "openai/o3",
        "ft:o4-mini:acme::7p", "deepseek-reasoner", "deepseek/deepseek-r1", "deepseek-r1:14b", "gpt-oss-20b",
        "Qwen/Qwen3-235B-A22B-Thinking-2507", "kimi-k2-thinking", "grok-4-fast-reasoning", "qwq-32b",
    ],
)  # fmt: skip
def test_a_name_that_promises_thought_is_a_reasoning_model_s(name: str) -> None:
    assert is_reasoning(name)


@pytest.mark.parametrize(
    "name",
    [
        "gpt-4o", "gpt-4.1-mini", "gpt-5-chat-latest", "claude-sonnet-4-5", "mistral-large", "offline-rules", "opus",
        "deepseek-chat", "grok-4-fast-non-reasoning", "olmo-2", "o-series",
    ],
)  # fmt: skip
def test_any_other_name_is_a_plain_model_s(name: str) -> None:
    assert not is_reasoning(name)


@pytest.mark.parametrize(("asked", "allowed"), [(8, 2_008), (666, 2_666), (667, 2_668), (4_000, 16_000)])
def test_thinking_gets_four_times_the_room_and_two_thousand_more_at_least(asked: int, allowed: int) -> None:
    assert Dialect(reasoning=True).output_limit(asked) == allowed
    assert Dialect(reasoning=False).output_limit(asked) == asked


def test_an_endpoint_that_insists_on_the_newer_spelling_counts_thoughts() -> None:
    learnt = Dialect(reasoning=False).without(frozenset({"max_tokens"}))
    assert learnt.parameters(100)["max_completion_tokens"] == 2_100


def test_a_reasoning_model_behind_an_older_endpoint_keeps_its_room() -> None:
    learnt = Dialect(reasoning=True).without(frozenset({"max_completion_tokens"}))
    assert learnt.parameters(100) == {"store": False, "max_tokens": 2_100}


def test_a_parameter_that_was_not_sent_is_no_reason_to_ask_otherwise() -> None:
    dialect = Dialect(reasoning=False)
    assert dialect.without(frozenset({"max_completion_tokens", "logprobs"})) == dialect


def test_giving_up_everything_ends() -> None:
    dialect, rounds = Dialect(reasoning=False), 0
    while (other := dialect.without(frozenset(OPTIONAL_PARAMETERS))) != dialect:
        dialect, rounds = other, rounds + 1
    assert dialect.parameters(100) == {}
    assert rounds == 2
