"""Lena's memory in a house as tests of its history write it: the Identity section, edit by edit, and a forgetting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.application.changing.wanted import Wanted
from context_memory.domain.outcomes import Outcome
from context_memory.domain.profile import Section
from context_memory.domain.writers import Writer
from tests.support.house import LENA, House, body

if TYPE_CHECKING:
    from context_memory.application.changing.wanted import Standing

BASEL, SAILS, DOG = "Lives in Basel.", "Sails.", "Has a dog."


def write(house: House, *identity: str) -> None:
    """Lena lets the section hold these bullets."""

    def make(standing: Standing) -> Wanted:
        return Wanted(bullets=standing.bullets.with_section(Section.IDENTITY, identity))

    assert house.change(LENA, Writer.USER, make).stored


def forget_the_dog(house: House, turn_id: str, *left: str) -> None:
    """Lena asks in a turn that her dog be forgotten, and the model leaves these bullets."""
    house.model.queue("gate", "FORGET")
    house.model.queue("consolidation", f"FORGET\n{body(identity=list(left))}")
    house.model.queue("scrub", "CLEAN")
    house.post(turn_id, "Please forget that I have a dog.")
    house.work()
    assert house.record(turn_id).outcome is Outcome.FORGOTTEN


def identity(house: House) -> tuple[str, ...]:
    """What the section holds."""
    return house.change.look(LENA).bullets.identity
