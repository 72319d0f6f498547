"""What the log lines and metrics look like on the wire."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.adapters.powertools_telemetry import PowertoolsTelemetry
from context_memory.adapters.secrets import KeyedHasher
from context_memory.contracts.metrics import UnknownMetric
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import UserKey

if TYPE_CHECKING:
    from context_memory.ports.telemetry import Telemetry

LENA = UserKey("acme", "lena")
NAMESPACE = "ContextMemory/dev"


@pytest.fixture
def lines() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def telemetry(lines: io.StringIO, request: pytest.FixtureRequest) -> Telemetry:
    # Powertools keeps one logger a service: each test is a service of its own.
    return PowertoolsTelemetry(service=request.node.name, namespace=NAMESPACE, level="INFO", stream=lines)


def counted(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_an_event_is_one_json_line_with_its_fields(telemetry: Telemetry, lines: io.StringIO) -> None:
    telemetry.event("turns wait", outcome="waiting", turns=2, alone=False, reason=None)
    [line] = lines.getvalue().splitlines()
    written = json.loads(line)
    assert (written["message"], written["level"]) == ("turns wait", "INFO")
    assert (written["outcome"], written["turns"], written["alone"]) == ("waiting", 2, False)
    assert written["service"] == "test_an_event_is_one_json_line_with_its_fields"
    assert written["location"].startswith("test_an_event_is_one_json_line_with_its_fields:")


def test_a_warning_says_that_it_is_one(telemetry: Telemetry, lines: io.StringIO) -> None:
    telemetry.warning("a turn was given up", reason="call_budget")
    assert json.loads(lines.getvalue())["level"] == "WARNING"


def test_a_line_about_a_user_carries_a_keyed_hash_of_company_and_id(lines: io.StringIO) -> None:
    hasher = KeyedHasher(lambda: "key")
    telemetry = PowertoolsTelemetry(service="about", namespace=NAMESPACE, hasher=hasher, level="INFO", stream=lines)
    with telemetry.about(LENA):
        telemetry.warning("turns wait")
        with telemetry.about(UserKey("globex", "lena")):
            telemetry.event("turns wait")
        telemetry.event("turns wait")
    telemetry.event("looked after stranded turns")
    first, other, again, last = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert first["user"] == again["user"] == hasher.digest("user", "acme#lena")[:16]
    assert other["user"] == hasher.digest("user", "globex#lena")[:16] != first["user"]
    assert "user" not in last
    assert "lena" not in lines.getvalue()


def test_a_user_who_cannot_be_hashed_is_unknown_and_the_line_is_written_all_the_same(lines: io.StringIO) -> None:
    reachable = False

    def secret() -> str:
        if not reachable:
            raise StoreUnavailable("Secrets Manager is out of reach.")
        return "key"

    telemetry = PowertoolsTelemetry(
        service="unknown", namespace=NAMESPACE, hasher=KeyedHasher(secret), level="INFO", stream=lines
    )
    with telemetry.about(LENA):
        telemetry.event("turns wait")
        reachable = True
        telemetry.event("turns wait")
    users = [json.loads(line)["user"] for line in lines.getvalue().splitlines()]
    assert users == ["unknown", KeyedHasher(secret).digest("user", "acme#lena")[:16]]


def test_a_users_line_ends_with_what_failed_inside(telemetry: Telemetry, lines: io.StringIO) -> None:
    with pytest.raises(ZeroDivisionError), telemetry.about(LENA):
        raise ZeroDivisionError
    telemetry.event("turns wait")
    assert "user" not in json.loads(lines.getvalue())


@pytest.mark.parametrize("name", ["name", "message", "args", "module", "filename", "level", "service", "exc_info"])
def test_a_field_named_like_a_part_of_the_record_is_no_reason_to_fail(
    telemetry: Telemetry, lines: io.StringIO, name: str
) -> None:
    telemetry.event("odd", **{name: "value"})
    assert json.loads(lines.getvalue())[f"{name}_"] == "value"


def test_a_counter_has_its_dimensions_and_the_service_s(
    telemetry: Telemetry, capsys: pytest.CaptureFixture[str]
) -> None:
    telemetry.count("postprocessor_total", outcome="updated")
    [written] = counted(capsys)
    [directive] = written["_aws"]["CloudWatchMetrics"]
    assert directive["Namespace"] == NAMESPACE
    assert [set(dimensions) for dimensions in directive["Dimensions"]] == [{"service", "outcome"}]
    assert written["outcome"] == "updated"
    assert written["service"] == "test_a_counter_has_its_dimensions_and_the_service_s"
    assert written["postprocessor_total"] == [1.0]


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("load_duration_seconds", "Seconds"),
        ("consolidation_lag_seconds", "Seconds"),
        ("llm_tokens_total", "Count"),
        ("memory_length_tokens", "Count"),
        ("bullets_restored_total", "Count"),
        ("load_failed", "None"),
    ],
)
def test_the_registry_tells_the_unit(
    telemetry: Telemetry, capsys: pytest.CaptureFixture[str], name: str, unit: str
) -> None:
    telemetry.count(name, 0.25)
    [written] = counted(capsys)
    [directive] = written["_aws"]["CloudWatchMetrics"]
    assert [entry["Unit"] for entry in directive["Metrics"]] == [unit]
    assert written[name] == [0.25]


def test_nothing_counted_is_still_a_figure(telemetry: Telemetry, capsys: pytest.CaptureFixture[str]) -> None:
    telemetry.count("gate_miss_total", 0)
    [written] = counted(capsys)
    assert written["gate_miss_total"] == [0.0]


def test_two_metrics_do_not_share_their_dimensions(telemetry: Telemetry, capsys: pytest.CaptureFixture[str]) -> None:
    telemetry.count("gate_decisions_total", decision="noop")
    telemetry.count("load_total", outcome="success")
    first, second = counted(capsys)
    assert "decision" in first
    assert "decision" not in second


def test_a_distribution_keeps_each_value(telemetry: Telemetry, capsys: pytest.CaptureFixture[str]) -> None:
    for seconds in (0.5, 2.5):
        telemetry.count("llm_duration_seconds", seconds, purpose="gate", model="small-1")
    assert [written["llm_duration_seconds"] for written in counted(capsys)] == [[0.5], [2.5]]


def test_lines_below_the_level_are_not_written(lines: io.StringIO) -> None:
    PowertoolsTelemetry(service="quiet", namespace=NAMESPACE, level="WARNING", stream=lines).event("turns wait")
    assert lines.getvalue() == ""


def test_what_all_functions_count_as_one_figure_has_one_service(
    telemetry: Telemetry, capsys: pytest.CaptureFixture[str]
) -> None:
    telemetry.count("sts_calls_total")
    [written] = counted(capsys)
    assert written["service"] == "all"
    assert written["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["service"]]


def test_a_metric_that_is_not_registered_is_not_written(telemetry: Telemetry) -> None:
    with pytest.raises(UnknownMetric):
        telemetry.count("loads")


def test_metrics_of_the_same_dimensions_are_one_line(telemetry: Telemetry, capsys: pytest.CaptureFixture[str]) -> None:
    telemetry.count_all({"load_total": 1, "load_duration_seconds": 0.25}, outcome="success")
    [written] = counted(capsys)
    [directive] = written["_aws"]["CloudWatchMetrics"]
    assert {one["Name"]: one["Unit"] for one in directive["Metrics"]} == {
        "load_total": "Count",
        "load_duration_seconds": "Seconds",
    }
    assert (written["load_total"], written["load_duration_seconds"], written["outcome"]) == ([1], [0.25], "success")
