"""Which policies have a say in a cell: asked of each actor and of each place once, of which there are hundreds.

Cells are tens of thousands, and each policy looked at for each of them would take minutes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from infra.names import Names
    from tests.support.access_cells import Actor, Cell
    from tests.support.access_places import Place
    from tests.support.policies import Policy


class Concerns:
    """Names of policies by cell, in the order of the policies.

    Args:
        names: of where the policies are.
        policies: all that there are.
    """

    def __init__(self, names: Names, policies: Sequence[Policy]) -> None:
        self._names = names
        self._policies = policies
        self._of_actors: dict[Actor, list[str]] = {}
        self._of_places: dict[Place, list[str]] = {}

    def of_actor(self, cell: Cell) -> list[str]:
        """Policies that are the actor's own."""
        if cell.who not in self._of_actors:
            held = cell.who.policies_held(self._names)
            self._of_actors[cell.who] = [one.name for one in self._policies if not one.roles.isdisjoint(held)]
        return self._of_actors[cell.who]

    def of_place(self, cell: Cell) -> list[str]:
        """Policies that guard the place."""
        if cell.on not in self._of_places:
            place = cell.on.guarded_by(self._names)
            self._of_places[cell.on] = [one.name for one in self._policies if place in one.places]
        return self._of_places[cell.on]
