"""Bounds of the chain, each of which the environment may set."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from context_memory.domain.limits import ChainLimits
from context_memory.settings.reading import SettingsError
from context_memory.settings.values import positive

if TYPE_CHECKING:
    from collections.abc import Mapping


def chain_limits(environment: Mapping[str, str]) -> ChainLimits:
    """Bounds of the chain; `LIMIT_GATE_EVIDENCE` and its like replace a default.

    Raises:
        SettingsError: a value does not fit.
    """
    values: dict[str, Any] = {}
    for one in fields(ChainLimits):
        name = f"LIMIT_{one.name.upper()}"
        if text := environment.get(name):
            try:
                values[one.name] = float(text) if one.name.endswith("_share") else positive(text)
            except ValueError:
                raise SettingsError(f"The environment variable {name} has no usable value.") from None
    return ChainLimits(**values)
