"""What runs: functions, API, queue and clock."""

from __future__ import annotations

import ast
import json
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.settings.account import AccountSettings
from context_memory.settings.admin import AdminSettings
from context_memory.settings.chain import chain_limits
from context_memory.settings.consolidate import ConsolidateSettings
from context_memory.settings.embedding import EmbeddingSettings
from context_memory.settings.extract import ExtractSettings
from context_memory.settings.indexes import IndexSettings
from context_memory.settings.ingest import IngestSettings
from context_memory.settings.load import LoadSettings
from context_memory.settings.maintain import MaintainSettings
from context_memory.settings.reading import variables
from context_memory.settings.recall import RecallSettings
from infra.components.python_function import HANDLER
from infra.environments import DEV
from infra.layers.places import ROOT
from infra.names import FUNCTIONS
from tests.infra.templates import ACCOUNT, REGION, synthesise

if TYPE_CHECKING:
    from pathlib import Path

    from tests.infra.templates import Templates

PREFIX = "context-memory-dev"
# What every function has, read by Powertools, tiktoken and the telemetry rather than by its settings.
COMMON = {
    "LOG_LEVEL",
    "POWERTOOLS_SERVICE_NAME",
    "TIKTOKEN_CACHE_DIR",
}
SETTINGS: dict[str, tuple[type[Any], ...]] = {
    "load": (LoadSettings,),
    "ingest": (IngestSettings,),
    "recall": (RecallSettings, EmbeddingSettings, IndexSettings),
    "consolidate": (ConsolidateSettings,),
    "extract": (ExtractSettings, EmbeddingSettings, IndexSettings),
    "maintain": (MaintainSettings, EmbeddingSettings, IndexSettings),
    "account": (AccountSettings, EmbeddingSettings, IndexSettings),
    "admin": (AdminSettings, EmbeddingSettings),
}


def function(templates: Templates, name: str) -> dict[str, Any]:
    return templates.named("AWS::Lambda::Function", "FunctionName")[f"{PREFIX}-{name}"]


def logical_id(templates: Templates, name: str) -> str:
    (found,) = [
        one
        for one, properties in templates.resources("AWS::Lambda::Function").items()
        if properties["FunctionName"] == f"{PREFIX}-{name}"
    ]
    return found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_gets_exactly_the_variables_that_its_settings_read(dev: Templates, name: str) -> None:
    given = function(dev, name)["Environment"]["Variables"]

    limits = {variable for variable in given if variable.startswith("LIMIT_")}
    assert set(given) - COMMON - limits == {variable for one in SETTINGS[name] for variable in variables(one)}
    asks_models = name in {"consolidate", "extract", "maintain"}
    assert limits == ({"LIMIT_RUN_SECONDS", "LIMIT_SPREAD_SECONDS"} if asks_models else set())
    assert chain_limits(given) is not None
    assert set(given) >= COMMON


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_functions_settings_can_be_read_from_what_it_gets(dev: Templates, name: str) -> None:
    for settings in SETTINGS[name]:
        assert settings.read(function(dev, name)["Environment"]["Variables"])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_handler_that_is_named_is_there(name: str) -> None:
    module, attribute = HANDLER.split(".")
    tree = ast.parse((ROOT / "functions" / name / f"{module}.py").read_text())

    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assigned = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    assert attribute in defined | assigned


@pytest.mark.parametrize(
    ("name", "timeout"),
    [
        *(("load", 10), ("ingest", 15), ("recall", 10), ("account", 15), ("admin", 15)),
        *(("consolidate", 300), ("extract", 300), ("maintain", 300)),
    ],
)
def test_functions_run_our_handler_on_two_layers_under_a_role_of_their_own(
    dev: Templates, name: str, timeout: int
) -> None:
    properties = function(dev, name)

    assert properties["Runtime"] == "python3.13"
    assert properties["Architectures"] == ["arm64"]
    assert properties["Handler"] == "handler.handler"
    assert properties["Timeout"] == timeout
    assert properties["TracingConfig"] == {"Mode": "Active"}
    assert properties["Role"] == f"arn:aws:iam::{ACCOUNT}:role/{dev.names.function_role(name)}"
    assert len(properties["Layers"]) == 2


