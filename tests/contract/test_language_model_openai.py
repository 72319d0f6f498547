"""The language model adapter against a scripted endpoint over real HTTP: what is sent, read and raised."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING

import pytest

from context_memory.adapters.openai_model import MAX_TRIES, OpenAiModel
from context_memory.domain.errors import (
    ContextMemoryError,
    ModelAccessDenied,
    ModelRejected,
    ModelServerError,
    ModelUnavailable,
    StoreUnavailable,
)
from context_memory.ports.models import LanguageModel, ModelRequest
from tests.support import scripted_answers as answers
from tests.support.scripted_model import ScriptedModel

if TYPE_CHECKING:
    from tests.support.scripted_answers import Answer

KEY = "sk-invented-0123456789"
CANARY = "Lena moved to Basel; canary-7d41"
ASK = ModelRequest(
    purpose="gate",
    model="small-1",
    system="You decide.",
    user=CANARY,
    max_output_tokens=100,
    turns=("t1", "t=3A2"),
    seconds_left=30.0,
)


@dataclass
class SteppingClock:
    """Real time, plus what was slept: pauses are counted and not waited for."""

    pauses: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        return datetime(2026, 6, 17, 11, 40, tzinfo=UTC)

    def monotonic(self) -> float:
        return time.monotonic() + sum(self.pauses)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


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


type Maker = Callable[..., OpenAiModel]


@pytest.fixture
def make(server: ScriptedModel, clock: SteppingClock) -> Iterator[Maker]:
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
def model(make: Maker) -> LanguageModel:
    return make()


def refused(model: LanguageModel, request: ModelRequest = ASK) -> ContextMemoryError:
    """The error of a call that must fail; it may hold neither the text, nor the key, nor a vendor's error."""
    with pytest.raises(ContextMemoryError) as caught:
        model.complete(request)
    error = caught.value
    assert CANARY not in repr(error)
    assert KEY not in repr(error)
    assert error.__cause__ is None
    assert error.__context__ is None
    return error


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


# What is raised


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (answers.refusal(), "refusal"),
        (answers.parts({"type": "refusal", "refusal": "No."}), "refusal"),
        (answers.filtered(), "content_filter"),
        (answers.filtered("half an ans"), "content_filter"),
        (answers.text("", finish_reason="content_filter: PROHIBITED"), "content_filter"),
        (answers.too_long(), "length"),
        (answers.error(413), "length"),
        (answers.prompt_filtered(), "content_filter"),
        (answers.error(400), "invalid_request"),
        (answers.error(422), "invalid_request"),
        (answers.error(400, {"message": f"cannot store {CANARY}"}), "invalid_request"),
    ],
)
def test_a_rejection_is_told_by_kind_and_not_tried_again(
    server: ScriptedModel, model: LanguageModel, answer: Answer, kind: str
) -> None:
    server.queue("gate", answer)
    error = refused(model)
    assert isinstance(error, ModelRejected)
    assert error.kind == kind
    assert len(server.asked()) == 1


@pytest.mark.parametrize(
    "answer",
    [
        answers.denied(401),
        answers.denied(403),
        answers.error(402),
        answers.unknown_model(),
        answers.html(404),
        answers.error(400, {"code": "model_not_found"}),
        answers.error(400, {"message": "API key not valid. Please pass a valid API key."}),
        answers.error(400, {"message": "vendor/small-1 is not a valid model ID"}),
    ],
)
def test_a_wrong_key_or_model_waits_for_somebody_to_act(
    server: ScriptedModel, model: LanguageModel, answer: Answer
) -> None:
    server.queue("gate", answer)
    assert isinstance(refused(model), ModelAccessDenied)
    assert len(server.asked()) == 1


@pytest.mark.parametrize(
    "answer",
    [
        answers.broken(500),
        answers.broken(503),
        answers.html(502),
        answers.html(200),
        answers.rubbish(),
        answers.of_json([]),
        answers.of_json({"choices": None}),
        answers.of_json({"choices": ["NOOP"]}),
        answers.of_json({"error": {"message": "upstream", "code": 502}}),
        answers.message({"content": {"odd": 1}}),
        answers.text("half", finish_reason="error"),
    ],
)
def test_a_broken_endpoint_is_tried_three_times(server: ScriptedModel, model: LanguageModel, answer: Answer) -> None:
    server.queue("gate", *[answer] * MAX_TRIES)
    assert isinstance(refused(model), ModelServerError)
    assert server.waiting("gate") == 0


