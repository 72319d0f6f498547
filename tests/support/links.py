"""Links of a company in a world of twins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.application.indexing.upkeep import Upkeep
from context_memory.application.links.asking import AskMerge
from context_memory.application.links.declaring import DeclareLinks
from context_memory.application.links.linking import LinkAdministration
from context_memory.application.links.looking_after import LookAfterMerge
from context_memory.application.links.merging import WorkOnMerge
from context_memory.application.links.moving import MoveFacts
from context_memory.application.links.returning import ReturnFacts
from context_memory.application.links.sides import Sides
from context_memory.ports.moving import MOST_MOVED
from tests.support.forgetting import forgetting_in

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


def merging_of(world: InMemoryWorld, *, cap: int = 200, at_once: int = MOST_MOVED) -> WorkOnMerge:
    """Works on merges, so many facts at once."""
    forgetting = forgetting_in(world)
    upkeep = Upkeep(agenda=world.agenda, jobs=world.jobs, clock=world.clock, telemetry=world.telemetry)
    sides = Sides(
        states=world.table,
        facts=world.facts,
        moves=world.moves,
        forgotten=forgetting.after,
        roster=world.roster,
        written=upkeep.of_user,
        clock=world.clock,
    )
    return WorkOnMerge(
        merges=world.merges,
        sides=sides,
        there=MoveFacts(sides=sides, cap=lambda _: cap, at_once=at_once),
        back=ReturnFacts(sides=sides, at_once=at_once),
        after=LookAfterMerge(merges=world.merges, sides=sides, at_once=at_once),
        jobs=world.jobs,
        agenda=world.agenda,
        clock=world.clock,
        telemetry=world.telemetry,
    )
