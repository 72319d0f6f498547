"""The routes of `account` beyond the first look: each group is built when one of it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from context_memory.bootstrap import shared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.adapters.dynamodb.fact_reads import DynamoFactReads
    from context_memory.adapters.dynamodb.user_table import DynamoUserTable
    from context_memory.adapters.s3.profile_objects import S3ProfileObjects
    from context_memory.adapters.sts import Role, UserCredentials
    from context_memory.application.account.memory import ShowMemory
    from context_memory.application.account.web import Routes
    from context_memory.application.changing.change import Change
    from context_memory.application.changing.following import Following
    from context_memory.application.facts.rewriting import RewriteFacts
    from context_memory.application.facts.user_shelf import UserShelf
    from context_memory.application.forgetting import Forgetting
    from context_memory.domain.company_settings import StoredSettings
    from context_memory.domain.ids import UserKey
    from context_memory.domain.tokens import Tokenizer
    from context_memory.ports.recall import Embedder
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.settings.account import AccountSettings
    from context_memory.settings.indexes import IndexSettings

# ruff: noqa: PLC0415 - late imports are this package's purpose

_KEPT_BACK_SECONDS = 7
"""Of a request that erases: for the start, the fence, the batch that was begun last, and the signature."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What `account` has anyway, for groups to be built from; `show_memory` reads in the read role.

    `embedder` makes vectors, where there is an endpoint.
    """

    settings: AccountSettings
    clients: AwsClients
    credentials: UserCredentials
    clock: Clock
    telemetry: Telemetry
    show_memory: ShowMemory
    embedder: Callable[[], Embedder | None]
    indexes: IndexSettings

    def table(self, role: Role) -> DynamoUserTable:
        """The user table, read in that role."""
        return shared.user_table(self.clients, self.credentials, self.settings.user_table, role)

    def fact_reads(self, role: Role) -> DynamoFactReads:
        """The facts that a user may read, read in that role."""
        from context_memory.adapters.dynamodb.fact_reads import DynamoFactReads
        from context_memory.adapters.dynamodb.table import Table

        settings = self.settings
        table = Table(
            client=self.clients.dynamodb, name=settings.user_table, credentials=self.credentials, reading_as=role
        )
        return DynamoFactReads(table, settings.company_table)

    def shelves(self, table: DynamoUserTable, role: Role, *, typed: bool = True) -> Callable[[UserKey], UserShelf]:
        """Where a user's facts stand, read in that role; `typed` as `UserShelf` has it."""
        from context_memory.adapters.s3.roster import S3Roster
        from context_memory.bootstrap.indexing import follow_users, upkeep

        clients, settings = self.clients, self.settings
        following = upkeep(clients, settings.company_table, settings.jobs_queue_url, self.clock, self.telemetry)
        return shared.user_shelves(
            shared.facts(clients, self.credentials, settings.user_table, settings.company_table, role),
            table,
            self.company,
            self.forgetting(table),
            S3Roster(client=clients.s3, bucket=settings.work_bucket, credentials=self.credentials),
            written=follow_users(self.indexes, self.embedder, following),
            unread=self.following().note_facts,
            typed=typed,
        )

    def rewrite_facts(self, table: DynamoUserTable) -> RewriteFacts:
        """What is done to all facts of a user at once."""
        from context_memory.adapters.sts import Role
        from context_memory.application.facts.rewriting import RewriteFacts

        return RewriteFacts(
            shelf=self.shelves(table, Role.WRITE),
            tokens=self.tokenizers()[0].count,
            clock=self.clock,
            telemetry=self.telemetry,
        )

    def objects(self, role: Role) -> S3ProfileObjects:
        """The profile bucket, read in that role."""
        bucket, folder = self.settings.profile_bucket, self.settings.root_folder
        return shared.profiles(self.clients, self.credentials, bucket, folder, role)

    def tokenizers(self) -> Sequence[Tokenizer]:
        """Those of the index, first the one that the cap is counted with; the vocabulary comes when one counts."""
        return shared.tokenizers(self.settings.consolidation_model)

    def company(self, company_id: str) -> StoredSettings:
        """What a company's administrators have set, as it stands now."""
        return shared.companies(self.clients, self.settings.company_table).settings(company_id)

    def following(self) -> Following:
        """Notes what must follow a change."""
        settings = self.settings
        return shared.following(
            self.clients, settings.company_table, settings.jobs_queue_url, self.clock, self.telemetry
        )

    def forgetting(self, table: DynamoUserTable) -> Forgetting:
        """What the user asked to forget."""
        from context_memory.application.forgetting import Forgetting
        from context_memory.bootstrap.keeping import let_go

        return Forgetting(
            table=table,
            hasher=shared.hasher(self.clients, self.settings.hash_secret_arn),
            let_go=let_go(
                self.clients,
                self.credentials,
                user_table=self.settings.user_table,
                work_bucket=self.settings.work_bucket,
                clock=self.clock,
                telemetry=self.telemetry,
            ),
            agenda=shared.agenda(self.clients, self.settings.company_table),
            clock=self.clock,
            telemetry=self.telemetry,
        )

    def change(self, table: DynamoUserTable, objects: S3ProfileObjects) -> Change:
        """The one way of changes that rest on no turn."""
        from context_memory.adapters.jinja_prompts import JinjaPrompts
        from context_memory.application.changing.change import Change

        tokenizers = self.tokenizers()
        return Change(
            table=table,
            objects=objects,
            company=self.company,
            prompts=JinjaPrompts(),
            tokenizers=lambda: tokenizers,
            forgetting=self.forgetting(table),
            following=self.following(),
            clock=self.clock,
            telemetry=self.telemetry,
        )


