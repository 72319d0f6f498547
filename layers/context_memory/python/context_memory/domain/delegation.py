"""Work that an agent sends out within a user's turn: whose memory it has."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """What a request says of who sent it out.

    Attributes:
        parent_turn_id: the turn that delegated it.
        inherit_memory: whether it is to have the memory of that turn's user; None: what its company has set.
        worker: it comes from a worker, whatever else is said.
    """

    parent_turn_id: str | None = None
    inherit_memory: bool | None = None
    worker: bool = False

    @property
    def delegated(self) -> bool:
        """Whether a worker asks; a request that says nothing of all this is the user's own."""
        return self.worker or self.parent_turn_id is not None or self.inherit_memory is not None

    def inherits(self, *, company: bool) -> bool:
        """Whether it has the memory of the user in its path, as far as it does not hang on the turn that delegated.

        Args:
            company: whether workers of the company inherit that do not say it.
        """
        if not self.delegated:
            return True
        return company if self.inherit_memory is None else self.inherit_memory

    def rests_on(self, *, company: bool, prompt_id: str | None = None) -> frozenset[str]:
        """Ids of the turn and the prompt that may have disabled memory for a worker; none where it inherits nothing.

        A prompt and the turn that it becomes have one id, or the worker names both.

        Args:
            company: whether workers of the company inherit that do not say it.
            prompt_id: of the prompt that the worker works for, where its request names one.
        """
        if not self.delegated or not self.inherits(company=company):
            return frozenset()
        return frozenset(filter(None, (self.parent_turn_id, prompt_id)))


THE_USERS_OWN = Delegation()
"""A request that nobody delegated."""
