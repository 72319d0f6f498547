"""What the deployed functions count, as it stands in their log groups, is what the registry says; alarms exist."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.contracts.metrics import METRICS, WHOLE_SERVICE
from context_memory.domain.ids import UserKey
from infra.local.assembly import stacks, synthesise
from infra.operate.switchboard import Switchboard
from tests.support import scripted_answers as says
from tests.support.administrators import caller_of, new_company, switch
from tests.support.deployed import Somebody, eventually
from tests.support.deployed_facts import FactsOf

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.support.deployed import Deployed
    from tests.support.scripted_model import Asked

pytestmark = pytest.mark.deployed


@dataclass(frozen=True)
class Counted:
    """One metric of one line in the embedded metric format."""

    function: str
    namespace: str
    name: str
    unit: str
    dimensions: Mapping[str, str]
    values: tuple[float, ...]


def counted(deployed: Deployed) -> Iterator[Counted]:
    """Everything that all functions have counted so far."""
    for function in deployed.local.outputs.functions:
        for line in deployed.lines_of(function):
            if '"_aws"' in line:
                yield from _read(function, json.loads(line))


def _read(function: str, written: dict[str, Any]) -> Iterator[Counted]:
    for directive in written["_aws"]["CloudWatchMetrics"]:
        (dimensions,) = directive["Dimensions"]
        for metric in directive["Metrics"]:
            yield Counted(
                function=function,
                namespace=directive["Namespace"],
                name=metric["Name"],
                unit=metric["Unit"],
                dimensions={name: written[name] for name in dimensions},
                values=tuple(written[metric["Name"]]),
            )


def has_counted(deployed: Deployed, name: str, **dimensions: str) -> bool:
    return any(one.name == name and dimensions.items() <= one.dimensions.items() for one in counted(deployed))


def change_item(somebody: Somebody, key: str, name: str, value: dict[str, Any]) -> None:
    """As nobody but a test would."""
    somebody.deployed.dynamodb.update_item(
        TableName=somebody.deployed.local.outputs.user_table,
        Key={"pk": {"S": somebody.key.partition}, "sk": {"S": key}},
        UpdateExpression="SET #name = :value",
        ExpressionAttributeNames={"#name": name},
        ExpressionAttributeValues={":value": value},
    )


def opted_out(somebody: Somebody) -> Somebody:
    item: dict[str, Any] = {"epoch": {"N": "0"}, "context_memory": {"BOOL": False}}
    keys = {"pk": {"S": somebody.key.partition}, "sk": {"S": "A#SETTINGS"}}
    table = somebody.deployed.local.outputs.user_table
    somebody.deployed.dynamodb.put_item(TableName=table, Item=keys | item)
    return somebody


def play_loads(learning: Deployed, lena: Somebody) -> None:
    assert lena.memory() == ""
    lena.post("t1", "I know Rust.")
    assert lena.done("t1")["outcome"] == "updated"
    assert "Knows Rust." in lena.memory()
    assert opted_out(learning.newcomer()).load().json()["enabled"] is False
    change_item(lena, "A#PROFILE", "sha256", {"S": "0" * 64})
    assert lena.load().status_code == 500


def play_recalls(learning: Deployed) -> None:
    """A fact that is found and cited beside an invention, the same prompt again, and a question that finds nothing."""
    company = new_company()  # nobody has shared anything in it
    switch(Switchboard(learning.local.emulated.appconfig, learning.local.emulated.names), company, on=True)
    facts = FactsOf(Somebody(learning, UserKey(company, "mia"), caller_of(learning, company)))
    eventually(lambda: facts.ask("Where is home?"), lambda told: told["enabled"])
    assert facts.ask("Where is home?")["hits"] == []
    facts.learn("Lives in Basel.")
    (hit,) = facts.ask("Who lives in Basel?", prompt_id="p1")["hits"]
    assert facts.ask("Who lives in Basel?", prompt_id="p1")["cached"]
    assert facts.cite(f"In Basel. {hit['marker']} [[cite:mem:0123456789abcdef0123]]", "p1")["invented"] == 1


def play_turns(learning: Deployed) -> None:
    """A NOOP, a lost race, something forgotten, a veto, a wait, and a turn that is given up."""
    jonas = learning.newcomer()
    jonas.post("t1", "Good morning!")
    assert jonas.done("t1")["outcome"] == "noop"
    raced = False
    learns = learning.model.script_of("consolidation")

    def overtaken(asked: Asked) -> says.Answer | str:
        nonlocal raced
        if not raced:
            raced = True
            change_item(jonas, "A#PROFILE", "turn_count", {"N": "7"})
        return learns(asked)

    jonas.post("t2", "I know Rust.", occurred_at="2026-06-17T11:41:00Z")
    assert jonas.done("t2")["outcome"] == "updated"
    learning.model.script("consolidation", overtaken)
    jonas.post("t3", "I know Perl.", occurred_at="2026-06-17T11:42:00Z")
    assert jonas.done("t3")["outcome"] == "updated"
    learning.model.script("gate", lambda _: "FORGET")
    learning.model.script("consolidation", lambda _: "FORGET\n" + body_of("Knows Perl."))
    jonas.post("t4", "Please forget that I know Rust.", occurred_at="2026-06-17T11:43:00Z")
    assert jonas.done("t4")["outcome"] == "forgotten"
    learning.model.script("gate", lambda _: "UPDATE")
    learning.model.script("consolidation", learns)
    learning.model.script("scrub", lambda _: "Certainly!")
    jonas.post("t5", "I know Lisp.", occurred_at="2026-06-17T11:44:00Z")
    assert jonas.done("t5")["outcome"] == "scrub_veto"
    learning.model.script("gate", lambda _: says.error(401))
    jonas.post("t6", "I know Ada.", occurred_at="2026-06-17T11:45:00Z")
    eventually(lambda: jonas.turn("t6"), lambda turn: turn["status"] == "retrying")
    eventually(lambda: has_counted(learning, "postprocessor_total", outcome="waiting"), bool)
    change_item(jonas, "TURN#t6", "attempts", {"N": "5"})
    assert jonas.done("t6")["status"] == "dead"
    learning.invoke("maintain", {"job": "heal"})


def body_of(skill: str) -> str:
    empty = "_(empty)_\n\n"
    return (
        f"# User Memory\n\n## Identity\n{empty}## Communication Preferences\n{empty}## Work Context\n{empty}"
        f"## Skills & Expertise\n- {skill}\n\n## Follow-ups\n{empty}## Recent Topics\n_(empty)_\n"
    )


EXPECTED = (
    *(("load_total", {"outcome": one}) for one in ("success", "empty", "disabled", "error")),
    *(
        ("postprocessor_total", {"outcome": one})
        for one in ("updated", "noop", "forgotten", "scrub_veto", "waiting", "dead")
    ),
    *(("gate_decisions_total", {"decision": one}) for one in ("update", "noop", "forget")),
    *(("scrub_decisions_total", {"decision": one}) for one in ("clean", "veto")),
    *(("consolidation_results_total", {"result": one}) for one in ("rewritten", "forgotten", "scrub_veto")),
    *(("storage_total", {"op": one}) for one in METRICS["storage_total"].dimensions["op"]),
    *(("storage_total", {"outcome": one}) for one in ("success", "not_found", "conflict")),
    *(("recall_total", {"outcome": one}) for one in ("hit", "cached", "empty")),
    *(("citations_total", {"result": one}) for one in ("resolved", "invented")),
    *(("llm_tokens_total", {"direction": one}) for one in ("input", "cached", "output")),
    *(("memory_length_tokens", {"phase": one}) for one in ("load", "write")),
    *(("memory_length_chars", {"phase": one}) for one in ("load", "write")),
    ("errors_total", {"stage": "load", "error_type": "ProfileChecksumMismatch"}),
    ("errors_total", {"stage": "gate", "error_type": "ModelAccessDenied"}),
    ("llm_errors_total", {"error_type": "ModelAccessDenied"}),
    ("commit_conflicts_total", {"writer": "turn"}),
    *(
        (name, {})
        for name in (
            *("load_failed", "load_duration_seconds", "postprocessor_duration_seconds", "consolidation_lag_seconds"),
            *("llm_duration_seconds", "model_access_denied_total", "storage_duration_seconds", "sts_calls_total"),
            *("recall_failed", "recall_duration_seconds", "recall_hits", "recall_tokens"),
            *("gate_failed_open", "scrub_vetoed", "open_turn_age_seconds", "dead_turns", "budget_steps_total"),
        )
    ),
)


def test_what_the_functions_count_is_what_the_registry_says(learning: Deployed, lena: Somebody) -> None:
    play_loads(learning, lena)
    play_recalls(learning)
    play_turns(learning)
    seen = list(counted(learning))
    for one in seen:
        metric, dimensions = METRICS[one.name], dict(one.dimensions)
        service = dimensions.pop("service")
        assert (one.namespace, one.unit) == ("ContextMemory/local", metric.unit), one
        assert service == (WHOLE_SERVICE if metric.whole else one.function), one
        assert one.function in metric.services, one
        metric.check(dimensions)
        assert all(value >= 0 for value in one.values), one
    for name, dimensions in EXPECTED:
        matching = [one for one in seen if one.name == name and dimensions.items() <= one.dimensions.items()]
        assert matching, (name, dimensions)


def test_alarms_and_dashboards_are_deployed_and_ring_at_the_topic(deployed: Deployed) -> None:
    """Whatever the template defines exists, each alarm with the API's own id where it reads the API."""
    outputs = deployed.local.outputs
    cloudwatch = deployed.local.emulated.session.client("cloudwatch", endpoint_url=outputs.endpoint_url)
    sns = deployed.local.emulated.session.client("sns", endpoint_url=outputs.endpoint_url)
    found = {
        alarm["AlarmName"]: alarm
        for page in cloudwatch.get_paginator("describe_alarms").paginate()
        for alarm in page["MetricAlarms"]
    }
    topics = [topic["TopicArn"] for topic in sns.list_topics()["Topics"]]
    shown = {entry["DashboardName"] for entry in cloudwatch.list_dashboards()["DashboardEntries"]}
    (watch,) = [stack for stack in stacks(synthesise()) if stack.name.endswith("-watch")]
    resources = [one for one in watch.template["Resources"].values() if "AlarmName" in one["Properties"]]
    cloudwatch.close()
    sns.close()
    assert len(resources) > 15
    for resource in resources:
        alarm = found[resource["Properties"]["AlarmName"]]
        (action,) = alarm["AlarmActions"]
        assert action in topics
        assert alarm["AlarmDescription"] == resource["Properties"]["AlarmDescription"]
    (dimension,) = found["context-memory-local-api-5xx"]["Dimensions"]
    assert dimension["Value"] == outputs.api_url.rpartition("/")[2]
    assert {"context-memory-local-what-users-feel", "context-memory-local-what-machines-do"} <= shown
