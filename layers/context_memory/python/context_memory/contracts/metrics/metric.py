"""What is said of a metric: its name, unit, closed dimensions, the question it answers, and who counts it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ANY: frozenset[str] = frozenset()
"""Values of a dimension that the configuration closes, such as names of models."""
WHOLE_SERVICE = "all"
"""Value of the dimension `service` of a metric that all functions count as one figure."""


class Unit(StrEnum):
    """Units, as CloudWatch spells them."""

    SECONDS = "Seconds"
    COUNT = "Count"
    SHARE = "None"
    """Each count is 0 or 1, so that the average is a share of one."""


class UnknownMetric(ValueError):
    """Something is counted that the registry does not know."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric. `service` is a dimension of each, beside those named here; `whole`: its value is always `all`."""

    name: str
    unit: Unit
    question: str
    services: tuple[str, ...]
    dimensions: Mapping[str, frozenset[str]]
    whole: bool = False

    def check(self, dimensions: Mapping[str, str]) -> None:
        """Refuse dimensions that are not exactly these, and values that are none of theirs.

        Raises:
            UnknownMetric: names the dimension.
        """
        if dimensions.keys() != self.dimensions.keys():
            raise UnknownMetric(f"{self.name} has the dimensions {sorted(self.dimensions)}, not {sorted(dimensions)}.")
        for name, value in dimensions.items():
            if self.dimensions[name] is not ANY and value not in self.dimensions[name]:
                raise UnknownMetric(f"{self.name} has no {name} {value!r}.")
