"""Lets browsers call an HTTP API whose CORS stands in a template, as API Gateway does.

CloudFormation spells the configuration's names with capitals, the API without; the emulator reads the second alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def install(gateway: Any) -> None:
    """Wrap the two places in which the emulator reads a configuration."""
    headers, preflight = gateway._cors_response_headers, gateway._cors_preflight_response
    gateway._cors_response_headers = lambda configuration, origin: headers(spelt(configuration), origin)
    gateway._cors_preflight_response = lambda configuration, origin: preflight(spelt(configuration), origin)


def spelt(configuration: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration as the API spells it."""
    return {name[:1].lower() + name[1:]: value for name, value in configuration.items()}
