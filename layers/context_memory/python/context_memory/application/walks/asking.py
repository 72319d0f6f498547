"""Asking for a walk, confirming one, and looking at what became of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.walks.walking import entry_of
from context_memory.domain.callers import Principal
from context_memory.domain.errors import ConfirmationRefused, InvalidInput, UnknownJob
from context_memory.domain.jobs import WalkJob
from context_memory.domain.walks import CODE_GOOD_FOR, Code, Walk, WalkKind, WalkStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.walks import Page
    from context_memory.ports.companies import Companies
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock, Identifiers
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.walks import Walks

PAGES = 5
"""So many pages of a report are told at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedWalk:
    """A walk that was asked for, and the code that confirms it, which nobody is told again."""

    walk: Walk
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A walk as it stands, and some pages of its report.

    The next ones are asked for `after` `following`: None where there are none, and none will come behind these.
    """

    walk: Walk
    pages: Sequence[Page]
    following: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The use cases behind `/v1/companies/{company_id}/jobs`."""

    walks: Walks
    companies: Companies
    jobs: Jobs
    agenda: Agenda
    clock: Clock
    identifiers: Identifiers
    telemetry: Telemetry

    def ask(
        self,
        company_id: str,
        kind: WalkKind,
        *,
        caller: str | None = None,
        asked_by: str | None = None,
        dry_run: bool = False,
        parameters: str = "{}",
        job_id: str | None = None,
        after_seconds: int = 0,
    ) -> AskedWalk:
        """Begin a walk; an erase waits for its confirmation.

        Args:
            company_id: whose users.
            kind: what is done for each.
            caller: ARN of who asks.
            asked_by: a word of ours, where we ask ourselves.
            dry_run: only say what would be done.
            parameters: what else the kind has to know, as JSON.
            job_id: of a walk that is one however often it is asked for; by default each is a new one.
            after_seconds: how long its first stretch waits (0 to 900); a round of the agenda may set it off before.

        Raises:
            Unavailable: it may have been begun all the same; its report says so.
        """
        now = self.clock.now()
        waits = kind is WalkKind.ERASE and not dry_run
        secret = self.identifiers.nonce() if waits else None
        walk = Walk(
            company_id=company_id,
            job_id=job_id or self.identifiers.ulid(now),
            kind=kind,
            status=WalkStatus.AWAITING_CONFIRMATION if waits else WalkStatus.RUNNING,
            dry_run=dry_run,
            asked_by=asked_by or role_of(caller),
            asked_at=now,
            started_at=None if waits else now,
            parameters=parameters,
            code=Code(digest=_digest(secret), until=now + CODE_GOOD_FOR) if secret else None,
        )
        if not self.walks.open(walk):
            walk = self._walk(company_id, walk.job_id)
        self.telemetry.event("was asked for a walk through a company", walk=kind.value, dry_run=dry_run)
        if walk.running:
            self._begin(walk, after_seconds)
        return AskedWalk(walk=walk, code=secret)

    def parameters_of(self, company_id: str, job_id: str) -> str:
        """What the dry run of an unlearning was about, so that nothing else is applied than was looked at.

        Raises:
            InvalidInput: the company has no such dry run, or it is not over.
        """
        walk = self.walks.walk(company_id, job_id)
        if walk is None or walk.kind is not WalkKind.UNLEARN or not walk.dry_run or not walk.finished_at:
            raise InvalidInput("job_id", "must be a dry run of this company that is over")
        return walk.parameters

    def parameters_by_settings(self, company_id: str, kind: WalkKind) -> str:
        """What a walk has to know of the company's settings.

        Raises:
            InvalidInput: the company has not set what the walk rests on.
        """
        settings = self.companies.settings(company_id).settings
        if kind is WalkKind.MIGRATE and not settings.legacy:
            raise InvalidInput("job", "needs the company's setting legacy")
        if kind is not WalkKind.EXPIRE:
            return "{}"
        if settings.expire_after_months is None:
            raise InvalidInput("job", "needs the company's setting expire_after_months")
        return json.dumps({"months": settings.expire_after_months})

    def confirm(self, company_id: str, job_id: str, code: str) -> Walk:
        """Begin a walk that waits for its code. The company is closed before any user is met.

        Raises:
            UnknownJob: the company has no such walk.
            ConfirmationRefused: another code, or too late, or too often wrong.
            Unavailable: whether it was begun is unknown; confirming again does no harm.
        """
        walk = self._walk(company_id, job_id)
        if walk.code is None:
            if walk.running:  # confirmed before, by somebody who perhaps never got so far as to send the message
                self._begin(walk)
            return walk
        if not walk.code.opens_with(_digest(code), self.clock.now()):
            if not self.walks.move(walk, walk.missed()):
                return self.confirm(company_id, job_id, code)  # somebody else guessed, too: each guess counts
            self.telemetry.warning("a walk was not confirmed", walk=walk.kind.value)
            raise ConfirmationRefused("The code is wrong, or too old.")
        started = walk.started(self.clock.now())
        if not self.walks.start(walk, started):
            return self.confirm(company_id, job_id, code)
        self._begin(started)
        return started

    def report(self, company_id: str, job_id: str, *, after: int = 0) -> Report:
        """A walk and the next pages of its report.

        Raises:
            UnknownJob: the company has no such walk.
        """
        walk = self._walk(company_id, job_id)
        found = self.walks.pages(company_id, job_id, after=after, limit=PAGES + 1)
        pages = found[:PAGES]
        goes_on = len(found) > PAGES or (walk.running and bool(pages))
        return Report(walk, pages, pages[-1].number if goes_on else None)

    def runs(self, company_id: str, job_id: str) -> bool:
        """Whether such a walk is under way."""
        walk = self.walks.walk(company_id, job_id)
        return walk is not None and walk.running

    def _walk(self, company_id: str, job_id: str) -> Walk:
        walk = self.walks.walk(company_id, job_id)
        if walk is None:
            raise UnknownJob("The company has no such job.")
        return walk

    def _begin(self, walk: Walk, after_seconds: int = 0) -> None:
        """First the entry that nothing can lose, then the bell."""
        self.agenda.note(entry_of(walk))
        self.jobs.send(WalkJob(company_id=walk.company_id, job_id=walk.job_id), delay_seconds=after_seconds)


def role_of(caller: str | None) -> str:
    """The role of a caller as reports name it: account and name, nothing that the caller chose."""
    role = Principal.behind(caller)
    return f"{role.account}/{role.role}" if role else "unknown"


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
