"""The registry, the code that counts, and the enums that give dimensions their values say the same."""

from __future__ import annotations

import pytest

from context_memory.adapters.in_memory.telemetry import RecordingTelemetry
from context_memory.application.kept.summarising import Summed
from context_memory.contracts.metrics import ANY, METRICS, Unit, UnknownMetric, values
from context_memory.domain.errors import ModelRejected, kind_of
from context_memory.domain.last_line.redaction import DETECTORS
from context_memory.domain.outcomes import Outcome
from context_memory.domain.replies.gate import GateDecision
from context_memory.domain.spending import Step
from tests.support.emitted import Emission, emissions

EMISSIONS = list(emissions())


@pytest.mark.parametrize("emission", EMISSIONS, ids=lambda one: one.place)
def test_what_is_counted_is_registered_with_these_dimensions_and_values(emission: Emission) -> None:
    known = METRICS[emission.metric]
    assert set(emission.dimensions) == set(known.dimensions)
    for name, value in emission.dimensions.items():
        assert value is None or known.dimensions[name] is ANY or value in known.dimensions[name]


def test_what_is_registered_is_counted_somewhere() -> None:
    assert {emission.metric for emission in EMISSIONS} == set(METRICS)


@pytest.mark.parametrize(
    ("closed", "meant"),
    [
        (values.OUTCOMES, set(Outcome)),
        (values.GATE, set(GateDecision)),
        (values.SECRETS, set(DETECTORS)),
        (values.STEPS, set(Step)),
        (values.SUMMED, {*Summed, "error"}),
    ],
)
def test_closed_values_are_those_of_the_domain(closed: frozenset[str], meant: set[str]) -> None:
    assert closed == {str(one) for one in meant}


def test_every_error_of_the_tree_is_a_value_and_all_others_are_one() -> None:
    assert {kind_of(ModelRejected("length")), kind_of(KeyError("canary"))} == {"ModelRejected", "unforeseen"}
    assert {"StoreUnavailable", "ProfileVersionMissing", "unforeseen"} <= values.ERROR_TYPES
    assert "KeyError" not in values.ERROR_TYPES


@pytest.mark.parametrize("name", sorted(METRICS))
def test_a_name_says_what_is_measured_in_which_unit(name: str) -> None:
    assert name.endswith("_seconds") == (METRICS[name].unit is Unit.SECONDS)
    assert METRICS[name].question[-1] in "?."
    assert METRICS[name].services


@pytest.mark.parametrize(
    ("name", "dimensions"),
    [
        ("loads", {}),
        ("load_total", {}),
        ("load_total", {"outcome": "splendid"}),
        ("load_total", {"outcome": "success", "user": "lena"}),
        ("load_failed", {"outcome": "error"}),
    ],
)
def test_what_the_registry_does_not_know_cannot_be_counted_in_a_test(name: str, dimensions: dict[str, str]) -> None:
    telemetry = RecordingTelemetry()
    with pytest.raises(UnknownMetric):
        telemetry.count(name, 1, **dimensions)
    assert telemetry.counts == []
