"""`Switches`: the operator's flags and the company's own settings, as one answer."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from context_memory.domain.enablement import CompanyFlags, CompanySettings
from context_memory.domain.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.enablement import SpaceSettings
    from context_memory.ports.companies import Companies, Flags

PAUSE_SECONDS = 5.0
"""How long the company table is left alone after it did not answer, while what is known serves."""


@dataclass(slots=True)
class _Known:
    """A company's settings, when they were read, and when to read them again."""

    settings: CompanySettings
    at: float
    ask_at: float


class CompanySwitches:
    """Keeps each company's settings for a while; flags have a memory of their own.

    Args:
        flags: what the operator switched.
        companies: what administrators set.
        fresh_seconds: how old settings may be before they are read again.
        stale_seconds: how old they may be while the company table does not answer.
        monotonic: seconds that never run backwards.
    """

    def __init__(
        self,
        *,
        flags: Flags,
        companies: Companies,
        fresh_seconds: float,
        stale_seconds: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._flags = flags
        self._companies = companies
        self._fresh_seconds = fresh_seconds
        self._stale_seconds = stale_seconds
        self._monotonic = monotonic
        self._lock = Lock()
        self._kept: dict[str, _Known] = {}

    def flags(self, company_id: str) -> CompanyFlags:
        """All that is switched and set for a company.

        Raises:
            FlagsUnavailable: unknown is not off.
            Unavailable: nothing recent enough is known of the company's settings, which is not their defaults either.
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
            known = self._kept.get(company_id)
            if known is None or now >= known.ask_at:
                known = self._kept[company_id] = self._read(company_id, known, now)
            return known.settings

    def _read(self, company_id: str, known: _Known | None, now: float) -> _Known:
        try:
            settings = self._companies.settings(company_id).settings
        except Unavailable:
            if known is None or now - known.at > self._stale_seconds:
                raise
            return _Known(known.settings, known.at, self._monotonic() + min(PAUSE_SECONDS, self._fresh_seconds))
        return _Known(settings, now, now + self._fresh_seconds)
