"""Messages and jobs that cannot be read: refused, and never quoted, for the refusal stands in the log."""

from __future__ import annotations

import json
import traceback

import pytest

from context_memory.contracts.messages import DoorbellMessage, parse_job, parse_queued
from context_memory.domain.errors import InvalidInput

IDS = {"company_id": "acme", "user_id": "lena.frei"}


@pytest.mark.parametrize(
    "job",
    [
        {"job": "redrive", **IDS},
        {"job": "lena.frei"},
        {"jobs": "inspect", **IDS},
        {"job": "inspect", **IDS, "lena.frei": "lena.frei"},
        {"job": "pseudonym", "company_id": "acme", "user_id": ["lena.frei"]},
        {"job": "erase", **IDS, "epoch": "lena.frei"},
        {"job": "erase", **IDS, "epoch": -1},
        {"job": "redact", **IDS, "text": "lena.frei"},
        {"job": "expire", **IDS},
        {"job": "walk", "company_id": "acme", "job_id": "lena.frei"},
        {"job": "walk", "company_id": "acme"},
        ["lena.frei"],
        "lena.frei",
    ],
    ids=repr,
)
def test_a_job_that_maintain_does_not_know_is_refused_without_a_word_of_it(job: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_job(job)
    assert "lena" not in "".join(traceback.format_exception(refused.value))


@pytest.mark.parametrize(
    "message",
    [
        {**IDS, "kind": "lena.frei"},
        {**IDS, "text": "lena.frei lives in Basel"},
        {"user_id": "lena.frei"},
        ["lena.frei"],
    ],
    ids=repr,
)
def test_a_message_that_is_no_doorbell_is_refused_without_a_word_of_it(message: object) -> None:
    for body in (json.dumps(message), json.dumps(message)[:-1]):
        with pytest.raises(InvalidInput) as refused:
            DoorbellMessage.parse(body)
        assert "lena" not in "".join(traceback.format_exception(refused.value))


@pytest.mark.parametrize(
    "message",
    [
        *({"job": "heal"}, {"job": "compactions"}, {"job": "inspect", **IDS}, {"job": "lena.frei"}),
        {"job": "redrive", **IDS, "turn_id": "t1"},
    ],
    ids=repr,
)
def test_the_queue_carries_nothing_that_only_an_invocation_may_ask_for(message: object) -> None:
    for body in (json.dumps(message), json.dumps(message)[:-1], "lena.frei"):
        with pytest.raises(InvalidInput) as refused:
            parse_queued(body)
        assert "lena" not in "".join(traceback.format_exception(refused.value))
