"""Walks: work about every user of a company, a stretch at a time, wherever a worker dies.

A walk goes through the company's users once, an erase twice, for who came meanwhile; then once more to those with whom
it failed. `version` counts its steps: of two workers on the same stretch one moves the walk on, and their work is such
that doing it twice is doing it once.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

FAILED = "failed"
"""The result of a line of the report whose user is tried once more at the end."""
PENDING = "pending"
"""The result of a line whose user is being met, or was when a worker died."""
CODE_GOOD_FOR = timedelta(hours=1)
MOST_GUESSES = 5


class WalkKind(StrEnum):
    """What is done for each user."""

    ERASE = "erase"
    MIGRATE = "migrate"
    UNLEARN = "unlearn"
    CONDENSE = "condense"
    EXPIRE = "expire"
    COMPACT = "compact"
    SUMMARISE = "summarise"


class WalkStatus(StrEnum):
    """Where a walk is. `FAILED`: it is over, and for some users it came to nothing."""

    AWAITING_CONFIRMATION = "awaiting_confirmation"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Phase(StrEnum):
    """What part of a walk is under way."""

    FIRST = "first"
    AGAIN = "again"
    RETRY = "retry"


_PHASES = {WalkKind.ERASE: (Phase.FIRST, Phase.AGAIN, Phase.RETRY)}
_ONCE = (Phase.FIRST, Phase.RETRY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What became of one user: one word of ours, what else is worth saying, and whether it belongs in the report."""

    user_id: str
    result: str
    details: Mapping[str, str | int] = field(default_factory=dict)
    listed: bool = True

    @property
    def failed(self) -> bool:
        """Whether the user is to be tried once more."""
        return self.result == FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Lines of a report, under the number of the stretch that wrote them."""

    number: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """What must be said to confirm a walk: the code's digest, until when it is good, how often it was missed."""

    digest: str
    until: datetime
    guesses: int = 0

    def opens_with(self, digest: str, at: datetime) -> bool:
        """Whether this is the code, said in time and not too often missed."""
        return digest == self.digest and at <= self.until and self.guesses < MOST_GUESSES


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """One walk through a company's users.

    Attributes:
        parameters: what else the kind has to know, as JSON.
        asked_by: role of who asked, or a word of ours.
        started_at: when it was asked for or, of one that must be, confirmed.
        cursor: encoded id of the last user of the phase under way, or the number of the last page while retrying.
        planned: page that names the users of the stretch under way, of a walk whose users may vanish meanwhile.
        version: how often the walk was moved on.
        users: how many were met; `done` and `failed` are those of them with whom it came to something, or to nothing.
        counts: users by result.
        code: of a walk that must be confirmed.
    """

    company_id: str
    job_id: str
    kind: WalkKind
    status: WalkStatus
    dry_run: bool
    asked_by: str
    asked_at: datetime
    started_at: datetime | None = None
    parameters: str = "{}"
    finished_at: datetime | None = None
    phase: Phase = Phase.FIRST
    cursor: str | None = None
    planned: int | None = None
    version: int = 0
    users: int = 0
    failed: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    code: Code | None = None

    @property
    def running(self) -> bool:
        """Whether there is a next stretch."""
        return self.status is WalkStatus.RUNNING

    @property
    def done(self) -> int:
        """Users with whom it came to something, and be it nothing to do."""
        return self.users - self.failed

    @property
    def vanishing(self) -> bool:
        """Whether those who are met may be listed no more when their stretch is done again."""
        return self.kind in {WalkKind.ERASE, WalkKind.EXPIRE} and not self.dry_run

    def seconds_to_wait(self, now: datetime, closing: timedelta) -> float:
        """Seconds until the company may be gone through again, `closing` after it was closed; 0 when it may now."""
        if self.phase is not Phase.AGAIN or self.dry_run or self.started_at is None:
            return 0.0
        return max((self.started_at + closing - now).total_seconds(), 0.0)

    def plans(self) -> Walk:
        """Before a stretch whose users are written down, on the page of the number that `version` then is."""
        return replace(self, version=self.version + 1, planned=self.version + 1)

    def walked(self, lines: Sequence[Line], *, cursor: str | None, ended: bool, at: datetime) -> Walk:
        """After a stretch that met new users; `ended` when there is none behind it in this phase."""
        after = replace(
            self,
            version=self.version + 1,
            cursor=cursor,
            planned=None,
            users=self.users + len(lines),
            failed=self.failed + sum(line.failed for line in lines),
            counts=_added(self.counts, lines),
        )
        return _next_phase(after, at) if ended else after

    def retried(self, lines: Sequence[Line], *, cursor: str | None, ended: bool, at: datetime) -> Walk:
        """After a stretch that met users again with whom it had failed; `lines` say what became of them now."""
        mended = [line for line in lines if not line.failed]
        counts = _added(self.counts, mended)
        if FAILED in counts:
            counts |= {FAILED: counts[FAILED] - len(mended)}
        after = replace(
            self,
            version=self.version + 1,
            cursor=cursor,
            failed=self.failed - len(mended),
            counts={result: count for result, count in counts.items() if count},
        )
        return _next_phase(after, at) if ended else after

    def started(self, at: datetime) -> Walk:
        """After it was confirmed."""
        return replace(self, status=WalkStatus.RUNNING, version=self.version + 1, started_at=at, code=None)

    def missed(self) -> Walk:
        """After a wrong code."""
        code = self.code
        assert code is not None  # noqa: S101 - callers have compared with it
        return replace(self, version=self.version + 1, code=replace(code, guesses=code.guesses + 1))


def _next_phase(walk: Walk, at: datetime) -> Walk:
    """After the last stretch of a phase; retrying is left out where nothing failed."""
    phases = _PHASES.get(walk.kind, _ONCE)
    for phase in phases[phases.index(walk.phase) + 1 :]:
        if phase is not Phase.RETRY or walk.failed:
            return replace(walk, phase=phase, cursor=None)
    return replace(walk, status=WalkStatus.FAILED if walk.failed else WalkStatus.DONE, finished_at=at, cursor=None)


def _added(counts: Mapping[str, int], lines: Iterable[Line]) -> dict[str, int]:
    total = dict(counts)
    for line in lines:
        total[line.result] = total.get(line.result, 0) + 1
    return total
