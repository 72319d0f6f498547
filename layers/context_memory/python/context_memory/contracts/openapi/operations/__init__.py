"""All routes, as the description tells them. A test holds them against the gateway's routes and the handlers'."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.contracts.openapi.operations import (
    companies,
    description,
    facts,
    history,
    jobs,
    links,
    me,
    recall,
    turns,
    users,
)

if TYPE_CHECKING:
    from context_memory.contracts.openapi.operation import Operation

OPERATIONS: tuple[Operation, ...] = (
    *turns.OPERATIONS,
    *recall.OPERATIONS,
    *me.OPERATIONS,
    *history.OPERATIONS,
    *users.OPERATIONS,
    *companies.OPERATIONS,
    *facts.OPERATIONS,
    *jobs.OPERATIONS,
    *links.OPERATIONS,
    *description.OPERATIONS,
)
