"""The language model adapter while its endpoint is in trouble: what is raised, tried again, waited for, and hidden."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
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
)
from tests.support import model_calls
from tests.support import scripted_answers as answers
from tests.support.model_calls import ASK, CANARY, KEY, SteppingClock

if TYPE_CHECKING:
    from context_memory.ports.models import LanguageModel, ModelRequest
    from tests.support.scripted_answers import Answer
    from tests.support.scripted_model import ScriptedModel

type Maker = Callable[..., OpenAiModel]


def refused(model: LanguageModel, request: ModelRequest = ASK) -> ContextMemoryError:
    return model_calls.refused(lambda: model.complete(request))


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
