"""What watches: every figure exists, every alarm rings somewhere and says what to do."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.contracts.metrics import ANY, METRICS, WHOLE_SERVICE, Unit
from infra.layers.places import ROOT
from infra.names import AUDITED, FUNCTIONS
from tests.infra.templates import ACCOUNT, REGION
from tests.support.figures import Read, alarms, dashboards, read_by_alarms, read_by_dashboards

if TYPE_CHECKING:
    from pathlib import Path

    from tests.infra.templates import Templates

PREFIX = "context-memory-dev-"
OWN = "ContextMemory/dev"
RUNBOOK = ROOT / "docs" / "runbook.md"
AWS = {
    **{("AWS/Lambda", name): "FunctionName" for name in ("Invocations", "Errors", "Throttles", "Duration")},
    ("AWS/Lambda", "ConcurrentExecutions"): "FunctionName",
    ("AWS/SQS", "ApproximateNumberOfMessagesVisible"): "QueueName",
    ("AWS/SQS", "ApproximateNumberOfMessagesNotVisible"): "QueueName",
    ("AWS/SQS", "ApproximateAgeOfOldestMessage"): "QueueName",
    ("AWS/Firehose", "DeliveryToS3.DataFreshness"): "DeliveryStreamName",
    ("AWS/DynamoDB", "ConsumedReadCapacityUnits"): "TableName",
    ("AWS/DynamoDB", "ConsumedWriteCapacityUnits"): "TableName",
    **{("AWS/ApiGateway", name): "ApiId" for name in ("Count", "4xx", "5xx")},
}
"""What AWS publishes, with the one dimension that we name it by."""


@pytest.fixture(scope="module")
def reads(dev: Templates) -> list[Read]:
    return [*read_by_alarms(dev), *read_by_dashboards(dev)]


def test_each_figure_of_ours_is_counted_with_exactly_these_dimensions_by_that_function(reads: list[Read]) -> None:
    own = [read for read in reads if read.namespace == OWN]
    assert len(own) > 50
    for read in own:
        metric = METRICS[read.name]
        dimensions = dict(read.dimensions)
        service = dimensions.pop("service")
        assert service == WHOLE_SERVICE if metric.whole else service in metric.services, read
        metric.check(dimensions)


def test_an_environment_reads_what_its_own_functions_count_and_no_other_environment_s(
    dev: Templates, reads: list[Read]
) -> None:
    functions = dev.resources("AWS::Lambda::Function").values()
    counted_in = {function["Environment"]["Variables"]["POWERTOOLS_METRICS_NAMESPACE"] for function in functions}
    assert counted_in == {OWN}
    assert counted_in == {read.namespace for read in reads if not read.namespace.startswith("AWS/")}


def test_each_figure_of_awss_is_one_that_it_publishes_of_something_that_we_deploy(
    dev: Templates, reads: list[Read]
) -> None:
    deployed = {
        "FunctionName": set(dev.named("AWS::Lambda::Function", "FunctionName")),
        "QueueName": set(dev.named("AWS::SQS::Queue", "QueueName")),
        "TableName": set(dev.named("AWS::DynamoDB::Table", "TableName")),
        "DeliveryStreamName": set(dev.named("AWS::KinesisFirehose::DeliveryStream", "DeliveryStreamName")),
        "ApiId": {"{{resolve:ssm:/context-memory/dev/api-id}}"},
    }
    theirs = [read for read in reads if read.namespace not in {OWN, "AWS/Logs"}]
    assert theirs
    for read in theirs:
        dimension = AWS[read.namespace, read.name]
        assert set(read.dimensions) == {dimension}, read
        assert read.dimensions[dimension] in deployed[dimension], read


def test_each_subscription_of_audit_records_is_watched_under_the_names_it_has(
    dev: Templates, reads: list[Read]
) -> None:
    subscriptions = dev.named("AWS::Logs::SubscriptionFilter", "FilterName")
    log_groups = dev.resources("AWS::Logs::LogGroup")
    watched = {
        (read.name, read.dimensions["FilterName"], read.dimensions["DestinationType"], read.dimensions["LogGroupName"])
        for read in reads
        if read.namespace == "AWS/Logs"
    }
    assert watched == {
        ("DeliveryErrors", name, "Firehose", log_groups[one["LogGroupName"].strip("<>")]["LogGroupName"])
        for name, one in subscriptions.items()
    }


def test_a_share_is_read_as_an_average_and_nothing_else_is(reads: list[Read]) -> None:
    for read in reads:
        if read.namespace == OWN:
            assert (read.statistic == "Average") == (METRICS[read.name].unit is Unit.SHARE), read


def test_the_parameter_of_the_api_names_the_api(dev: Templates) -> None:
    (api,) = dev.resources("AWS::ApiGatewayV2::Api")
    parameters = dev.named("AWS::SSM::Parameter", "Name")
    assert parameters["/context-memory/dev/api-id"]["Value"] == f"<{api}>"
    assert f"{PREFIX}service" in dev.dependencies["watch"]


def test_the_alarms_are_those_that_an_operator_needs(dev: Templates) -> None:
    assert set(alarms(dev)) == {
        f"{PREFIX}{name}"
        for name in (
            *("load-errors", "load-slow", "api-5xx", "switches-load-errors"),
            *("recall-errors", "recall-slow", "embeddings-fail"),
            *("dead-facts", "oldest-facts", "dead-jobs", "oldest-job"),
            *("dead-letters", "oldest-doorbell", "consolidation-lag", "nothing-finishes"),
            *("scrub-vetoes", "gate-fails-open", "model-access-denied", "sts-calls"),
            *("budget-paused", "budget-unknown", "audit-undelivered-late", "trespasses"),
            *(f"audit-undelivered-{function}" for function in AUDITED),
            *(f"function-{what}-{function}" for what in ("errors", "throttles") for function in FUNCTIONS),
        )
    }


def test_each_alarm_leads_to_its_entry_of_the_runbook_and_each_entry_has_an_alarm(dev: Templates) -> None:
    entries = set(re.findall(r"^### ([a-z0-9-]+)$", RUNBOOK.read_text(), re.MULTILINE))
    led_to = set()
    for name, alarm in alarms(dev).items():
        means, _, anchor = alarm["AlarmDescription"].partition(" What to do: docs/runbook.md#")
        assert re.fullmatch(r"[A-Z][^.]*\.", means), name
        assert name.removeprefix(PREFIX).startswith(anchor)
        led_to.add(anchor)
    assert led_to == entries


def test_each_entry_of_the_runbook_says_what_it_means_what_to_look_at_and_what_to_do() -> None:
    for entry in RUNBOOK.read_text().split("## Alarms\n")[1].split("\n### ")[1:]:
        for part in ("**What it means.**", "**What to look at.**", "**What to do.**"):
            assert part in entry, entry.splitlines()[0]


def test_each_phrase_and_name_in_the_runbook_is_one_that_the_code_uses() -> None:
    sources = "\n".join(
        file.read_text() for folder in ("layers", "functions", "infra") for file in (ROOT / folder).rglob("*.py")
    )
    text = RUNBOOK.read_text()
    phrases = set(re.findall(r"`((?:a |could |failed |looked |turns )[a-z' ]+)`", text))
    assert len(phrases) > 5
    for phrase in phrases:
        assert f'"{phrase}"' in sources, phrase
    for title in re.findall(r'"([A-Z][^"\n]+)"', text.split("## Alarms\n")[1]):
        assert title in sources or title.removeprefix("Functions: ") in sources, title
    for metric in re.findall(r"`([a-z]+_[a-z_]+_total)`", text):
        assert metric in METRICS


def test_silence_rings_only_where_something_counts_at_any_time(dev: Templates) -> None:
    silent = {name for name, alarm in alarms(dev).items() if alarm["TreatMissingData"] == "breaching"}
    assert silent == {f"{PREFIX}nothing-finishes"}
    assert {alarm["TreatMissingData"] for alarm in alarms(dev).values()} == {"breaching", "notBreaching"}


def test_all_alarms_of_the_watch_ring_at_the_topic_and_say_when_all_is_well(dev: Templates) -> None:
    (topic,) = dev.resources("AWS::SNS::Topic", "watch")
    for alarm in dev.resources("AWS::CloudWatch::Alarm", "watch").values():
        assert alarm["AlarmActions"] == alarm["OKActions"] == [f"<{topic}>"]


def test_the_topic_is_encrypted_and_takes_only_this_environments_alarms_over_tls(dev: Templates) -> None:
    ((topic_id, topic),) = dev.resources("AWS::SNS::Topic").items()
    (policy,) = dev.resources("AWS::SNS::TopicPolicy").values()
    keys = dev.resources("AWS::KMS::Key", "watch")
    ours = {
        "StringEquals": {"aws:SourceAccount": ACCOUNT},
        "ArnLike": {"aws:SourceArn": f"arn:aws:cloudwatch:{REGION}:{ACCOUNT}:alarm:{PREFIX}*"},
    }
    (key_id,) = keys
    assert topic["KmsMasterKeyId"] == f"<{key_id}>"
    assert keys[key_id]["EnableKeyRotation"] is True
    for statements, action, resource in (
        (keys[key_id]["KeyPolicy"]["Statement"], ["kms:Decrypt", "kms:GenerateDataKey*"], "*"),
        (policy["PolicyDocument"]["Statement"], "sns:Publish", f"<{topic_id}>"),
    ):
        (allowed,) = [one for one in statements if one.get("Sid") == "TheEnvironmentsAlarms"]
        assert (allowed["Action"], allowed["Effect"]) == (action, "Allow")
        assert allowed["Principal"] == {"Service": "cloudwatch.amazonaws.com"}
        assert allowed["Condition"] == ours
        assert allowed["Resource"] == resource
    (denied,) = [one for one in policy["PolicyDocument"]["Statement"] if one["Effect"] == "Deny"]
    assert denied["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


@pytest.fixture(scope="module")
def changed(code_folder: Path) -> Templates:
    """An environment that rings somewhere else, at other thresholds, for other models."""
    from infra.environments import DEV  # noqa: PLC0415 - behind the line that says which Node
    from infra.environments.parts import Alarms  # noqa: PLC0415 - likewise
    from tests.infra.templates import synthesise  # noqa: PLC0415 - likewise

    limits = Alarms(
        address="night@example.com",
        load_error_share=0.02,
        load_p99_seconds=0.5,
        recall_error_share=0.03,
        recall_p99_seconds=0.75,
        oldest_facts_seconds=62,
        oldest_doorbell_seconds=60,
        oldest_job_seconds=65,
        lag_p95_seconds=70,
        function_errors=3,
        throttles=4,
        scrub_veto_share=0.1,
        gate_fail_open_share=0.2,
        sts_calls_per_second=100.0,
    )
    return synthesise(replace(DEV, alarms=limits), code_folder)


def test_thresholds_are_those_of_the_environment(changed: Templates) -> None:
    thresholds = {name.removeprefix(PREFIX): alarm["Threshold"] for name, alarm in alarms(changed).items()}
    expected: dict[str, Any] = {
        "load-errors": 0.02,
        "load-slow": 0.5,
        "recall-errors": 0.03,
        "recall-slow": 0.75,
        "oldest-facts": 62,
        "oldest-doorbell": 60,
        "oldest-job": 65,
        "consolidation-lag": 70,
        "nothing-finishes": 280,
        "function-errors-load": 3,
        "function-throttles-consolidate": 4,
        "scrub-vetoes": 0.1,
        "gate-fails-open": 0.2,
        "sts-calls": 6000,
    }
    assert {name: thresholds[name] for name in expected} == expected


def test_whoever_is_named_is_told_by_mail_and_otherwise_nobody(changed: Templates, dev: Templates) -> None:
    (subscription,) = changed.resources("AWS::SNS::Subscription").values()
    assert (subscription["Protocol"], subscription["Endpoint"]) == ("email", "night@example.com")
    assert dev.resources("AWS::SNS::Subscription") == {}


def test_there_are_two_dashboards_that_show_every_metric_of_the_registry_worth_a_graph(
    dev: Templates, reads: list[Read]
) -> None:
    assert set(dashboards(dev)) == {f"{PREFIX}what-users-feel", f"{PREFIX}what-machines-do"}
    for widgets in dashboards(dev).values():
        for widget in widgets:
            assert 0 < len(widget["properties"]["metrics"]) <= 100, widget["properties"]["title"]
    assert {"load_duration_seconds", "consolidation_lag_seconds", "postprocessor_total", "llm_tokens_total"} <= {
        read.name for read in reads if "what-users-feel" in read.by
    }


def test_costs_are_shown_for_the_models_that_are_configured(reads: list[Read]) -> None:
    shown = {
        (read.dimensions["purpose"], read.dimensions["model"]) for read in reads if read.name == "llm_tokens_total"
    }
    assert METRICS["llm_tokens_total"].dimensions["model"] is ANY
    assert shown == {
        ("gate", "gpt-4.1-mini"),
        ("gate", "gpt-4.1-nano"),
        ("consolidation", "gpt-4.1-mini"),
        ("scrub", "gpt-4.1-mini"),
        ("condense", "gpt-4.1-mini"),
        ("extraction", "gpt-4.1-mini"),
    }
