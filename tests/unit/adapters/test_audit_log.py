"""Audit records as lines: what stands in one, and what never does."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from context_memory.adapters.audit_log import AuditLog
from context_memory.adapters.in_memory.system import ManualClock
from context_memory.adapters.in_memory.telemetry import RecordingTelemetry
from context_memory.adapters.powertools_telemetry import PowertoolsTelemetry
from context_memory.adapters.secrets import KeyedHasher
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import UserKey
from context_memory.ports.telemetry import Access

if TYPE_CHECKING:
    import pytest

LENA = UserKey("acme", "lena-canary-4711")
CALLER = "arn:aws:sts::123456789012:assumed-role/orchestrator/session"


def secret() -> str:
    return "the key of this environment"


def out_of_reach() -> str:
    raise StoreUnavailable("out of reach")


def access(user: UserKey | None = LENA, **changes: Any) -> Access:  # noqa: ANN401 - any JSON
    usual: dict[str, Any] = {
        "route": "GET /v1/companies/{company_id}/users/{user_id}/memory",
        "status": 200,
        "request_id": "r-1",
        "caller": CALLER,
        "company_id": "acme",
    }
    return Access(user=user, **usual | changes)


def lines(*accesses: Access, hasher: KeyedHasher | None = None, telemetry: RecordingTelemetry | None = None) -> str:
    stream = io.StringIO()
    audit = AuditLog(
        hasher=hasher or KeyedHasher(secret),
        clock=ManualClock(),
        telemetry=telemetry or RecordingTelemetry(),
        stream=stream,
    )
    for one in accesses:
        audit.record(one)
    return stream.getvalue()


def test_a_record_says_when_who_what_and_whose_and_nothing_else() -> None:
    record = json.loads(lines(access()))
    user = record.pop("user")
    assert record == {
        "audit": True,
        "time": "2026-01-05T09:30:00.000+00:00",
        "caller": CALLER,
        "route": "GET /v1/companies/{company_id}/users/{user_id}/memory",
        "status": 200,
        "company_id": "acme",
        "request_id": "r-1",
    }
    assert len(bytes.fromhex(user)) == 8
    assert LENA.user_id not in lines(access())


def test_a_user_has_one_name_in_the_audit_and_in_log_lines_and_another_in_each_environment() -> None:
    stream = io.StringIO()
    telemetry = PowertoolsTelemetry(
        service="load", namespace="ContextMemory/dev", hasher=KeyedHasher(secret), level="INFO", stream=stream
    )
    with telemetry.about(LENA):
        telemetry.event("something happened")
    here = json.loads(lines(access()))["user"]
    assert json.loads(stream.getvalue())["user"] == here
    assert json.loads(lines(access(), hasher=KeyedHasher(lambda: "another key")))["user"] != here
    assert json.loads(lines(access(UserKey("bank", LENA.user_id))))["user"] != here


def test_a_call_about_no_user_names_none() -> None:
    assert json.loads(lines(access(None)))["user"] is None


def test_without_the_key_the_record_says_unknown_and_the_loss_is_counted() -> None:
    telemetry = RecordingTelemetry()
    record = json.loads(lines(access(), hasher=KeyedHasher(out_of_reach), telemetry=telemetry))
    assert (record["user"], record["caller"]) == ("unknown", CALLER)
    assert telemetry.total("errors_total", stage="audit", error_type="StoreUnavailable") == 1


def test_a_record_needs_no_logger_that_is_willing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LOG_LEVEL", "CRITICAL")
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "CRITICAL")
    telemetry = PowertoolsTelemetry(service="load", namespace="ContextMemory/dev")
    AuditLog(hasher=KeyedHasher(secret), clock=ManualClock(), telemetry=telemetry).record(access())
    assert json.loads(capsys.readouterr().out)["audit"] is True


@given(st.text(), st.text(), st.text())
def test_whatever_callers_are_called_a_record_is_one_line(caller: str, route: str, request_id: str) -> None:
    written = lines(access(caller=caller, route=route, request_id=request_id))
    assert written.count("\n") == 1
    assert json.loads(written)["caller"] == caller
