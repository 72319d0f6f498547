"""Taking out of every memory of a company what was learned from a source, as after an incident.

A dry run comes first, and says for whom what would change, by numbers; it is applied by naming it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.application.changing.unlearn import Unlearn
from context_memory.application.history import newest_first
from context_memory.contracts.unlearning import UnlearnBody
from context_memory.domain.errors import MemorySwitchedOff, ProfileUnreadable, SchemaNewer, kind_of
from context_memory.domain.walks import Line
from context_memory.domain.writers import Writer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from context_memory.application.changing.change import Change
    from context_memory.application.changing.unlearn import Unlearning
    from context_memory.application.facts.rewriting import RewriteFacts
    from context_memory.domain.condemnation import Condemnation
    from context_memory.domain.facts.rewriting import Rewrite
    from context_memory.domain.ids import UserKey
    from context_memory.domain.operations import Operation
    from context_memory.domain.walks import Walk
    from context_memory.ports.users import UserTable


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlearnUser:
    """The step of the walk `unlearn`. Results: `changed`, `would_change`, `nothing`, `off`, `unreadable`."""

    change: Change
    table: UserTable
    facts: RewriteFacts

    def __call__(self, user: UserKey, walk: Walk) -> Line:
        """Unlearn for one user, or say what that would change."""
        condemned = UnlearnBody.parse(walk.parameters.encode()).condemnation()
        rewrite = self.facts.preview_unlearning if walk.dry_run else self.facts.unlearn
        try:
            facts = rewrite(user, condemned)
            return _with_facts(self._unlearned(user, walk, condemned), facts, walk)
        except MemorySwitchedOff:
            return Line(user_id=user.user_id, result="off", listed=False)

    def _unlearned(self, user: UserKey, walk: Walk, condemned: Condemnation) -> Line:
        """What becomes of the memory."""
        unlearn = Unlearn(change=self.change, table=self.table, writer=Writer.ADMINISTRATOR, reason=walk.job_id)
        if not walk.dry_run and (line := self._done_before(user, walk)):
            return line
        try:
            if walk.dry_run:
                return _line(user, "would_change", unlearn.preview(user, condemned))
            done = unlearn.apply(user, condemned)
        except (ProfileUnreadable, SchemaNewer) as error:
            return Line(user_id=user.user_id, result="unreadable", details={"error": kind_of(error)})
        return _line(user, "changed", done)

    def _done_before(self, user: UserKey, walk: Walk) -> Line | None:
        """What the walk's own change did, where a worker died before it could tell of it; None where there is none.

        Doing it again would change nothing, and the report would say so.
        """
        epoch = self.table.state(user).settings.epoch
        for revision in newest_first(self.table, user, epoch):
            if walk.started_at is None or revision.written_at < walk.started_at:
                return None
            if revision.writer is Writer.ADMINISTRATOR and revision.reason == walk.job_id:
                return Line(user_id=user.user_id, result="changed", details=_counted(revision.operations))
        return None


def _line(user: UserKey, result: str, unlearning: Unlearning) -> Line:
    operations = unlearning.changed.operations
    if not operations:
        return _nothing(user)
    details = _counted(operations) | {"revisions": len(unlearning.revisions), "pinned": len(unlearning.pinned)}
    return Line(user_id=user.user_id, result=result, details=details)


def _with_facts(line: Line, facts: Rewrite, walk: Walk) -> Line:
    """The line, with what becomes of facts; where only they change, that is a change, too."""
    if not facts.drops:
        return line
    result = line.result
    if result == "nothing":
        result = "would_change" if walk.dry_run else "changed"
    details = {**line.details, "facts": len(facts.drops), "facts_restored": len(facts.restored)}
    return replace(line, result=result, details=details, listed=True)


def _nothing(user: UserKey) -> Line:
    return Line(user_id=user.user_id, result="nothing", listed=False)


def _counted(operations: Iterable[Operation]) -> dict[str, str | int]:
    return dict(Counter(operation.kind.value for operation in operations))
