"""Every port that stores or rings, in two makes: the in-memory twins, and the AWS adapters before moto.

`Stores` adds what tests need and no port has: writing settings, losing a turn, reading what was rung or sent (which
stays hidden as with anybody who receives it).
"""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import botocore.session
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key
from moto.core.models import botocore_stubber

from context_memory.adapters.aws_clients import AwsClients
from context_memory.adapters.dynamodb.agenda import DynamoAgenda
from context_memory.adapters.dynamodb.attributes import spelled_all, stamp
from context_memory.adapters.dynamodb.budgets import DynamoBudgets
from context_memory.adapters.dynamodb.companies import DynamoCompanies
from context_memory.adapters.dynamodb.company_table import CompanyTable
from context_memory.adapters.dynamodb.fact_moves import DynamoFactMoves
from context_memory.adapters.dynamodb.facts import DynamoFacts
from context_memory.adapters.dynamodb.kept_turns import DynamoKeptTurns
from context_memory.adapters.dynamodb.ledger import DynamoLedger
from context_memory.adapters.dynamodb.links import DynamoLinks
from context_memory.adapters.dynamodb.links_of_users import DynamoLinksOfUsers
from context_memory.adapters.dynamodb.merges import DynamoMerges
from context_memory.adapters.dynamodb.prompt_memories import DynamoPromptMemories
from context_memory.adapters.dynamodb.remains import DynamoItemRemains
from context_memory.adapters.dynamodb.shared_facts import DynamoSharedFacts
from context_memory.adapters.dynamodb.spaces import DynamoSpaces
from context_memory.adapters.dynamodb.table import Table
from context_memory.adapters.dynamodb.tombstones import DynamoTombstones
from context_memory.adapters.dynamodb.user_table import DynamoUserTable
from context_memory.adapters.dynamodb.walks import DynamoWalks
from context_memory.adapters.dynamodb.writes import Writes
from context_memory.adapters.eventbridge import EventBridgeNews
from context_memory.adapters.in_memory.system import ManualClock
from context_memory.adapters.kms import KmsSigner
from context_memory.adapters.s3.directory import S3Directory
from context_memory.adapters.s3.profile_objects import S3ProfileObjects
from context_memory.adapters.s3.remains import S3PayloadRemains, S3VersionRemains
from context_memory.adapters.s3.roster import S3Roster
from context_memory.adapters.s3.turn_payloads import KEPT, S3TurnPayloads
from context_memory.adapters.secrets import KeyedHasher
from context_memory.adapters.sqs import SqsDoorbells
from context_memory.adapters.sqs_jobs import SqsJobs
from context_memory.adapters.sts import Role, UserCredentials
from context_memory.adapters.system import SystemClock
from context_memory.contracts.messages import parse_queued
from context_memory.contracts.news import SOURCE, detail_of
from context_memory.domain.ids import UserKey, encode
from tests.support.moto_backups import one_backup

if TYPE_CHECKING:
    from collections.abc import Callable

    from botocore.awsrequest import AWSPreparedRequest, AWSResponse

    from context_memory.adapters.in_memory.world import InMemoryWorld
    from context_memory.domain.jobs import Job
    from context_memory.domain.state import UserSettings
    from context_memory.ports.companies import Budgets, Companies, Spaces
    from context_memory.ports.erasing import Ledger, Remains, Tombstones
    from context_memory.ports.facts import FactStore, SharedFacts
    from context_memory.ports.keeping import KeptTurns
    from context_memory.ports.links import Links, LinksOfUsers, Merges
    from context_memory.ports.moving import FactMoves
    from context_memory.ports.news import NewsStand
    from context_memory.ports.objects import Directory, ProfileObjects, Roster, TurnPayloads
    from context_memory.ports.queues import Agenda, Doorbells, JobQueue
    from context_memory.ports.recall import PromptMemories
    from context_memory.ports.trust import Signer
    from context_memory.ports.users import UserTable
    from context_memory.ports.walks import Walks

