"""Making facts of what a company keeps of its users' turns, before it goes: user by user, a few calls for each.

What is left to do is read from the table: whoever dies here has settled some groups, and the next one finds the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.kept.summarising import Summed
from context_memory.domain.enablement import Asked, disabled_reason
from context_memory.domain.errors import CallBudgetSpent, Unavailable, kind_of
from context_memory.domain.kept_turns import Keep
from context_memory.domain.walks import Line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.application.following.asking import Asking
    from context_memory.application.kept.letting_go import LetGo
    from context_memory.application.kept.reading import Readable, ReadKept
    from context_memory.application.kept.summarising import Summarise
    from context_memory.domain.enablement import CompanyFlags
    from context_memory.domain.ids import UserKey
    from context_memory.domain.kept_turns import KeptTurn
    from context_memory.domain.state import UserState
    from context_memory.domain.walks import Walk
    from context_memory.ports.keeping import KeptTurns
    from context_memory.ports.objects import TurnPayloads
    from context_memory.ports.users import UserTable

GROUPS = 4
"""So many groups of turns one walk asks about, for each user, as long as the time lasts."""
_SECONDS, _SECONDS_OF_A_GROUP = 25.0, 10.0
"""What one user may take: `maintain` keeps back little more of its time for the user who is met last."""
_LOOKED_AT = 60
_ANYWHERE = Asked(web_search=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SummariseUser:
    """The step of the walk `summarise`. Results: `summarised`, `would_ask`, `unread`, `waiting`, `nothing`, `off`.

    `texts` are where kept texts lie, `let_go` takes them away.
    """

    table: UserTable
    turns: KeptTurns
    texts: TurnPayloads
    let_go: LetGo
    read: ReadKept
    summarise: Summarise
    asking: Asking

    def __call__(self, user: UserKey, walk: Walk) -> Line:
        """Summarise some of a user's turns, or say of how many facts would be made; and let go of what is over."""
        state, flags = self.table.state(user), self.asking.switches.flags(user.company_id)
        if state.settings.erase_running:
            return _unlisted(user, "off")
        keep, kept = Keep(days=flags.keep_turns_days, now=self.asking.clock.now()), self.turns.kept(user)
        if walk.dry_run:
            count = sum(map(keep.is_due, kept))
            return Line(user_id=user.user_id, result="would_ask", details={"turns": count}, listed=count > 0)
        self._sweep(user, kept)
        overdue = [turn for turn in kept if keep.is_overdue(turn) or turn.epoch != state.settings.epoch]
        unread = self._unread(user, overdue)
        due = [turn for turn in kept if keep.is_due(turn) and turn not in overdue][:_LOOKED_AT]
        summarised, left = self._work_off(user, state, flags, due, keep)
        unread += self._unread(user, [turn for turn in left if keep.has_ended(turn)])
        details = {"turns": summarised, "unread": unread}
        if summarised:
            return Line(user_id=user.user_id, result="summarised", details=details)
        if unread:
            return Line(user_id=user.user_id, result="unread", details=details)
        return _unlisted(user, "waiting" if due else "nothing")

    def _work_off(
        self, user: UserKey, state: UserState, flags: CompanyFlags, due: Sequence[KeptTurn], keep: Keep
    ) -> tuple[int, Sequence[KeptTurn]]:
        """How many turns were summarised, and those of which nothing may be made as things stand."""
        if not due:
            return 0, ()
        if disabled_reason(flags, None, state.settings, _ANYWHERE):
            return 0, due
        read = {turn.open_key: self.read(user, flags, turn) for turn in due}
        unfit = [turn for turn in due if read[turn.open_key] is None]
        if self.asking.ladder.paused(user.company_id, flags.daily_tokens):
            return 0, unfit
        groups = self.read.together([one for one in read.values() if one is not None], keep)
        return self._summarised(user, state, flags, groups[:GROUPS]), unfit

    def _summarised(
        self, user: UserKey, state: UserState, flags: CompanyFlags, groups: Sequence[tuple[Readable, ...]]
    ) -> int:
        turns = 0
        with self.asking.calls(user, _SECONDS) as calls:
            for number, group in enumerate(groups):
                if number and calls.deadline.seconds_left < _SECONDS_OF_A_GROUP:
                    break
                try:
                    summed = self.summarise(user, state, flags, group, calls)
                except (Unavailable, CallBudgetSpent) as error:
                    self.asking.telemetry.count("summaries_total", outcome="error")
                    self.asking.telemetry.warning("old turns wait", error_type=kind_of(error))
                    if not number:
                        raise
                    break
                turns += len(group) if summed.settled else 0
                if summed is Summed.OVERTAKEN:  # no model is told more of what the user may have erased
                    break
        return turns

    def _unread(self, user: UserKey, turns: Sequence[KeptTurn]) -> int:
        """Let go of turns that nobody has read, or may read; how many."""
        if turns:
            self.turns.let_go(user, turns)
            self.let_go.remove(user, turns)
            self.asking.telemetry.count("kept_turns_total", len(turns), result="unread")
        return len(turns)

    def _sweep(self, user: UserKey, kept: Sequence[KeptTurn]) -> None:
        """Remove texts that nobody keeps: whoever let go of their turns has died behind that.

        None of them is on its way here: a turn is kept before its text is put by.
        """
        named = {(turn.turn_id, turn.payload_sha256) for turn in kept}
        strays = [one[:2] for one in self.texts.stored(user) if one[:2] not in named]
        if strays:
            self.texts.delete_all(user, strays)
            self.asking.telemetry.event("removed texts that nobody keeps", texts=len(strays))


def _unlisted(user: UserKey, result: str) -> Line:
    return Line(user_id=user.user_id, result=result, listed=False)
