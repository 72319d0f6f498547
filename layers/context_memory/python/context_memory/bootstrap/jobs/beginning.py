"""What begins walks, for the jobs of every day and for those that ask for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from context_memory.application.walks.asking import Asking
    from context_memory.bootstrap.jobs.parts import Parts

# ruff: noqa: PLC0415 - late imports are this package's purpose


def beginning(parts: Parts) -> Asking:
    """Begins walks."""
    from context_memory.adapters.system import RandomIdentifiers
    from context_memory.application.walks.asking import Asking

    return Asking(
        walks=parts.walks,
        companies=parts.companies,
        jobs=parts.jobs,
        agenda=parts.agenda,
        clock=parts.clock,
        identifiers=RandomIdentifiers(),
        telemetry=parts.telemetry,
    )
