"""What another user keeps of a user's facts, whose own they once were, to have them back when a merge is undone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.erasing import Remnant
from context_memory.domain.jobs import MergeJob
from context_memory.ports.erasing import Found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.application.links.merging import WorkOnMerge
    from context_memory.domain.ids import UserKey
    from context_memory.domain.merging import Merge

_AT_ONCE = 10
_SECONDS = 5.0
"""How long a merge is worked on before the sweep looks again."""


@dataclass(frozen=True, slots=True)
class MergesLeft:
    """`Remains`: every merge that is about the user and not at rest, or of which the other one keeps too much.

    Either is done under the other user's own tags, as the merge itself is. The merge stays, without a word of anybody,
    until the next round of its job: whoever works on it at this moment must find that it has come to rest.
    """

    work: WorkOnMerge

    def found(self, user: UserKey, epoch: int) -> Iterator[list[Found]]:  # noqa: ARG002 - merges tell epochs themselves
        """All of them, a few at a time."""
        left = [merge for merge in self.work.merges.of_user(user) if self._is_left(merge)]
        for start in range(0, len(left), _AT_ONCE):
            yield [Found(Remnant.MERGES, merge.merge_id) for merge in left[start : start + _AT_ONCE]]

    def delete(self, user: UserKey, epoch: int, batch: list[Found]) -> None:  # noqa: ARG002 - likewise
        """Bring them to rest, and let the other one keep nothing of them."""
        for one in batch:
            self.work(MergeJob(company_id=user.company_id, job_id=one.key), _SECONDS)
            merge = self.work.merges.merge(user.company_id, one.key)
            if merge and merge.at_rest:
                self.work.after.let_go(merge)

    def _is_left(self, merge: Merge) -> bool:
        return not merge.at_rest or self.work.after.keeps_too_much(merge)
