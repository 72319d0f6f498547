"""What erases users, for `account` and for `maintain`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.adapters.sts import UserCredentials
    from context_memory.application.erase.driving import DriveErase
    from context_memory.application.erase.fencing import Fencing
    from context_memory.application.erase.replaying import ReplayErasure
    from context_memory.application.erase.requesting import RequestErase
    from context_memory.application.erase.sealing import Receipts
    from context_memory.application.erase.showing import ShowReceipt
    from context_memory.application.erase.switching import SwitchMemory
    from context_memory.application.erase.working import EraseJob
    from context_memory.ports.erasing import Ledger, Tombstones
    from context_memory.ports.news import NewsStand
    from context_memory.ports.queues import Agenda, Jobs
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.trust import Hasher

# ruff: noqa: PLC0415 - late imports are this package's purpose

_AT_ONCE = 8
"""Transactions of one batch side by side: below the ten connections that each client keeps."""


class Needed(Protocol):
    """What an erase is told of its environment, by the settings of either function."""

    @property
    def company_table(self) -> str:
        """Table of the agenda, the ledger and the links."""

    @property
    def user_table(self) -> str:
        """Table of users."""

    @property
    def profile_bucket(self) -> str:
        """Bucket of profiles."""

    @property
    def root_folder(self) -> str:
        """Folder of the legacy files."""

    @property
    def work_bucket(self) -> str:
        """Bucket of what waits, and of the roster."""

    @property
    def jobs_queue_url(self) -> str:
        """Queue of jobs."""

    @property
    def receipt_key(self) -> str:
        """Key that signs receipts."""

    @property
    def erase_settle_seconds(self) -> int:
        """Time between the sweeps."""

    @property
    def backup_days(self) -> int:
        """How long the user table can be set back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasing:
    """The parts of an erase, put together over AWS."""

    tombstones: Tombstones
    ledger: Ledger
    jobs: Jobs
    agenda: Agenda
    receipts: Receipts
    fence: Fencing
    drive: DriveErase
    clock: Clock
    telemetry: Telemetry

    def request(self, *, request_seconds: int, sweep_seconds: float) -> RequestErase:
        """Asks for erases, from within a function that ends after `request_seconds`."""
        from context_memory.application.erase.requesting import RequestErase

        return RequestErase(
            jobs=self.jobs,
            agenda=self.agenda,
            tombstones=self.tombstones,
            fence=self.fence,
            drive=self.drive,
            clock=self.clock,
            telemetry=self.telemetry,
            request_seconds=request_seconds,
            sweep_seconds=sweep_seconds,
        )

    def job(self, news: NewsStand) -> EraseJob:
        """Works off the messages of erases."""
        from context_memory.application.erase.working import EraseJob

        return EraseJob(
            jobs=self.jobs,
            agenda=self.agenda,
            tombstones=self.tombstones,
            fence=self.fence,
            drive=self.drive,
            news=news,
            clock=self.clock,
        )

    def switch(self, request: RequestErase) -> SwitchMemory:
        """Turns memory off and on."""
        from context_memory.application.erase.switching import SwitchMemory

        return SwitchMemory(tombstones=self.tombstones, erase=request)

    def show_receipt(self) -> ShowReceipt:
        """Shows the newest receipt."""
        from context_memory.application.erase.showing import ShowReceipt

        return ShowReceipt(tombstones=self.tombstones, receipts=self.receipts)

    def replay(self, request: RequestErase) -> ReplayErasure:
        """Erases again whom a restored table has brought back."""
        from context_memory.application.erase.replaying import ReplayErasure

        return ReplayErasure(
            ledger=self.ledger,
            tombstones=self.tombstones,
            erase=request,
            jobs=self.jobs,
            telemetry=self.telemetry,
        )


