"""The language model adapter against a scripted endpoint over real HTTP: what is sent and read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.openai_model import OpenAiModel
from context_memory.domain.errors import (
    ContextMemoryError,
    ModelAccessDenied,
    ModelRejected,
    StoreUnavailable,
)
from tests.support import model_calls
from tests.support import scripted_answers as answers
from tests.support.model_calls import ASK, CANARY, KEY

if TYPE_CHECKING:
    from context_memory.ports.models import LanguageModel, ModelRequest
    from tests.support.scripted_answers import Answer
    from tests.support.scripted_model import ScriptedModel

type Maker = Callable[..., OpenAiModel]


def refused(model: LanguageModel, request: ModelRequest = ASK) -> ContextMemoryError:
    return model_calls.refused(lambda: model.complete(request))


# What is sent


def test_a_call_says_its_purpose_its_turns_and_its_key(server: ScriptedModel, model: LanguageModel) -> None:
    server.queue("gate", "UPDATE")
    reply = model.complete(ASK)
    [asked] = server.asked()
    assert reply.text == "UPDATE"
    assert (asked.purpose, asked.turns) == ("gate", ("t1", "t=3A2"))
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.path == "/v1/chat/completions"


def test_a_plain_model_is_asked_coldly_and_to_store_nothing(server: ScriptedModel, model: LanguageModel) -> None:
    server.queue("gate", "NOOP")
    model.complete(ASK)
    [asked] = server.asked()
    assert dict(asked.body) == {
        "model": "small-1",
        "messages": [{"role": "system", "content": "You decide."}, {"role": "user", "content": CANARY}],
        "temperature": 0,
        "max_tokens": 100,
        "store": False,
    }


@pytest.mark.parametrize("name", ["o3", "o4-mini", "gpt-5-nano", "deepseek-reasoner", "vendor/qwen3-30b-thinking"])
def test_a_reasoning_model_gets_room_to_think_and_no_temperature(
    server: ScriptedModel, model: LanguageModel, name: str
) -> None:
    server.queue("gate", "NOOP")
    model.complete(replace(ASK, model=name))
    [asked] = server.asked()
    assert "temperature" not in asked.body
    assert "max_tokens" not in asked.body
    assert asked.body["max_completion_tokens"] == 2_100


def test_a_model_may_be_called_reasoning_by_the_one_who_knows(server: ScriptedModel, make: Maker) -> None:
    server.queue("gate", "NOOP")
    make(reasoning=frozenset({"small-1"})).complete(replace(ASK, max_output_tokens=3_000))
    assert server.asked()[0].body["max_completion_tokens"] == 12_000


def test_lone_surrogates_do_not_keep_a_turn_from_being_asked(server: ScriptedModel, model: LanguageModel) -> None:
    server.queue("gate", "NOOP")
    model.complete(replace(ASK, user="a\ud800b \ud83d\ude00"))
    assert server.asked()[0].said_by("user") == "ab 😀"


def test_many_turns_are_named_as_far_as_four_kilobytes_go(server: ScriptedModel, model: LanguageModel) -> None:
    server.queue("gate", "NOOP")
    turns = tuple(f"{number:0200}" for number in range(40))
    model.complete(replace(ASK, turns=turns))
    sent = server.asked()[0].turns
    assert sent == turns[:20]
    assert len(server.asked()[0].headers["x-context-memory-turn"]) <= 4_096


def test_the_key_is_asked_for_late_and_before_each_call(server: ScriptedModel, make: Maker) -> None:
    keys = iter(["first", "second\n"])
    model = make(key=lambda: next(keys))
    server.queue("gate", "NOOP", "NOOP")
    model.complete(ASK)
    model.complete(ASK)
    assert [asked.headers["authorization"] for asked in server.asked()] == ["Bearer first", "Bearer second"]


def test_an_endpoint_without_a_key_is_asked_all_the_same(server: ScriptedModel, make: Maker) -> None:
    server.queue("gate", "NOOP")
    assert make(key=str).complete(ASK).text == "NOOP"


def test_a_key_that_no_header_can_carry_is_never_quoted(make: Maker) -> None:
    with pytest.raises(ModelAccessDenied) as caught:
        make(key=lambda: f"{KEY}\nx").complete(ASK)
    assert KEY not in str(caught.value)


def test_a_key_that_cannot_be_fetched_is_the_store_s_fault(server: ScriptedModel, make: Maker) -> None:
    def out_of_reach() -> str:
        raise StoreUnavailable("The secret store did not answer.")

    with pytest.raises(StoreUnavailable):
        make(key=out_of_reach).complete(ASK)
    assert server.asked() == ()


def test_connections_are_kept_between_calls_and_opened_again_after_closing(server: ScriptedModel, make: Maker) -> None:
    model = make()
    server.queue("gate", "NOOP", "NOOP")
    model.complete(ASK)
    model.close()
    assert model.complete(ASK).text == "NOOP"


# What is read


@pytest.mark.parametrize(
    ("answer", "text", "finish_reason"),
    [
        (answers.text("NOOP"), "NOOP", "stop"),
        (answers.text_parts("NO", "OP"), "NOOP", "stop"),
        (answers.parts({"type": "thinking", "thinking": []}, {"type": "text", "text": "NOOP"}), "NOOP", "stop"),
        (answers.parts(), "", "stop"),
        (answers.text(""), "", "stop"),
        (answers.without_text(), None, "stop"),
        (answers.message({}), None, "stop"),
        (answers.without_choices(), None, "empty"),
        (answers.cut("- Works as a radio"), "- Works as a radio", "length"),
        (answers.text("- Works", finish_reason="MAX_TOKENS"), "- Works", "length"),
        (answers.text("NOOP", finish_reason="end_turn"), "NOOP", "stop"),
        (answers.message({"content": "NOOP", "refusal": None}, finish_reason=None), "NOOP", "stop"),
        (
            answers.message({"content": "- Wor"}, finish_reason=None, usage={"completion_tokens": 100}),
            "- Wor",
            "length",
        ),
        (answers.text("a\ud800b"), "ab", "stop"),
    ],
)
def test_an_answer_is_read_however_it_is_written(
    server: ScriptedModel, model: LanguageModel, answer: Answer, text: str | None, finish_reason: str
) -> None:
    server.queue("gate", answer)
    reply = model.complete(ASK)
    assert (reply.text, reply.finish_reason) == (text, finish_reason)


def test_usage_is_mapped_with_what_the_cache_saved(server: ScriptedModel, model: LanguageModel) -> None:
    server.queue("gate", "NOOP")
    usage = model.complete(ASK).usage
    assert (usage.purpose, usage.model) == ("gate", "small-1")
    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (120, 64, 8)


@pytest.mark.parametrize("told", [None, {}, {"prompt_tokens": None, "prompt_tokens_details": None}])
def test_missing_usage_counts_as_nothing(
    server: ScriptedModel, model: LanguageModel, told: dict[str, None] | None
) -> None:
    server.queue("gate", answers.text("NOOP", usage=told))
    usage = model.complete(ASK).usage
    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (0, 0, 0)


# Parameters that an endpoint does not take


@pytest.mark.parametrize(
    ("complaint", "gone", "instead"),
    [
        (answers.unsupported("max_tokens"), "max_tokens", "max_completion_tokens"),
        (answers.unsupported("temperature"), "temperature", None),
        (answers.unsupported("store"), "store", None),
        (answers.unsupported("store", status=422), "store", None),
        (answers.extra_forbidden(["store"]), "store", None),
        (answers.error(400, {"message": "Unrecognized request argument supplied: store"}), "store", None),
        (answers.error(400, {"message": "'max_tokens' is not supported; use 'max_completion_tokens'"}), "max_tokens",
         "max_completion_tokens"),
    ],
)  # fmt: skip
def test_a_parameter_that_is_refused_is_left_out_from_then_on(
    server: ScriptedModel, model: LanguageModel, complaint: Answer, gone: str, instead: str | None
) -> None:
    server.queue("gate", complaint, "UPDATE", "NOOP")
    assert [model.complete(ASK).text, model.complete(ASK).text] == ["UPDATE", "NOOP"]
    first, second, third = server.asked()
    assert gone in first.body
    assert gone not in second.body
    assert second.body == third.body
    assert instead is None or instead in second.body


def test_what_one_model_refuses_another_is_still_asked_with(server: ScriptedModel, model: LanguageModel) -> None:
    server.queue("gate", answers.unsupported("temperature"), "NOOP", "NOOP")
    model.complete(ASK)
    model.complete(replace(ASK, model="small-2"))
    assert server.asked()[-1].body["temperature"] == 0


def test_an_endpoint_that_takes_no_parameter_is_asked_without_any(server: ScriptedModel, model: LanguageModel) -> None:
    for name in ("max_tokens", "max_completion_tokens", "temperature", "store"):
        server.queue("gate", answers.unsupported(name))
    server.queue("gate", "UPDATE")
    assert model.complete(ASK).text == "UPDATE"
    assert server.asked()[-1].body.keys() == {"model", "messages"}


def test_an_endpoint_that_refuses_for_ever_is_believed(server: ScriptedModel, model: LanguageModel) -> None:
    server.queue("gate", answers.unsupported("store"), answers.unsupported("store"))
    error = refused(model)
    assert isinstance(error, ModelRejected)
    assert error.kind == "invalid_request"