REGION = "eu-central-1"
PROFILE_BUCKET = "profiles"
WORK_BUCKET = "work"
USER_TABLE = "users"
COMPANY_TABLE = "companies"
RECEIPT_KEY = "alias/receipts"
EVENT_BUS = "news"
ROOT_FOLDER = "user-memory"
ROLES = {role: f"arn:aws:iam::123456789012:role/{role.value}" for role in Role}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """The ports, and a test's own hands."""

    profiles: ProfileObjects
    payloads: TurnPayloads
    texts: TurnPayloads
    kept_turns: KeptTurns
    table: UserTable
    doorbells: Doorbells
    jobs: JobQueue
    agenda: Agenda
    walks: Walks
    directory: Directory
    roster: Roster
    budgets: Budgets
    companies: Companies
    tombstones: Tombstones
    versions_left: Remains
    payloads_left: Remains
    items_left: Remains
    ledger: Ledger
    signer: Signer
    public_key: Callable[[], bytes]
    news: NewsStand
    spaces: Spaces
    moves: FactMoves
    links: Links
    links_of_users: LinksOfUsers
    merges: Merges
    facts: FactStore
    shared_facts: SharedFacts
    prompts: PromptMemories
    pass_time: Callable[[float], None]
    """Seconds, on the clock of prompts and of shared facts."""
    write_settings: Callable[[UserKey, UserSettings], None]
    lose_turn: Callable[[UserKey, str], None]
    write_legacy: Callable[[UserKey, bytes], None]
    legacy_versions: Callable[[UserKey], int]
    """How many versions of the file at the legacy place there are, delete markers included."""
    rung: Callable[[], list[tuple[UserKey, str]]]
    dead: Callable[[], list[tuple[UserKey, str, str]]]
    heard: Callable[[], list[tuple[str, dict[str, object]]]]
    """Detail type and detail of every event that a listener has got."""
    sent: Callable[[], list[tuple[Job, str]]]


def in_memory_stores(world: InMemoryWorld) -> Stores:
    """The twins of one world."""

    def rung() -> list[tuple[UserKey, str]]:
        found = []
        while delivery := world.doorbells.receive():
            found.append((delivery.doorbell.user, delivery.doorbell.kind))
            world.doorbells.acknowledge(delivery.receipt)
        return found

    def sent() -> list[tuple[Job, str]]:
        found = []
        while delivery := world.jobs.receive():
            found.append((delivery.job, delivery.receipt))
        return found

    return Stores(
        profiles=world.profiles,
        payloads=world.payloads,
        texts=world.texts,
        kept_turns=world.kept_turns,
        table=world.table,
        doorbells=world.doorbells,
        jobs=world.jobs,
        agenda=world.agenda,
        walks=world.walks,
        directory=world.directory,
        roster=world.roster,
        budgets=world.budgets,
        companies=world.companies,
        spaces=world.spaces,
        moves=world.moves,
        links=world.links,
        links_of_users=world.links,
        merges=world.merges,
        facts=world.facts,
        shared_facts=world.shared_facts,
        prompts=world.prompts,
        pass_time=world.clock.advance,
        tombstones=world.tombstones,
        versions_left=world.remains[0],
        payloads_left=world.remains[1],
        items_left=world.remains[2],
        ledger=world.ledger,
        signer=world.signer,
        public_key=lambda: world.signer.public_key,
        write_settings=world.table.write_settings,
        lose_turn=world.table.lose_turn,
        write_legacy=world.profiles.legacy_files.__setitem__,
        legacy_versions=lambda user: int(user in world.profiles.legacy_files),
        rung=rung,
        dead=lambda: list(world.doorbells.dead),
        news=world.news,
        heard=lambda: [(news.kind.value, detail_of(news)) for news in world.news.published],
        sent=sent,
    )


class Wire:
    """Lies between the clients and moto: answers one request at a time, and remembers who signed which.

    moto's tables and buckets are no match for threads; the services they stand for are. Requests of racing threads
    still interleave, each as a whole.
    """

    def __init__(self) -> None:
        self.signed: list[tuple[str, str]] = []
        self._lock = threading.Lock()

    def __call__(self, event_name: str, request: AWSPreparedRequest, **kwargs: Any) -> AWSResponse | None:  # noqa: ANN401 - botocore's event arguments
        """Handle botocore's `before-send`."""
        authorization = request.headers.get("Authorization", b"")
        text = authorization.decode() if isinstance(authorization, bytes) else str(authorization)
        access_key, _, scope = text.partition("Credential=")[2].partition("/")
        with self._lock, one_backup():
            self.signed.append((scope.split("/")[2] if scope else "", access_key))
            return botocore_stubber(event_name, request, **kwargs)