def erasing(
    settings: Needed,
    clients: AwsClients,
    credentials: UserCredentials,
    *,
    hasher: Hasher,
    clock: Clock,
    telemetry: Telemetry,
) -> Erasing:
    """Everything of it; `credentials` hold the write and the erase role."""
    from concurrent.futures import ThreadPoolExecutor
    from datetime import timedelta

    from context_memory.adapters.dynamodb.agenda import DynamoAgenda
    from context_memory.adapters.dynamodb.companies import DynamoCompanies
    from context_memory.adapters.dynamodb.company_table import CompanyTable
    from context_memory.adapters.dynamodb.ledger import DynamoLedger
    from context_memory.adapters.dynamodb.links_of_users import DynamoLinksOfUsers
    from context_memory.adapters.dynamodb.remains import DynamoItemRemains
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.tombstones import DynamoTombstones
    from context_memory.adapters.dynamodb.user_table import DynamoUserTable
    from context_memory.adapters.dynamodb.writes import Writes
    from context_memory.adapters.kms import KmsSigner
    from context_memory.adapters.s3.remains import S3IndexRemains, S3PayloadRemains, S3VersionRemains
    from context_memory.adapters.s3.roster import S3Roster
    from context_memory.adapters.sqs_jobs import SqsJobs
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import RandomIdentifiers
    from context_memory.application.erase.driving import DriveErase
    from context_memory.application.erase.fencing import Fencing
    from context_memory.application.erase.merged import MergesLeft
    from context_memory.application.erase.sealing import Receipts
    from context_memory.application.erase.sweeping import EraseSweep
    from context_memory.application.erase.unlinking import LinksLeft
    from context_memory.application.forgetting import Forgetting
    from context_memory.bootstrap.keeping import let_go
    from context_memory.bootstrap.merging import work_on_merge

    own, bucket = clients.own_role, settings.work_bucket
    table = Table(client=clients.dynamodb, name=settings.user_table, credentials=credentials, reading_as=Role.WRITE)
    writes = Writes(table=table)
    tombstones = DynamoTombstones(writes)
    ledger = DynamoLedger(client=clients.dynamodb, table=settings.company_table, hasher=hasher, own_role=own)
    receipts = Receipts(
        signer=KmsSigner(client=clients.kms, key=settings.receipt_key, own_role=own),
        settling=timedelta(seconds=settings.erase_settle_seconds),
        backup_days=settings.backup_days,
    )
    jobs = SqsJobs(client=clients.sqs, queue_url=settings.jobs_queue_url, own_role=own)
    agenda = DynamoAgenda(client=clients.dynamodb, table=settings.company_table, own_role=own)
    companies = DynamoCompanies(client=clients.dynamodb, table=settings.company_table, own_role=own)
    merging = work_on_merge(
        clients,
        credentials,
        user_table=settings.user_table,
        company_table=settings.company_table,
        work_bucket=bucket,
        cap=lambda company_id: companies.settings(company_id).settings.facts_cap,
        forgetting=Forgetting(
            table=DynamoUserTable(table),
            hasher=hasher,
            let_go=let_go(
                clients,
                credentials,
                user_table=settings.user_table,
                work_bucket=bucket,
                clock=clock,
                telemetry=telemetry,
            ),
            agenda=agenda,
            clock=clock,
            telemetry=telemetry,
        ),
        jobs=jobs,
        agenda=agenda,
        clock=clock,
        telemetry=telemetry,
    )
    places = (
        S3VersionRemains(
            client=clients.s3,
            bucket=settings.profile_bucket,
            root_folder=settings.root_folder,
            credentials=credentials,
        ),
        S3PayloadRemains(client=clients.s3, bucket=bucket, credentials=credentials),
        S3IndexRemains(client=clients.s3, bucket=bucket, credentials=credentials),
        DynamoItemRemains(writes, ThreadPoolExecutor(_AT_ONCE)),
        LinksLeft(DynamoLinksOfUsers(CompanyTable(client=clients.dynamodb, name=settings.company_table, own_role=own))),
        MergesLeft(merging),
    )
    return Erasing(
        tombstones=tombstones,
        ledger=ledger,
        jobs=jobs,
        agenda=agenda,
        receipts=receipts,
        fence=Fencing(
            tombstones=tombstones,
            ledger=ledger,
            clock=clock,
            identifiers=RandomIdentifiers(),
            telemetry=telemetry,
        ),
        drive=DriveErase(
            sweep=EraseSweep(places=places, tombstones=tombstones, clock=clock),
            receipts=receipts,
            roster=S3Roster(client=clients.s3, bucket=bucket, credentials=credentials),
            tombstones=tombstones,
            clock=clock,
            telemetry=telemetry,
        ),
        clock=clock,
        telemetry=telemetry,
    )
