"""The locks of companies, tried on requests as the gateway hands them over."""

from __future__ import annotations

import pytest

from context_memory.application.locks import Locks
from context_memory.contracts.http import Request
from context_memory.domain.callers import CompanyLock, Principal
from context_memory.domain.errors import CallerNotPinned, InvalidId

ACCOUNT = "123456789012"
LOCKS = Locks({"bank": CompanyLock(callers=frozenset({Principal(ACCOUNT, "orchestrator")}))})


def request(company_id: str, role: str | None = None) -> Request:
    iam = {"accountId": ACCOUNT, "userArn": f"arn:aws:sts::{ACCOUNT}:assumed-role/{role}/session"}
    return Request.of(
        {
            "routeKey": "GET /v1/companies/{company_id}/users/{user_id}/memory",
            "requestContext": {"requestId": "r-1"} | ({"authorizer": {"iam": iam}} if role else {}),
            "pathParameters": {"company_id": company_id, "user_id": "lena"},
        }
    )


def test_a_company_without_locks_is_open_to_whom_iam_let_through() -> None:
    LOCKS(request("acme", "anybody"))
    LOCKS(request("acme"))


def test_a_pinned_role_may_call_for_its_company() -> None:
    LOCKS(request("bank", "orchestrator"))


@pytest.mark.parametrize("role", ["orchestrator-2", None])
def test_another_role_or_an_unknown_caller_may_not(role: str | None) -> None:
    with pytest.raises(CallerNotPinned) as refused:
        LOCKS(request("bank", role))
    assert ACCOUNT not in str(refused.value)


@pytest.mark.parametrize("company_id", ["Bank", "bank ", "bank=", "b\u0430nk", "%62ank"])
def test_no_other_spelling_of_a_company_goes_around_its_locks(company_id: str) -> None:
    with pytest.raises(InvalidId):
        LOCKS(request(company_id, "anybody"))