class MockedAws:
    """AWS clients before moto, with the queues, buckets and table that the adapters expect."""

    def __init__(self) -> None:
        self.wire = Wire()
        session = botocore.session.Session()
        events = session.get_component("event_emitter")
        events.unregister("before-send", botocore_stubber)  # moto's own handler, which the wire calls instead
        events.register("before-send", self.wire)
        self.clients = AwsClients(region=REGION, session=session)
        self._executor = ThreadPoolExecutor(max_workers=2)

    def credentials(self) -> UserCredentials:
        """Credentials of users, none of them fetched yet."""
        return UserCredentials(sts=self.clients.sts, role_arns=ROLES, own_role=self.clients.own_role)

    def deploy(self) -> Stores:
        """Create what stores and rings, and the adapters over it."""
        clients, credentials = self.clients, self.credentials()
        place: Any = {"LocationConstraint": REGION}
        with clients.own_role():
            for bucket in (PROFILE_BUCKET, WORK_BUCKET):
                clients.s3.create_bucket(Bucket=bucket, CreateBucketConfiguration=place)
            clients.s3.put_bucket_versioning(Bucket=PROFILE_BUCKET, VersioningConfiguration={"Status": "Enabled"})
            for name in (USER_TABLE, COMPANY_TABLE):
                clients.dynamodb.create_table(
                    TableName=name,
                    KeySchema=[
                        {"AttributeName": "pk", "KeyType": "HASH"},
                        {"AttributeName": "sk", "KeyType": "RANGE"},
                    ],
                    AttributeDefinitions=[
                        {"AttributeName": "pk", "AttributeType": "S"},
                        {"AttributeName": "sk", "AttributeType": "S"},
                    ],
                    BillingMode="PAY_PER_REQUEST",
                )
            queue_url, dead_letter_queue_url = (
                clients.sqs.create_queue(QueueName=name, Attributes={"FifoQueue": "true"})["QueueUrl"]
                for name in ("turns.fifo", "dead.fifo")
            )
            listener_url = self._listen()
            jobs_queue_url = clients.sqs.create_queue(QueueName="jobs")["QueueUrl"]
            made = clients.kms.create_key(KeySpec="ECC_NIST_P256", KeyUsage="SIGN_VERIFY")["KeyMetadata"]
            clients.kms.create_alias(AliasName=RECEIPT_KEY, TargetKeyId=made["KeyId"])
        own = clients.own_role
        table = Table(client=clients.dynamodb, name=USER_TABLE, credentials=credentials, reading_as=Role.WRITE)
        writes = Writes(table=table, pause=lambda _seconds: None)
        clock = ManualClock()
        company_table = CompanyTable(
            client=clients.dynamodb, name=COMPANY_TABLE, own_role=own, pause=lambda _seconds: None
        )
        return Stores(
            profiles=S3ProfileObjects(
                client=clients.s3, bucket=PROFILE_BUCKET, root_folder=ROOT_FOLDER, credentials=credentials
            ),
            payloads=S3TurnPayloads(client=clients.s3, bucket=WORK_BUCKET, credentials=credentials),
            texts=S3TurnPayloads(client=clients.s3, bucket=WORK_BUCKET, credentials=credentials, folder=KEPT),
            kept_turns=DynamoKeptTurns(writes),
            table=DynamoUserTable(table, pause=lambda _seconds: None),
            doorbells=SqsDoorbells(
                client=clients.sqs, queue_url=queue_url, dead_letter_queue_url=dead_letter_queue_url, own_role=own
            ),
            jobs=SqsJobs(client=clients.sqs, queue_url=jobs_queue_url, own_role=own),
            agenda=DynamoAgenda(client=clients.dynamodb, table=COMPANY_TABLE, own_role=own),
            walks=DynamoWalks(client=clients.dynamodb, table=COMPANY_TABLE, own_role=own),
            roster=S3Roster(client=clients.s3, bucket=WORK_BUCKET, credentials=credentials),
            directory=S3Directory(
                client=clients.s3,
                bucket=WORK_BUCKET,
                profile_bucket=PROFILE_BUCKET,
                root_folder=ROOT_FOLDER,
                credentials=credentials,
                own_role=own,
            ),
            tombstones=DynamoTombstones(writes),
            versions_left=S3VersionRemains(
                client=clients.s3, bucket=PROFILE_BUCKET, root_folder=ROOT_FOLDER, credentials=credentials
            ),
            payloads_left=S3PayloadRemains(client=clients.s3, bucket=WORK_BUCKET, credentials=credentials),
            items_left=DynamoItemRemains(writes, self._executor),
            ledger=DynamoLedger(
                client=clients.dynamodb, table=COMPANY_TABLE, hasher=KeyedHasher(lambda: "secret"), own_role=own
            ),
            signer=KmsSigner(client=clients.kms, key=RECEIPT_KEY, own_role=own),
            public_key=self._public_key,
            companies=DynamoCompanies(client=clients.dynamodb, table=COMPANY_TABLE, own_role=own),
            news=EventBridgeNews(client=clients.events, bus=EVENT_BUS, own_role=own, pause=lambda _seconds: None),
            spaces=DynamoSpaces(client=clients.dynamodb, table=COMPANY_TABLE, own_role=own, now=SystemClock().now),
            moves=DynamoFactMoves(writes),
            links=DynamoLinks(company_table),
            links_of_users=DynamoLinksOfUsers(company_table),
            merges=DynamoMerges(company_table),
            facts=DynamoFacts(writes, COMPANY_TABLE),
            shared_facts=DynamoSharedFacts(company_table, clock.now),
            prompts=DynamoPromptMemories(writes, clock.now),
            pass_time=clock.advance,
            budgets=DynamoBudgets(client=clients.dynamodb, table=COMPANY_TABLE, own_role=own),
            write_settings=self._write_settings,
            lose_turn=self._lose_turn,
            write_legacy=self._write_legacy,
            legacy_versions=self._legacy_versions,
            rung=lambda: [(_user(message), message["kind"]) for message in self._drain(queue_url)],
            dead=lambda: [
                (_user(message), message["turn_id"], message["reason"])
                for message in self._drain(dead_letter_queue_url)
            ],
            heard=lambda: [(event["detail-type"], event["detail"]) for event in self._drain(listener_url)],
            sent=lambda: self._received(jobs_queue_url),
        )

    def _listen(self) -> str:
        """A bus with a listener: the URL of a queue that gets what our source puts on it."""
        clients = self.clients
        clients.events.create_event_bus(Name=EVENT_BUS)
        url = clients.sqs.create_queue(QueueName="listener")["QueueUrl"]
        clients.events.put_rule(Name="ours", EventBusName=EVENT_BUS, EventPattern=json.dumps({"source": [SOURCE]}))
        arn = f"arn:aws:sqs:{REGION}:123456789012:listener"
        clients.events.put_targets(Rule="ours", EventBusName=EVENT_BUS, Targets=[{"Id": "listener", "Arn": arn}])
        return url

    def items(self, user: UserKey) -> dict[str, dict[str, Any]]:
        """A user's raw items by sort key."""
        with self.clients.own_role():
            found = self.clients.dynamodb.query(
                TableName=USER_TABLE,
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues={":pk": {"S": user.partition}},
            )["Items"]
        return {item["sk"]["S"]: dict(item) for item in found}

    def _public_key(self) -> bytes:
        with self.clients.own_role():
            der = self.clients.kms.get_public_key(KeyId=RECEIPT_KEY)["PublicKey"]
        return load_der_public_key(der).public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def _write_settings(self, user: UserKey, settings: UserSettings) -> None:
        item: dict[str, Any] = {
            "pk": user.partition,
            "sk": "A#SETTINGS",
            "epoch": settings.epoch,
            "context_memory": settings.context_memory,
            "pins": sorted(settings.pins),
            "deny_phrases": list(settings.deny_phrases),
            "deny_kinds": sorted(settings.deny_kinds),
        }
        if settings.erased_at:
            item["erased_at"] = stamp(settings.erased_at)
        if settings.erase_running:
            item["erase_state"] = "running"
        with self.clients.own_role():
            self.clients.dynamodb.put_item(TableName=USER_TABLE, Item=spelled_all(item))

    def _lose_turn(self, user: UserKey, turn_id: str) -> None:
        turn_key = f"TURN#{encode(turn_id)}"
        open_key = f"A#OPEN#{self.items(user)[turn_key]['open_key']['S']}"
        with self.clients.own_role():
            for sort_key in (turn_key, open_key):
                key = spelled_all({"pk": user.partition, "sk": sort_key})
                self.clients.dynamodb.delete_item(TableName=USER_TABLE, Key=key)

    def _write_legacy(self, user: UserKey, body: bytes) -> None:
        with self.clients.own_role():
            self.clients.s3.put_object(Bucket=PROFILE_BUCKET, Key=_legacy_key(user), Body=body)

    def _legacy_versions(self, user: UserKey) -> int:
        key = _legacy_key(user)
        with self.clients.own_role():
            listed = self.clients.s3.list_object_versions(Bucket=PROFILE_BUCKET, Prefix=key)
        entries = [*listed.get("Versions", ()), *listed.get("DeleteMarkers", ())]
        return sum(entry["Key"] == key for entry in entries)

    def _received(self, queue_url: str) -> list[tuple[Job, str]]:
        """What is visible, and the receipts under which it is hidden now."""
        found: list[tuple[Job, str]] = []
        with self.clients.own_role():
            while messages := self.clients.sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get(
                "Messages"
            ):
                found += [(parse_queued(one["Body"]), one["ReceiptHandle"]) for one in messages]
        return found

    def _drain(self, queue_url: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        with self.clients.own_role():
            while messages := self.clients.sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get(
                "Messages"
            ):
                for message in messages:
                    found.append(json.loads(message["Body"]))
                    self.clients.sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        return found


def _legacy_key(user: UserKey) -> str:
    return f"{user.company_id}/{ROOT_FOLDER}/{user.encoded}/memory.md"


def _user(message: dict[str, str]) -> UserKey:
    return UserKey(message["company_id"], message["user_id"])


def at(minute: int) -> datetime:
    """A minute of one morning."""
    return datetime(2026, 3, 2, 9, minute, 0, 123456, tzinfo=UTC)