def _reading(parts: Parts) -> Routes:
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.sts import Role
    from context_memory.application.account.export import Export
    from context_memory.application.account.settings import ShowSettings
    from context_memory.application.account.turns import RecentTurns
    from context_memory.application.account.web.reading import ReadingRoutes
    from context_memory.bootstrap.keeping import kept_turns

    table, show = parts.table(Role.READ), parts.show_memory
    settings = ShowSettings(table=table, switches=show.switches, telemetry=parts.telemetry)
    export = Export(
        show_memory=show,
        show_settings=settings,
        table=table,
        objects=parts.objects(Role.READ),
        payloads=S3TurnPayloads(
            client=parts.clients.s3, bucket=parts.settings.work_bucket, credentials=parts.credentials
        ),
        facts=parts.fact_reads(Role.READ),
        kept_turns=kept_turns(parts.clients, parts.credentials, parts.settings.user_table, Role.READ),
        company=parts.company,
        clock=parts.clock,
    )
    return ReadingRoutes(recent_turns=RecentTurns(table=table), show_settings=settings, export=export).routes


def _changing(parts: Parts) -> Routes:
    from context_memory.adapters.s3.roster import S3Roster
    from context_memory.adapters.sts import Role
    from context_memory.application.account.editing import Edit, Import
    from context_memory.application.account.rules import Deny, Pin
    from context_memory.application.account.web.changing import ChangingRoutes
    from context_memory.application.changing.correcting import TakeOutCorrected
    from context_memory.application.changing.denying import TakeOutDenied

    # What changes a memory also looks at it in the write role: one set of credentials for the whole request.
    table, objects = parts.table(Role.WRITE), parts.objects(Role.WRITE)
    change = parts.change(table, objects)
    take_out = TakeOutCorrected(change=change, facts=parts.rewrite_facts(table), table=table)
    return ChangingRoutes(
        show_memory=replace(parts.show_memory, table=table, objects=objects),
        edit=Edit(change=change, take_out=take_out),
        bring=Import(change=change, take_out=take_out),
        pin=Pin(change=change, table=table, tokenizer=lambda: change.tokenizers()[0]),
        deny=Deny(
            change=change,
            take_out=TakeOutDenied(change=change, facts=parts.rewrite_facts(table)),
            table=table,
            following=change.following,
            roster=S3Roster(client=parts.clients.s3, bucket=parts.settings.work_bucket, credentials=parts.credentials),
        ),
        bring_facts=shared.fact_routes(parts.tokenizers, parts.embedder, parts.clock, parts.telemetry).bringing,
        shelf=parts.shelves(table, Role.WRITE, typed=False),
    ).routes


def _history(parts: Parts) -> Routes:
    from context_memory.adapters.sts import Role
    from context_memory.application.account.history import History
    from context_memory.application.account.web.history import HistoryRoutes

    return HistoryRoutes(history=History(table=parts.table(Role.READ), objects=parts.objects(Role.READ))).routes


def _undoing(parts: Parts) -> Routes:
    from context_memory.adapters.sts import Role
    from context_memory.application.account.web.undoing import UndoingRoutes
    from context_memory.application.changing.correcting import TakeOutCorrected
    from context_memory.application.changing.restore import Restore
    from context_memory.application.changing.unlearn import Unlearn

    table, objects = parts.table(Role.WRITE), parts.objects(Role.WRITE)
    change = parts.change(table, objects)
    facts = parts.rewrite_facts(table)
    take_out = TakeOutCorrected(change=change, facts=facts, table=table)
    restore = Restore(change=change, take_out=take_out, table=table, objects=objects)
    return UndoingRoutes(
        show_memory=replace(parts.show_memory, table=table, objects=objects),
        restore=restore,
        unlearn=Unlearn(change=change, table=table),
        facts=facts,
    ).routes


def _facts(parts: Parts) -> Routes:
    from context_memory.adapters.sts import Role

    return _fact_routes(parts, Role.READ)


def _keeping(parts: Parts) -> Routes:
    from context_memory.adapters.sts import Role

    return _fact_routes(parts, Role.WRITE)


def _fact_routes(parts: Parts, role: Role) -> Routes:
    """The routes of facts, which read in that role."""
    from context_memory.application.account.web.facts import UserFactRoutes

    routes = shared.fact_routes(parts.tokenizers, parts.embedder, parts.clock, parts.telemetry)
    return UserFactRoutes(facts=routes, shelf=parts.shelves(parts.table(role), role)).routes


def _erasing(parts: Parts) -> Routes:
    from context_memory.adapters.sts import Role
    from context_memory.application.account.settings import ShowSettings
    from context_memory.application.account.web.erasing import ErasingRoutes
    from context_memory.bootstrap.erasing import erasing

    settings = parts.settings
    built = erasing(
        settings,
        parts.clients,
        parts.credentials,
        hasher=shared.hasher(parts.clients, settings.hash_secret_arn),
        clock=parts.clock,
        telemetry=parts.telemetry,
    )
    sweep_seconds = max(settings.request_seconds - _KEPT_BACK_SECONDS, 0)
    request = built.request(request_seconds=settings.request_seconds, sweep_seconds=sweep_seconds)
    return ErasingRoutes(
        erase=request,
        show_receipt=built.show_receipt(),
        switch=built.switch(request),
        show_settings=ShowSettings(
            table=parts.table(Role.WRITE), switches=parts.show_memory.switches, telemetry=parts.telemetry
        ),
        receipts=built.receipts,
    ).routes


GROUPS: Mapping[str, Callable[[Parts], Routes]] = {
    "reading": _reading,
    "changing": _changing,
    "history": _history,
    "undoing": _undoing,
    "facts": _facts,
    "keeping": _keeping,
    "erasing": _erasing,
}
"""By name; which routes a group has stands in the handler, so that nothing is imported to know it."""