def test_the_names_that_functions_are_given_are_those_of_the_other_stacks(dev: Templates) -> None:
    roles = dev.named("AWS::IAM::Role", "RoleName")
    known = {
        "PROFILE_BUCKET": set(dev.named("AWS::S3::Bucket", "BucketName")),
        "WORK_BUCKET": set(dev.named("AWS::S3::Bucket", "BucketName")),
        "USER_TABLE": set(dev.named("AWS::DynamoDB::Table", "TableName")),
        "COMPANY_TABLE": set(dev.named("AWS::DynamoDB::Table", "TableName")),
        "QUEUE_URL": {
            f"https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/{queue}"
            for queue in dev.named("AWS::SQS::Queue", "QueueName")
        },
        "EVENT_BUS": set(dev.named("AWS::Events::EventBus", "Name")),
        "RECEIPT_KEY": set(dev.named("AWS::KMS::Alias", "AliasName")),
        "ROLE_ARN": {f"arn:aws:iam::{ACCOUNT}:role/{role}" for role in roles},
        "SECRET_ARN": {
            f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:{secret}"
            for secret in dev.named("AWS::SecretsManager::Secret", "Name")
        },
    }
    seen = set()
    for name in FUNCTIONS:
        properties = function(dev, name)
        assert properties["Role"] in known["ROLE_ARN"]
        for variable, value in properties["Environment"]["Variables"].items():
            for suffix, values in known.items():
                if variable.endswith(suffix):
                    assert value in values, variable
                    seen.add(suffix)
    assert seen == set(known)


def test_consolidate_answers_one_doorbell_at_a_time_and_says_which_failed(dev: Templates) -> None:
    mapping = dev.mapping("turns.fifo")

    assert mapping["FunctionName"] == f"<{logical_id(dev, 'consolidate')}>"
    assert mapping["BatchSize"] == 1
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


def test_extract_answers_one_doorbell_at_a_time_and_says_which_failed(dev: Templates) -> None:
    mapping = dev.mapping("facts.fifo")

    assert mapping["FunctionName"] == f"<{logical_id(dev, 'extract')}>"
    assert mapping["BatchSize"] == 1
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


def test_vectors_are_made_at_the_models_endpoint_with_its_key_unless_they_are_made_elsewhere(
    dev: Templates, code_folder: Path
) -> None:
    here = function(synthesise(DEV, code_folder), "recall")["Environment"]["Variables"]
    there = function(dev, "recall")["Environment"]["Variables"]

    assert (here["EMBEDDING_MODEL"], here["EMBEDDING_BASE_URL"]) == ("text-embedding-3-small", DEV.models.base_url)
    assert here["EMBEDDING_KEY_SECRET_ARN"].endswith(":secret:context-memory/dev/model-api")
    assert there["EMBEDDING_BASE_URL"] == "https://vectors.example/v1"
    assert there["EMBEDDING_KEY_SECRET_ARN"].endswith(":secret:context-memory/dev/embedding-api")


def test_maintain_does_one_job_at_a_time_few_side_by_side_and_says_which_failed(dev: Templates) -> None:
    mapping = dev.mapping("jobs")

    assert mapping["FunctionName"] == f"<{logical_id(dev, 'maintain')}>"
    assert mapping["BatchSize"] == 1
    assert mapping["ScalingConfig"] == {"MaximumConcurrency": DEV.jobs_at_once}
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert len(dev.resources("AWS::Lambda::EventSourceMapping")) == 3


def test_maintain_heals_every_ten_minutes_summarises_every_day_and_compacts_every_week(dev: Templates) -> None:
    rules = dev.resources("AWS::Events::Rule").values()
    maintain = f"<{logical_id(dev, 'maintain')}>"
    asked = {}
    for rule in rules:
        (target,) = rule["Targets"]
        assert (target["Arn"], rule["State"]) == (maintain, "ENABLED")
        asked[json.loads(target["Input"])["job"]] = rule["ScheduleExpression"]

    assert asked == {
        "heal": "rate(10 minutes)",
        "summaries": "cron(0 2 * * ? *)",
        "compactions": "cron(0 3 ? * MON *)",
    }
    callers = [one for one in dev.resources("AWS::Lambda::Permission").values() if one["FunctionName"] == maintain]
    assert [one["Principal"] for one in callers] == ["events.amazonaws.com"] * 3


def test_logs_end_after_the_environments_retention(dev: Templates) -> None:
    groups = dev.named("AWS::Logs::LogGroup", "LogGroupName")

    functions = {f"/aws/lambda/{PREFIX}-{name}" for name in FUNCTIONS}
    assert set(groups) == {*functions, f"/aws/vendedlogs/{PREFIX}-access"}
    assert {group["RetentionInDays"] for group in groups.values()} == {14}


def test_the_service_deploys_behind_all_that_it_names(dev: Templates) -> None:
    needed = ("storage", "queues", "access", "switches", "audit")
    assert dev.dependencies["service"] == {f"{PREFIX}-{concern}" for concern in needed}


def test_no_stack_exports_anything(dev: Templates) -> None:
    for template in dev.by_concern.values():
        assert not [output for output in template.get("Outputs", {}).values() if "Export" in output]
