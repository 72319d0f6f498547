"""What users of a world asked to forget, and what takes their kept texts away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.application.forgetting import Forgetting
from context_memory.application.kept.letting_go import LetGo

if TYPE_CHECKING:
    from context_memory.adapters.in_memory.world import InMemoryWorld


def forgetting_in(world: InMemoryWorld) -> Forgetting:
    """Over the twins of one world."""
    return Forgetting(
        table=world.table,
        hasher=world.hasher,
        let_go=LetGo(turns=world.kept_turns, texts=world.texts, clock=world.clock, telemetry=world.telemetry),
        agenda=world.agenda,
        clock=world.clock,
        telemetry=world.telemetry,
    )
