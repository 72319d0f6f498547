"""Asking for past facts to be moved, or to be put back, and looking at what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.domain.errors import MergeGone, MergeRuns, UnknownJob
from context_memory.domain.jobs import AgendaEntry, JobKind, MergeJob
from context_memory.domain.merging import UNDONE_WITHIN, Merge, MergeStatus

if TYPE_CHECKING:
    from context_memory.domain.links import LinkChange, LinkWish, Provider
    from context_memory.ports.links import Merges
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock, Identifiers
    from context_memory.ports.telemetry import Telemetry

_UNDONE = frozenset({MergeStatus.UNDONE, MergeStatus.UNDO_ASKED, MergeStatus.RETURNING, MergeStatus.CLEARING})


@dataclass(frozen=True, slots=True, kw_only=True)
class AskMerge:
    """Keeps merges and sets them off; `maintain` does them."""

    merges: Merges
    jobs: Jobs
    agenda: Agenda
    clock: Clock
    identifiers: Identifiers
    telemetry: Telemetry

    def wanted(self, company_id: str, change: LinkChange, wish: LinkWish) -> Merge | None:
        """The merge that a link sets off; None where there is nobody whose facts could move."""
        source = wish.merge_from or change.left
        if source is None:
            return None
        now = self.clock.now()
        return Merge(
            company_id=company_id,
            merge_id=self.identifiers.ulid(now),
            provider=change.provider,
            source_id=source,
            target_id=wish.user_id,
            all_facts=wish.merge_from is not None,
            asked_at=now,
        )

    def note(self, merge: Merge) -> None:
        """Keep, for tomorrow, that a merge is to be looked at: before it is stored, so that none is forgotten."""
        due = self.clock.now().date() + timedelta(days=1)
        self.agenda.note(AgendaEntry(company_id=merge.company_id, kind=JobKind.MERGE, due=due, job_id=merge.merge_id))

    def begin(self, merge: Merge) -> None:
        """Ring for a merge."""
        self.jobs.send(MergeJob(company_id=merge.company_id, job_id=merge.merge_id))
        self.telemetry.event("was asked to merge facts", all_facts=merge.all_facts)

    def show(self, company_id: str, provider: Provider, merge_id: str) -> Merge:
        """How far a merge of this link is.

        Raises:
            UnknownJob: there is none of that id.
        """
        merge = self.merges.merge(company_id, merge_id)
        if merge is None or merge.provider != provider:
            raise UnknownJob("The link has no such merge.")
        return merge

    def undo(self, company_id: str, provider: Provider, merge_id: str) -> Merge:
        """Put everything back that a merge has moved. Asked twice, it is done once.

        Raises:
            UnknownJob: there is no such merge.
            MergeRuns: it is still under way.
            MergeGone: nothing came of it, or it is more than 30 days old.
        """
        merge = self.show(company_id, provider, merge_id)
        if merge.status in _UNDONE:
            return merge
        if not merge.at_rest:
            raise MergeRuns("The merge is still under way.")
        if merge.status is not MergeStatus.MERGED or self.clock.now() - merge.asked_at >= UNDONE_WITHIN:
            raise MergeGone("There is nothing that could be put back.")
        self.note(merge)
        asked = merge.now(MergeStatus.UNDO_ASKED)
        if not self.merges.move(merge, asked):
            return self.undo(company_id, provider, merge_id)  # somebody else asked, too
        self.begin(asked)
        return asked
