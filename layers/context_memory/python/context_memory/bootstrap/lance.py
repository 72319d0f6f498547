"""What the function `lance` needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.adapters.lance.service import LanceService

# ruff: noqa: PLC0415 - late imports are this package's purpose


def lance(environment: Mapping[str, str]) -> LanceService:
    """What the function `lance` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from context_memory.adapters.lance.service import LanceService
    from context_memory.settings.lance import LanceSettings

    settings = LanceSettings.read(environment)
    options = {"region": settings.region}
    if settings.endpoint_url:
        # An emulator's: no names of hosts for buckets, and no TLS.
        options |= {"endpoint": settings.endpoint_url, "allow_http": "true"}
    return LanceService(root=f"s3://{settings.work_bucket}", options=options)
