"""The job `merge`: does what is next of a merge until it is at rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from context_memory.domain.merging import MergeStatus

if TYPE_CHECKING:
    from context_memory.application.links.looking_after import LookAfterMerge
    from context_memory.application.links.moving import MoveFacts
    from context_memory.application.links.returning import ReturnFacts
    from context_memory.application.links.sides import Sides
    from context_memory.domain.jobs import MergeJob
    from context_memory.domain.merging import Merge
    from context_memory.ports.links import Merges
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOnMerge:
    """Goes on wherever whoever came before has ended; two at once do each other no harm.

    Every write rests on what was read just before. How far a merge is stands in the company table, and is written when
    one kind of step has nothing left to do: a step that is done again finds it done.

    The agenda asks for a merge again each day, until nothing is kept of it any more.
    """

    merges: Merges
    sides: Sides
    there: MoveFacts
    back: ReturnFacts
    after: LookAfterMerge
    jobs: Jobs
    agenda: Agenda
    clock: Clock
    telemetry: Telemetry

    def __call__(self, job: MergeJob, seconds: float) -> None:
        """Work on a merge; no step is begun later than `seconds` from now, and the next message goes on.

        Raises:
            Unavailable: a store is out of reach; nothing is lost by waiting.
        """
        end, merge = self.clock.monotonic() + seconds, self.merges.merge(job.company_id, job.job_id)
        if merge and merge.at_rest and job.entry:
            merge = self.after(merge)
        while merge and not merge.at_rest:
            if self.clock.monotonic() >= end:
                self.jobs.send(job)
                return
            after = self._stepped(merge)
            if after == merge:
                continue
            if self.merges.move(merge, after):
                self._tell(after)
                merge = after
            else:  # somebody else has moved it on
                merge = self.merges.merge(job.company_id, job.job_id)
        if entry := job.entry:
            if merge:
                tomorrow = self.clock.now().date() + timedelta(days=1)
                self.agenda.note(replace(entry, due=tomorrow, mark=None))
            self.agenda.strike(entry)

    def _stepped(self, merge: Merge) -> Merge:
        """The merge after its next step."""
        if merge.status is MergeStatus.ASKED:
            return self._begun(merge)
        source = self.sides.side(merge.source, merge.source_epoch or 0)
        target = self.sides.side(merge.target, merge.target_epoch or 0)
        match merge.status:
            case MergeStatus.MOVING:
                return self.there(merge, source, target)
            case MergeStatus.DROPPING:
                return self.back.drop(merge, source, target)
            case MergeStatus.UNDO_ASKED:
                # Who was erased since has nothing to get, or to give: what is the target's stays the target's.
                return merge.now(MergeStatus.RETURNING if source.alive and target.alive else MergeStatus.KEPT)
            case MergeStatus.RETURNING:
                return self.back.give_back(merge, source, target)
            case _:
                return self.back.clear(merge, target)

    def _begun(self, merge: Merge) -> Merge:
        """Keep which memories the merge is about: whoever is erased after it was asked for is another one."""
        epochs = []
        for user in (merge.source, merge.target):
            settings = self.sides.settings(user)
            erased_since = settings.erased_at is not None and settings.erased_at >= merge.asked_at
            if erased_since or settings.erase_running or not settings.context_memory:
                return merge.now(MergeStatus.DROPPED)
            epochs.append(settings.epoch)
        return replace(merge.now(MergeStatus.MOVING), source_epoch=epochs[0], target_epoch=epochs[1])

    def _tell(self, merge: Merge) -> None:
        self.telemetry.event(
            "moved a merge on",
            status=merge.status.value,
            moved=merge.moved,
            left_behind=merge.left_behind,
            returned=merge.returned,
        )
