"""Old facts of a company become fewer in the deployed stacks, and one of them is parted again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from botocore.credentials import Credentials

from context_memory.domain.facts.fact import Tier
from context_memory.domain.ids import UserKey
from infra.local.emulator_process import ACCOUNT
from infra.operate.switchboard import Switchboard
from tests.support import scripted_answers as says
from tests.support.administrators import Administrator, new_company, switch
from tests.support.deployed import Somebody, eventually
from tests.support.deployed_facts import FactsOf
from tests.support.worker_processes import coming_back_after, kill_workers

if TYPE_CHECKING:
    from tests.support.deployed import Deployed
    from tests.support.scripted_model import Asked

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


def test_a_compaction_whose_worker_is_killed_goes_on_where_it_was(admin: Administrator) -> None:
    """It has one user behind it and hangs on the other; what the dead one did of a stretch its report may not tell."""
    deployed, long_ago = admin.deployed, datetime.now(UTC) - timedelta(days=100)
    old: dict[str, Any] = {"created_at": long_ago, "last_confirmed_at": long_ago, "tokens": 12, "tier": Tier.ARCHIVAL}
    people = [Somebody(deployed, UserKey(admin.company_id, name), admin.keys) for name in ("anna", "zoe")]
    for somebody in people:
        eventually(partial(somebody.post, "t1", "I know Rust."), lambda answer: answer.status_code == 202)
        somebody.done("t1")
        FactsOf(somebody).learn(PRAGUE, VIENNA, **old)
    answers = deployed.model.script_of("compact")
    met = len(deployed.model.asked("compact"))

    def second_hangs(asked: Asked) -> says.Answer | str:
        return answers(asked) if len(deployed.model.asked("compact")) == met + 1 else says.hang()

    deployed.model.script("compact", second_hangs)
    jobs = deployed.local.emulated.sqs.get_queue_url(QueueName=deployed.local.emulated.names.jobs_queue)["QueueUrl"]
    with coming_back_after(deployed, jobs, "4"):
        asked = admin.call("POST", "/jobs", {"job": "compact"})
        eventually(lambda: len(deployed.model.asked("compact")), lambda calls: calls >= met + 2)
        deployed.model.script("compact", answers)
        kill_workers(deployed, "maintain")
        path = f"/jobs/{asked.json()['job_id']}"
        report = eventually(lambda: dict(admin.call("GET", path).json()), lambda job: job["status"] == "done")
    assert report["counts"] in ({"compacted": 2}, {"compacted": 1, "nothing": 1})
    for somebody in people:
        facts = {item["text"]["S"] for item in somebody.items("FACT#") if item["tier"]["S"] == "archival"}
        assert facts == {BOTH}


def test_every_week_the_companies_that_are_on_are_walked_through(admin: Administrator) -> None:
    eventually(lambda: admin.deployed.invoke("maintain", {"job": "compactions"})["companies"], lambda begun: begun >= 1)
