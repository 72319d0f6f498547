"""Vectors and indexes come up to the facts by jobs: after an outage of the endpoint, and behind what is shared."""

from __future__ import annotations

from itertools import batched
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.ids import UserKey
from context_memory.ports.facts import MOST_CHANGES
from context_memory.ports.indexes import MOST_READ_AT_ONCE
from infra.operate.switchboard import Switchboard
from tests.support import scripted_answers
from tests.support.administrators import Administrator, caller_of, new_company, switch
from tests.support.deployed import Deployed, Somebody, eventually
from tests.support.deployed_facts import FactsOf
from tests.support.worker_processes import coming_back_after, kill_workers

if TYPE_CHECKING:
    from typing import Any

    from tests.support.scripted_model import Asked

pytestmark = pytest.mark.deployed


def test_facts_that_were_stored_without_vectors_are_found_by_meaning_once_the_endpoint_is_back(
    deployed: Deployed, lena: Somebody
) -> None:
    model, facts = deployed.model, FactsOf(lena)
    answers = model.script_of("embedding")
    model.script("embedding", lambda _: scripted_answers.error(503, {"message": "busy"}))
    facts.learn("Lives in Basel.")
    assert facts.ask("Basel")["notes"] == ["embedding_unavailable"]
    model.script("embedding", answers)

    def why() -> list[str]:
        # What other tests share with the company is near in meaning, too.
        own = (hit for hit in facts.ask("Basel")["hits"] if hit["scope"] == "user")
        return sorted(reason for hit in own for reason in hit["why"])

    eventually(why, lambda found: found == ["keywords", "meaning"])


def test_a_worker_that_is_killed_while_facts_are_embedded_leaves_them_to_the_next(
    deployed: Deployed, lena: Somebody
) -> None:
    model, facts = deployed.model, FactsOf(lena)
    answers = model.script_of("embedding")

    def silent_about_facts(asked: Asked) -> scripted_answers.Answer | str:
        told = " ".join(asked.body["input"])
        return scripted_answers.hang() if "Lives in Basel." in told else answers(asked)

    model.script("embedding", silent_about_facts)
    facts.learn("Lives in Basel.")
    jobs = deployed.local.emulated.sqs.get_queue_url(QueueName=deployed.local.emulated.names.jobs_queue)["QueueUrl"]
    met = len(model.asked("embedding"))
    with coming_back_after(deployed, jobs, "4"):
        facts.ask("Basel")
        eventually(lambda: len(model.asked("embedding")), lambda calls: calls >= met + 2)  # the question, and the fact
        kill_workers(deployed, "maintain")
        model.script("embedding", answers)
        eventually(lambda: lena.items("FACT#")[0], lambda fact: "vector" in fact)


def test_what_a_company_shares_is_published_behind_recall_and_behind_each_change(deployed: Deployed) -> None:
    company_id = new_company()
    emulated = deployed.local.emulated
    switch(Switchboard(emulated.appconfig, emulated.names), company_id, on=True)
    administrator = Administrator(deployed, company_id, caller_of(deployed, company_id))
    facts = FactsOf(Somebody(deployed, UserKey(company_id, "mia"), administrator.keys))
    texts = [*(f"Part number {number}." for number in range(MOST_READ_AT_ONCE)), "The fire drill is in May."]
    for few in batched(texts, MOST_CHANGES, strict=False):
        facts.share(*few)

    def ask(query: str) -> dict[str, Any]:
        return facts.ask(query)

    told = eventually(lambda: ask("part number"), lambda told: bool(told["enabled"]))
    assert (bool(told["hits"]), told["notes"]) == (True, ["shared_facts_incomplete"])
    eventually(lambda: ask("fire drill")["notes"], lambda notes: notes == [])
    assert ask("fire drill")["hits"][0]["text"] == "The fire drill is in May."
    assert administrator.call("POST", "/facts", {"text": "The canteen closes at two."}).status_code == 201
    # Parts are near in meaning, and found until the change is published.
    eventually(lambda: facts.texts("canteen")[:1], lambda first: first == ["The canteen closes at two."])
