"""Switches from the function's environment: the same for every company, and no space is registered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.enablement import CompanyFlags

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.domain.enablement import SpaceSettings


class ConfiguredSwitches:
    """`Switches` that were fixed at deployment.

    Args:
        values: fields of `CompanyFlags`, checked by the settings.
    """

    def __init__(self, values: Mapping[str, bool | int]) -> None:
        self._flags = CompanyFlags(**values)  # type: ignore[arg-type]  # a flag is a truth, the cap a number: checked by `settings`

    def flags(self, company_id: str) -> CompanyFlags:  # noqa: ARG002 - all companies alike
        """The flags of every company."""
        return self._flags

    def space(self, company_id: str, space_id: str) -> SpaceSettings | None:  # noqa: ARG002 - no space is registered
        """Nothing is registered: spaces are on, with the company's values."""
        return None
