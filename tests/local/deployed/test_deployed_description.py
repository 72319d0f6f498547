"""The API tells anybody what it can be asked, and who asks again is told that nothing changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.contracts.openapi.published import published
from tests.support import described

if TYPE_CHECKING:
    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed
PATH = "/v1/openapi.json"


def test_anybody_may_read_the_description_which_is_the_committed_one(deployed: Deployed) -> None:
    answer = deployed.call("GET", PATH, signed=False)

    assert answer.status_code == 200
    assert answer.text == published().text
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "public, max-age=300"


def test_who_has_it_already_is_sent_nothing(deployed: Deployed) -> None:
    etag = deployed.call("GET", PATH, signed=False).headers["etag"]
    again = deployed.call("GET", PATH, headers={"if-none-match": etag}, signed=False)

    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)


def test_an_answer_that_is_not_described_fails_a_test(deployed: Deployed) -> None:
    somebody = deployed.newcomer()
    with pytest.raises(AssertionError, match="no route is described that takes a PATCH"):
        described.check("PATCH", f"{somebody.path}/memory", somebody.load())
    with pytest.raises(AssertionError, match="not said to answer 200 with the headers"):
        described.check("GET", "/v1/companies/acme", somebody.load())
    with pytest.raises(AssertionError, match=r"GET /v1/me/memory 200: .*prompt_tokens"):
        described.check("GET", "/v1/me/memory", somebody.load())
