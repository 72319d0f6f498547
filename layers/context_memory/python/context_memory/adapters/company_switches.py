"""`Switches`: the operator's flags, the company's own settings and its spaces, as one answer."""

from __future__ import annotations

import time
from concurrent.futures import Future
from typing import TYPE_CHECKING

from context_memory.adapters.kept import Ages, Kept
from context_memory.domain.company_settings import DEFAULTS
from context_memory.domain.enablement import CompanyFlags

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from context_memory.domain.company_settings import StoredSettings
    from context_memory.domain.spaces import SpaceSettings
    from context_memory.ports.companies import Companies, Flags, Spaces


class CompanySwitches:
    """Keeps each company's settings and each space's for a while; flags have a memory of their own.

    Args:
        flags: what the operator switched.
        companies: what administrators set.
        spaces: what they registered about spaces.
        ages: how long settings serve.
        monotonic: seconds that never run backwards.
    """

    def __init__(
        self,
        *,
        flags: Flags,
        companies: Companies,
        spaces: Spaces,
        ages: Ages,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._flags = flags
        self._store = spaces
        self._settings: Kept[str, StoredSettings] = Kept(companies.settings, ages, monotonic=monotonic)
        self._spaces: Kept[tuple[str, str], SpaceSettings | None] = Kept(self._registered, ages, monotonic=monotonic)

    def flags(self, company_id: str) -> CompanyFlags:
        """All that is switched and set for a company.

        Raises:
            FlagsUnavailable: unknown is not off.
            Unavailable: nothing recent enough is known of the company's settings, which is not their defaults either.
        """
        flags = self._flags.flags(company_id)
        if not flags.context_memory:  # then nobody asks for more, and ids of no company are not looked up
            return CompanyFlags.of(flags, DEFAULTS)
        stored = self._settings.get(company_id)
        return CompanyFlags.of(flags, stored.settings, closed=stored.closed)

    def space(self, company_id: str, space_id: str) -> SpaceSettings | None:
        """Registered settings of a space; None when it is not registered, or the company is switched off.

        Raises:
            FlagsUnavailable: unknown is not off.
            Unavailable: nothing recent enough is known of the space, which does not make it unregistered.
        """
        return self._spaces.get((company_id, space_id)) if self._flags.flags(company_id).context_memory else None

    def space_ahead(self, company_id: str, space_id: str, executor: Executor) -> Future[SpaceSettings | None]:
        """The same, asked for by a thread of `executor` where somebody must be asked; done at once where not.

        Raises:
            FlagsUnavailable: unknown is not off.
        """
        key, has_memory = (company_id, space_id), self._flags.flags(company_id).context_memory
        if has_memory and not self._spaces.fresh(key):
            return executor.submit(self._spaces.get, key)
        known: Future[SpaceSettings | None] = Future()
        known.set_result(self._spaces.get(key) if has_memory else None)
        return known

    def _registered(self, key: tuple[str, str]) -> SpaceSettings | None:
        stored = self._store.space(*key)
        return stored.settings if stored else None
