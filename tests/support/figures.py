"""Figures that alarms and dashboards of a template read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.infra.templates import Templates


@dataclass(frozen=True, slots=True)
class Read:
    """One metric that something reads, with its dimensions and statistic; `by` names who reads it."""

    by: str
    namespace: str
    name: str
    dimensions: Mapping[str, str]
    statistic: str


def alarms(templates: Templates) -> dict[str, dict[str, Any]]:
    """Properties of all alarms of all stacks, by name."""
    return templates.named("AWS::CloudWatch::Alarm", "AlarmName")


def dashboards(templates: Templates) -> dict[str, list[dict[str, Any]]]:
    """Widgets of all dashboards, by the dashboard's name."""
    found = templates.named("AWS::CloudWatch::Dashboard", "DashboardName")
    return {name: json.loads(properties["DashboardBody"])["widgets"] for name, properties in found.items()}


def read_by_alarms(templates: Templates) -> Iterator[Read]:
    """What each alarm reads."""
    for name, alarm in alarms(templates).items():
        dimensions = {one["Name"]: one["Value"] for one in alarm["Dimensions"]}
        statistic = alarm.get("Statistic") or alarm["ExtendedStatistic"]
        yield Read(name, alarm["Namespace"], alarm["MetricName"], dimensions, statistic)


def read_by_dashboards(templates: Templates) -> Iterator[Read]:
    """What each line of each graph reads."""
    for name, widgets in dashboards(templates).items():
        for widget in widgets:
            for namespace, metric, *rest in widget["properties"]["metrics"]:
                shown = rest[-1] if isinstance(rest[-1], dict) else {}
                pairs = [one for one in rest if isinstance(one, str)]
                dimensions = dict(zip(pairs[::2], pairs[1::2], strict=True))
                yield Read(
                    f"{name}: {widget['properties']['title']}",
                    namespace,
                    metric,
                    dimensions,
                    shown.get("stat", "Average"),
                )
