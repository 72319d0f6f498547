from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from context_memory.contracts.jobs import ConfirmBody, JobBody, asked_document, job_document
from context_memory.contracts.unlearning import UnlearnBody
from context_memory.domain.condemnation import Condemnation
from context_memory.domain.errors import InvalidInput
from context_memory.domain.walks import FAILED, Code, Line, Page, Walk, WalkKind, WalkStatus

NOW = datetime(2026, 6, 17, 12, 0, 30, 5, tzinfo=UTC)
WALK = Walk(
    company_id="acme",
    job_id="J1",
    kind=WalkKind.MIGRATE,
    status=WalkStatus.RUNNING,
    dry_run=True,
    asked_by="123456789012/admin",
    asked_at=NOW,
    users=5,
    failed=1,
    counts={"would_migrate": 4, FAILED: 1},
)


@pytest.mark.parametrize("kind", ["erase", "migrate", "condense", "expire", "compact"])
def test_a_job_is_asked_for_by_its_kind(kind: str) -> None:
    body = JobBody.parse(json.dumps({"job": kind}).encode())
    assert (body.kind.value, body.dry_run) == (kind, False)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"{}", "job"),
        (b'{"job": "lena"}', "job"),
        (b'{"job": "migrate", "dry_run": "yes"}', "dry_run"),
        (b'{"job": "migrate", "dry_run": 1}', "dry_run"),
        (b'{"job": "migrate", "code": "x"}', "code"),
        (b"[]", "body"),
        (b"\xff", "body"),
    ],
)
def test_what_is_no_job_is_refused_by_its_field_and_never_quoted(body: bytes, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        JobBody.parse(body)
    assert refused.value.field == field
    assert "lena" not in str(refused.value)


def test_what_to_unlearn_is_said_in_a_dry_run_and_comes_back_as_it_was_said() -> None:
    said = {"models": ["m1"], "from": "2026-06-01T00:00:00Z"}
    body = JobBody.parse(json.dumps({"job": "unlearn", "dry_run": True, "unlearn": said}).encode())
    assert body.said is not None
    condemned = UnlearnBody.parse(body.said.encode()).condemnation()
    assert condemned == Condemnation(models=frozenset({"m1"}), since=datetime(2026, 6, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"dry_run": True},
        {"dry_run": True, "job_id": "J1"},
        {"unlearn": {"models": ["m1"]}},
        {"unlearn": {"models": ["m1"]}, "job_id": "J1"},
        {"job_id": "lena frei"},
        {"dry_run": True, "unlearn": {}},
        {"job": "migrate", "job_id": "J1"},
        {"job": "condense", "dry_run": True, "unlearn": {"models": ["m1"]}},
    ],
    ids=repr,
)
def test_unlearning_is_looked_at_first_and_applied_by_its_dry_run_alone(more: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        JobBody.parse(json.dumps({"job": "unlearn"} | more).encode())


@pytest.mark.parametrize("code", ["", "x" * 41, 7, None])
def test_what_is_no_code_is_refused(code: object) -> None:
    with pytest.raises(InvalidInput):
        ConfirmBody.parse(json.dumps({"code": code}).encode())


def test_the_code_is_told_to_who_asked_with_its_end() -> None:
    waits = replace(
        WALK, status=WalkStatus.AWAITING_CONFIRMATION, code=Code(digest="d", until=NOW + timedelta(hours=1))
    )
    assert asked_document(waits, "5f1b5a0e") == {
        "job_id": "J1",
        "status": "awaiting_confirmation",
        "code": "5f1b5a0e",
        "confirm_before": "2026-06-17T13:00:30+00:00",
    }
    assert asked_document(WALK) == {"job_id": "J1", "status": "running"}


def test_a_report_says_how_far_it_is_whom_it_lists_and_where_it_goes_on() -> None:
    page = Page(number=7, lines=(Line(user_id="lena", result="unreadable", details={"error": "ProfileNotUtf8"}),))
    assert job_document(WALK, [page], 7) == {
        "job_id": "J1",
        "job": "migrate",
        "status": "running",
        "dry_run": True,
        "asked_by": "123456789012/admin",
        "asked_at": "2026-06-17T12:00:30+00:00",
        "finished_at": None,
        "users": 5,
        "done": 4,
        "failed": 1,
        "counts": {"would_migrate": 4, "failed": 1},
        "report": [{"user_id": "lena", "result": "unreadable", "error": "ProfileNotUtf8"}],
        "next": "7",
    }
    assert job_document(WALK, [page], None)["next"] is None
