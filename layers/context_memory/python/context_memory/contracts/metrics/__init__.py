"""The registry of metrics. Standard library only: load imports it."""

from __future__ import annotations

from context_memory.contracts.metrics.metric import ANY, WHOLE_SERVICE, Metric, Unit, UnknownMetric
from context_memory.contracts.metrics.registry import METRICS

__all__ = ["ANY", "METRICS", "WHOLE_SERVICE", "Metric", "Unit", "UnknownMetric", "registered"]


def registered(name: str) -> Metric:
    """The metric of that name.

    Raises:
        UnknownMetric: the registry does not know it.
    """
    if name not in METRICS:
        raise UnknownMetric(f"{name} is no registered metric (contracts/metrics/registry.py).")
    return METRICS[name]
