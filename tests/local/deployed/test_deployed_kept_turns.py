"""What a company keeps of its users' turns in the deployed stacks, becomes a fact, and is gone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from botocore.credentials import Credentials

from context_memory.domain.ids import UserKey
from infra.local.emulator_process import ACCOUNT
from infra.operate.switchboard import Switchboard
from tests.support.administrators import Administrator, new_company, switch
from tests.support.deployed import Somebody, eventually
from tests.support.deployed_facts import FactsOf

if TYPE_CHECKING:
    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

FIRST, SECOND = "I know how to steam ribs for a cedar canoe.", "I know how to varnish the cedar canoe now."
BUILT = "Knows how to steam ribs and varnish a cedar canoe."
SUMMARY: dict[str, Any] = {"op": "add", "id": None, "text": BUILT, "tier": None, "keywords": [], "quote": SECOND}


@pytest.fixture
def admin(learning: Deployed) -> Administrator:
    """The account's root, who administers a company of this test alone, with a model that finds facts only later."""
    learning.model.script("extraction", lambda _: json.dumps({"facts": []}))
    learning.model.script("consolidation", lambda _: "NOOP")
    learning.model.script("summary", lambda _: json.dumps({"facts": [SUMMARY]}))
    emulated, company_id = learning.local.emulated, new_company()
    switch(Switchboard(emulated.appconfig, emulated.names), company_id, on=True)
    return Administrator(learning, company_id, Credentials(ACCOUNT, "of the root"))


def told(admin: Administrator) -> Somebody:
    """Somebody who has said two things, of which no fact was made."""
    somebody = Somebody(admin.deployed, UserKey(admin.company_id, "lena"), admin.keys)
    eventually(lambda: somebody.post("t1", FIRST).status_code, lambda code: code == 202)
    somebody.done("t1")
    assert somebody.post("t2", SECOND).status_code == 202
    somebody.done("t2")
    somebody.let_go()
    return somebody


def texts(somebody: Somebody) -> list[str]:
    """Keys of what is kept of turns that are over."""
    outputs = somebody.deployed.local.outputs
    found = somebody.deployed.local.emulated.s3.list_objects_v2(
        Bucket=outputs.work_bucket, Prefix=f"kept/{somebody.key.home}"
    )
    return [one["Key"] for one in found.get("Contents", [])]


def walked(admin: Administrator) -> dict[str, Any]:
    """The report of a walk that is over."""
    asked = admin.call("POST", "/jobs", {"job": "summarise"})
    assert asked.status_code == 202, asked.text
    path = f"/jobs/{asked.json()['job_id']}"
    return eventually(lambda: dict(admin.call("GET", path).json()), lambda job: job["status"] in {"done", "failed"})


def test_kept_turns_become_a_fact_that_is_recalled_and_their_text_is_gone(admin: Administrator) -> None:
    assert admin.put({"keep_turns_days": 1}).status_code == 200
    somebody = told(admin)
    eventually(lambda: texts(somebody), lambda keys: len(keys) == 2)
    export = admin.call("GET", "/users/lena/export").json()
    assert [turn["turn_id"] for turn in export["kept_turns"]] == ["t2", "t1"]
    of = FactsOf(somebody)
    assert of.texts("cedar canoe") == []

    report = walked(admin)
    assert (report["status"], report["counts"]) == ("done", {"summarised": 1})
    assert report["report"] == [{"user_id": "lena", "result": "summarised", "turns": 2, "unread": 0}]
    assert of.texts("cedar canoe") == [BUILT]
    assert texts(somebody) == []
    assert somebody.items("KEPT") == []
    (fact,) = admin.call("GET", "/users/lena/facts").json()["facts"]
    assert (fact["tier"], fact["source"]["turn_id"]) == ("archival", "t2")


def test_by_default_nothing_is_kept(admin: Administrator) -> None:
    somebody = told(admin)
    assert (texts(somebody), somebody.items("KEPT")) == ([], [])
    assert admin.call("GET", "/users/lena/export").json()["kept_turns"] == []


def test_an_erase_takes_kept_texts_along(admin: Administrator) -> None:
    assert admin.put({"keep_turns_days": 30}).status_code == 200
    somebody = told(admin)
    eventually(lambda: texts(somebody), lambda keys: len(keys) == 2)
    assert admin.call("DELETE", "/users/lena/memory").status_code in {200, 202}
    eventually(lambda: (texts(somebody), somebody.items("KEPT")), lambda left: left == ([], []))


def test_every_day_the_companies_that_keep_turns_are_walked_through(admin: Administrator) -> None:
    assert admin.put({"keep_turns_days": 30}).status_code == 200
    somebody = told(admin)
    eventually(lambda: texts(somebody), lambda keys: len(keys) == 2)
    assert admin.deployed.invoke("maintain", {"job": "summaries"})["companies"] >= 1
    assert len(texts(somebody)) == 2
