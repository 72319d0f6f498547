"""Old facts of a company become fewer in the deployed stacks, and one of them is parted again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from botocore.credentials import Credentials

from context_memory.domain.facts.fact import Tier
from context_memory.domain.ids import UserKey
from infra.local.emulator_process import ACCOUNT
from infra.operate.switchboard import Switchboard
from tests.support.administrators import Administrator, new_company, switch
from tests.support.deployed import Somebody, eventually
from tests.support.deployed_facts import FactsOf

if TYPE_CHECKING:
    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

PRAGUE, VIENNA = "Visited Prague on 3 May 2024", "Visited Vienna on 9 June 2024"
BOTH = "Visited Prague on 3 May 2024, Vienna on 9 June 2024"


@pytest.fixture
def admin(learning: Deployed) -> Administrator:
    """The account's root, who administers a company of this test alone, with a model that merges what it is shown."""
    deployed = learning
    deployed.model.script("extraction", lambda _: json.dumps({"facts": []}))
    deployed.model.script("compact", lambda _: json.dumps({"merges": [{"of": [1, 2], "text": BOTH}]}))
    emulated, company_id = deployed.local.emulated, new_company()
    switch(Switchboard(emulated.appconfig, emulated.names), company_id, on=True)
    return Administrator(deployed, company_id, Credentials(ACCOUNT, "of the root"))


def walked(admin: Administrator) -> dict[str, Any]:
    """The report of a compaction that is over."""
    asked = admin.call("POST", "/jobs", {"job": "compact"})
    assert asked.status_code == 202, asked.text
    path = f"/jobs/{asked.json()['job_id']}"
    return eventually(lambda: dict(admin.call("GET", path).json()), lambda job: job["status"] in {"done", "failed"})


def test_old_facts_become_one_and_are_parted_again(admin: Administrator) -> None:
    somebody = Somebody(admin.deployed, UserKey(admin.company_id, "lena"), admin.keys)
    of, long_ago = FactsOf(somebody), datetime.now(UTC) - timedelta(days=100)
    eventually(lambda: somebody.post("t1", "I know Rust.").status_code, lambda code: code == 202)
    somebody.done("t1")
    old: dict[str, Any] = {"created_at": long_ago, "last_confirmed_at": long_ago, "tokens": 12, "tier": Tier.ARCHIVAL}
    of.learn(PRAGUE, VIENNA, **old)

    def texts() -> set[str]:
        listed = admin.call("GET", "/users/lena/facts").json()["facts"]
        return {fact["text"] for fact in listed if fact["tier"] == "archival"}

    report = walked(admin)
    assert (report["status"], report["counts"]) == ("done", {"compacted": 1})
    assert report["report"][0] == {"user_id": "lena", "result": "compacted", "groups": 1, "facts": 2, "into": 1}
    assert texts() == {BOTH}
    (merged,) = [fact for fact in admin.call("GET", "/users/lena/facts").json()["facts"] if fact["text"] == BOTH]
    assert set(merged["merged"]["texts"]) == {PRAGUE, VIENNA}

    parted = admin.call("POST", f"/users/lena/facts/{merged['id']}/expand")
    assert parted.status_code == 200, parted.text
    assert texts() == {PRAGUE, VIENNA}
    assert admin.call("POST", f"/users/lena/facts/{merged['id']}/expand").status_code == 404


def test_every_week_the_companies_that_are_on_are_walked_through(admin: Administrator) -> None:
    eventually(lambda: admin.deployed.invoke("maintain", {"job": "compactions"})["companies"], lambda begun: begun >= 1)
