"""`Switches`: the operator's flags and the company's own settings, as one answer."""

from __future__ import annotations

import time
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.enablement import CompanyFlags, CompanySettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.enablement import SpaceSettings
    from context_memory.ports import Companies, Flags


class CompanySwitches:
    """Keeps each company's settings for a while; flags have a memory of their own.

    Args:
        flags: what the operator switched.
        companies: what administrators set.
        fresh_seconds: how long settings are kept.
        monotonic: seconds that never run backwards.
    """

    def __init__(
        self,
        *,
        flags: Flags,
        companies: Companies,
        fresh_seconds: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._flags = flags
        self._companies = companies
        self._fresh_seconds = fresh_seconds
        self._monotonic = monotonic
        self._lock = Lock()
        self._kept: dict[str, tuple[float, CompanySettings]] = {}

    def flags(self, company_id: str) -> CompanyFlags:
        """All that is switched and set for a company.

        Raises:
            FlagsUnavailable: unknown is not off.
            Unavailable: the company's settings are out of reach, which is not their defaults either.
        """
        flags = self._flags.flags(company_id)
        if not flags.context_memory:  # then nobody asks for more, and ids of no company are not looked up
            return CompanyFlags.of(flags, CompanySettings())
        return CompanyFlags.of(flags, self._settings(company_id))

    def space(self, company_id: str, space_id: str) -> SpaceSettings | None:  # noqa: ARG002 - no space is registered yet
        """Nothing is registered: spaces are on, with the company's values."""
        return None

    def _settings(self, company_id: str) -> CompanySettings:
        with self._lock:
            now = self._monotonic()
            kept_at, settings = self._kept.get(company_id, (None, CompanySettings()))
            if kept_at is None or now - kept_at >= self._fresh_seconds:
                settings = self._companies.settings(company_id).settings
                self._kept[company_id] = now, settings
            return settings