@pytest.mark.parametrize(
    "answer", [answers.slow_down(), answers.hang_up(), answers.error(408), answers.of_json({"error": {"code": 429}})]
)
def test_a_busy_or_lost_endpoint_is_tried_three_times(
    server: ScriptedModel, model: LanguageModel, answer: Answer
) -> None:
    server.queue("gate", *[answer] * MAX_TRIES)
    error = refused(model)
    assert isinstance(error, ModelUnavailable)
    assert not isinstance(error, ModelServerError | ModelAccessDenied)
    assert server.waiting("gate") == 0


@pytest.mark.parametrize("fault", [answers.slow_down(), answers.broken(), answers.hang_up(), answers.rubbish()])
def test_a_passing_fault_costs_a_pause_and_nothing_else(
    server: ScriptedModel, model: LanguageModel, clock: SteppingClock, fault: Answer
) -> None:
    server.queue("gate", fault, fault, "UPDATE")
    assert model.complete(ASK).text == "UPDATE"
    assert clock.pauses == [0.5, 1.0]


def test_nobody_listening_is_a_fault_of_the_world(make: Maker) -> None:
    assert type(refused(make(base_url="http://127.0.0.1:9/v1"))) is ModelUnavailable


# Retry-After


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    "asked_for", ["7", "7.0", format_datetime(datetime(2026, 6, 17, 11, 40, 7, tzinfo=UTC), usegmt=True)]
)
def test_retry_after_is_waited_for_when_it_fits(
    server: ScriptedModel, model: LanguageModel, clock: SteppingClock, status: int, asked_for: str
) -> None:
    server.queue("gate", answers.error(status, headers={"Retry-After": asked_for}), "UPDATE")
    assert model.complete(ASK).text == "UPDATE"
    assert clock.pauses == [7.0]


def test_retry_after_that_does_not_fit_is_handed_on_at_once(
    server: ScriptedModel, model: LanguageModel, clock: SteppingClock
) -> None:
    server.queue("gate", answers.slow_down("120"))
    error = refused(model)
    assert isinstance(error, ModelUnavailable)
    assert error.retry_after == 120.0
    assert (len(server.asked()), clock.pauses) == (1, [])


@pytest.mark.parametrize("nonsense", ["soon", "-5", "nan", "inf", "", "1e9"])
def test_a_retry_after_that_says_nothing_is_not_believed(
    server: ScriptedModel, model: LanguageModel, clock: SteppingClock, nonsense: str
) -> None:
    server.queue("gate", answers.slow_down(nonsense), "UPDATE")
    assert model.complete(ASK).text == "UPDATE"
    assert clock.pauses == [0.5]


def test_a_date_that_has_passed_means_now(server: ScriptedModel, model: LanguageModel, clock: SteppingClock) -> None:
    past = format_datetime(clock.now() - timedelta(hours=1), usegmt=True)
    server.queue("gate", answers.slow_down(past), "UPDATE")
    assert model.complete(ASK).text == "UPDATE"
    assert clock.pauses == [0.0]


# Time


@pytest.mark.parametrize(
    "answer", [answers.hang(), answers.text("UPDATE").late(5), answers.text("UPDATE").dripping(0.05)]
)
def test_no_answer_outlives_the_time_that_is_left(server: ScriptedModel, model: LanguageModel, answer: Answer) -> None:
    server.queue("gate", answer)
    started = time.monotonic()
    assert type(refused(model, replace(ASK, seconds_left=0.4))) is ModelUnavailable
    assert time.monotonic() - started < 2
    assert len(server.asked()) == 1


def test_one_try_does_not_take_all_the_time(server: ScriptedModel, clock: SteppingClock) -> None:
    server.queue("gate", answers.hang(), "UPDATE")
    model = OpenAiModel(base_url=server.base_url, api_key=lambda: KEY, clock=clock, try_seconds=0.3, sleep=clock.sleep)
    try:
        assert model.complete(ASK).text == "UPDATE"
    finally:
        model.close()


def test_without_time_nothing_is_asked(server: ScriptedModel, model: LanguageModel) -> None:
    assert type(refused(model, replace(ASK, seconds_left=0.0))) is ModelUnavailable
    assert server.asked() == ()


def test_a_pause_that_leaves_no_time_for_a_try_is_not_begun(
    server: ScriptedModel, model: LanguageModel, clock: SteppingClock
) -> None:
    server.queue("gate", answers.broken())
    assert isinstance(refused(model, replace(ASK, seconds_left=1.2)), ModelServerError)
    assert (len(server.asked()), clock.pauses) == (1, [])


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


# What nobody may see


def test_no_log_line_holds_the_text_or_the_key(
    server: ScriptedModel, model: LanguageModel, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.queue("gate", "UPDATE", answers.error(400, {"message": CANARY}), answers.denied())
    model.complete(ASK)
    refused(model)
    refused(model)
    assert CANARY not in caplog.text
    assert KEY not in caplog.text
