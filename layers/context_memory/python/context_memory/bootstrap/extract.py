"""What the function `extract` needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap import observability, shared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.ports.telemetry import Telemetry

# ruff: noqa: PLC0415 - late imports are this package's purpose


def extract(environment: Mapping[str, str]) -> Telemetry:
    """What the function `extract` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from context_memory.settings.extract import ExtractSettings

    settings = ExtractSettings.read(environment)
    return observability.telemetry("extract", shared.clients(), settings)
