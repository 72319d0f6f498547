"""Links of a company in a world of twins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.application.links.asking import AskMerge
from context_memory.application.links.declaring import DeclareLinks
from context_memory.application.links.linking import LinkAdministration

if TYPE_CHECKING:
    from context_memory.adapters.in_memory.world import InMemoryWorld


def asking_of(world: InMemoryWorld) -> AskMerge:
    """Asks for merges."""
    return AskMerge(
        merges=world.merges,
        jobs=world.jobs,
        agenda=world.agenda,
        clock=world.clock,
        identifiers=world.identifiers,
        telemetry=world.telemetry,
    )


def links_of(world: InMemoryWorld) -> LinkAdministration:
    """Makes and removes one link."""
    return LinkAdministration(links=world.links, merging=asking_of(world), clock=world.clock, telemetry=world.telemetry)


def declaring_of(world: InMemoryWorld) -> DeclareLinks:
    """Declares all of them."""
    return DeclareLinks(links=world.links, clock=world.clock, telemetry=world.telemetry)
