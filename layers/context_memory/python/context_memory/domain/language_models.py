"""Which language model rewrites a memory: names of an environment's list, and whose choice goes first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.domain.spaces import SpaceSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedModels:
    """The models that spaces and turns may choose: each alias with its model, which may be called by its own name too.

    None are allowed where `aliases` is empty.
    """

    aliases: Mapping[str, str] = field(default_factory=dict)

    def named(self, name: str) -> str | None:
        """The model of that alias or name; None when it is not on the list."""
        return self.aliases.get(name) or (name if name in self.aliases.values() else None)

    def refuses(self, name: str | None) -> bool:
        """Whether somebody names a model that is not on the list."""
        return name is not None and self.named(name) is None

    def chosen(self, space: SpaceSettings | None, of_the_turn: str | None, *, otherwise: str) -> str:
        """The model that rewrites the memory after a turn.

        Args:
            space: what is registered about the turn's space.
            of_the_turn: the model that the orchestrator says it has used.
            otherwise: the environment's, where nobody chooses, or a choice has left the list since it was made.
        """
        name = choice(space, of_the_turn)
        return (name and self.named(name)) or otherwise


def choice(space: SpaceSettings | None, of_the_turn: str | None) -> str | None:
    """The name that counts: the space's own, else, where it lets turns choose, the turn's; None if nobody chooses."""
    if space is None:
        return None
    return space.language_model or (of_the_turn if space.use_orchestrator_language_model else None)
