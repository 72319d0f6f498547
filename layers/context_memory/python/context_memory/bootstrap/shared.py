"""What several functions are built from: clients, credentials, stores."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mypy_boto3_appconfigdata import AppConfigDataClient

    from context_memory.adapters.appconfig_flags import AppConfigFlags
    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.adapters.company_switches import CompanySwitches
    from context_memory.adapters.dynamodb.agenda import DynamoAgenda
    from context_memory.adapters.dynamodb.companies import DynamoCompanies
    from context_memory.adapters.dynamodb.facts import DynamoFacts
    from context_memory.adapters.dynamodb.spaces import DynamoSpaces
    from context_memory.adapters.dynamodb.user_table import DynamoUserTable
    from context_memory.adapters.s3.profile_objects import S3ProfileObjects
    from context_memory.adapters.secrets import LateSecret
    from context_memory.adapters.sqs import SqsDoorbells
    from context_memory.adapters.sts import Role, UserCredentials
    from context_memory.application.changing.following import Following
    from context_memory.application.facts.user_shelf import UserShelf
    from context_memory.application.facts.web import FactRoutes
    from context_memory.application.forgetting import Forgetting
    from context_memory.application.indexing.upkeep import FollowUsers
    from context_memory.application.ladder import Ladder
    from context_memory.application.locks import Locks
    from context_memory.contracts.http import Request
    from context_memory.domain.callers import CompanyLock
    from context_memory.domain.claims import Trust
    from context_memory.domain.company_settings import StoredSettings
    from context_memory.domain.ids import UserKey
    from context_memory.domain.state import ProfilePointer
    from context_memory.domain.tokens import Tokenizer
    from context_memory.ports.companies import Budgets
    from context_memory.ports.objects import Roster
    from context_memory.ports.recall import Embedder
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.trust import Hasher
    from context_memory.settings.budget import BudgetSettings
    from context_memory.settings.company_wide import CompanyWideSettings
    from context_memory.settings.embedding import EmbeddingSettings

# ruff: noqa: PLC0415 - late imports are this package's purpose

ENCODINGS = ("o200k_base", "cl100k_base")
"""Encodings that the index counts in."""


@contextmanager
def without_collections() -> Iterator[None]:
    """Collect no garbage while a function starts: what is imported and built stays, and would only be walked through.

    What is there at the end is left out of later collections, too.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def clients() -> AwsClients:
    """Clients of AWS, each built when first used."""
    from context_memory.adapters.aws_clients import AwsClients

    return AwsClients()


def clients_where_somebody_waits() -> AwsClients:
    """The same with less patience, for functions that answer a request."""
    from context_memory.adapters.aws_clients import WHERE_SOMEBODY_WAITS, AwsClients

    return AwsClients(patience=WHERE_SOMEBODY_WAITS)


def credentials(clients: AwsClients, roles: Mapping[Role, str]) -> UserCredentials:
    """Credentials of users, in the roles that the function may assume."""
    from context_memory.adapters.sts import UserCredentials

    return UserCredentials(sts=clients.sts, role_arns=roles, own_role=clients.own_role)


def secret(clients: AwsClients, secret_arn: str) -> LateSecret:
    """A secret, fetched when first asked for."""
    from context_memory.adapters.secrets import LateSecret

    return LateSecret(client=clients.secrets, secret_id=secret_arn, own_role=clients.own_role)


def hasher(clients: AwsClients, hash_secret_arn: str) -> Hasher:
    """Makes hashes that must be right; the one of log lines would rather go without the key than wait for it."""
    from context_memory.adapters.secrets import KeyedHasher

    return KeyedHasher(secret(clients, hash_secret_arn))


def flags(clients: AwsClients, settings: CompanyWideSettings, telemetry: Telemetry) -> AppConfigFlags:
    """The operator's switches, not asked for yet; the client is built now, while the function starts."""
    client = clients.flags
    return _flags(lambda: client, clients, settings, telemetry)


def flags_ahead(clients: AwsClients, settings: CompanyWideSettings, telemetry: Telemetry) -> AppConfigFlags:
    """As `flags`, asked for beside the rest of the start, by a thread that also builds the client."""
    reader = _flags(lambda: clients.flags, clients, settings, telemetry)
    reader.prefetch()
    return reader


def _flags(
    client: Callable[[], AppConfigDataClient],
    clients: AwsClients,
    settings: CompanyWideSettings,
    telemetry: Telemetry,
) -> AppConfigFlags:
    from context_memory.adapters.appconfig_flags import AppConfigFlags

    return AppConfigFlags(
        client=client,
        configuration=settings.flags_configuration,
        own_role=clients.own_role,
        telemetry=telemetry,
        fresh_seconds=settings.flags_seconds,
        stale_seconds=settings.flags_stale_seconds,
    )


def companies(clients: AwsClients, table: str) -> DynamoCompanies:
    """The company table."""
    from context_memory.adapters.dynamodb.companies import DynamoCompanies

    return DynamoCompanies(client=clients.dynamodb, table=table, own_role=clients.own_role)


def spaces(clients: AwsClients, table: str) -> DynamoSpaces:
    """What is registered about spaces, in the company table."""
    from context_memory.adapters.dynamodb.spaces import DynamoSpaces
    from context_memory.adapters.system import SystemClock

    return DynamoSpaces(client=clients.dynamodb, table=table, own_role=clients.own_role, now=SystemClock().now)


def agenda(clients: AwsClients, table: str) -> DynamoAgenda:
    """What must be looked at one day, in the company table."""
    from context_memory.adapters.dynamodb.agenda import DynamoAgenda

    return DynamoAgenda(client=clients.dynamodb, table=table, own_role=clients.own_role)


def switches(clients: AwsClients, settings: CompanyWideSettings, flags: AppConfigFlags) -> CompanySwitches:
    """Flags, settings of companies, and their spaces together."""
    from context_memory.adapters.company_switches import CompanySwitches
    from context_memory.adapters.kept import Ages

    return CompanySwitches(
        flags=flags,
        companies=companies(clients, settings.company_table),
        spaces=spaces(clients, settings.company_table),
        ages=Ages(fresh_seconds=settings.flags_seconds, stale_seconds=settings.flags_stale_seconds),
    )


def user_table(clients: AwsClients, credentials: UserCredentials, name: str, reading_as: Role) -> DynamoUserTable:
    """The user table, read in the role `reading_as`."""
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.user_table import DynamoUserTable

    table = Table(client=clients.dynamodb, name=name, credentials=credentials, reading_as=reading_as)
    return DynamoUserTable(table)


def facts(
    clients: AwsClients, credentials: UserCredentials, name: str, company_table: str, reading_as: Role
) -> DynamoFacts:
    """Users' facts, read in the role `reading_as`, and those that are shared with them."""
    from context_memory.adapters.dynamodb.facts import DynamoFacts
    from context_memory.adapters.dynamodb.table import Table
    from context_memory.adapters.dynamodb.writes import Writes

    table = Table(client=clients.dynamodb, name=name, credentials=credentials, reading_as=reading_as)
    return DynamoFacts(Writes(table=table), company_table)


def user_shelves(
    store: DynamoFacts,
    table: DynamoUserTable,
    companies: Callable[[str], StoredSettings],
    forgetting: Forgetting,
    roster: Roster,
    *,
    written: FollowUsers,
    unread: Callable[[UserKey], object],
    typed: bool,
) -> Callable[[UserKey], UserShelf]:
    """Where a user's facts stand; `written`, `unread` and `typed` as `UserShelf` has them."""
    from functools import partial

    from context_memory.adapters.jinja_prompts import JinjaPrompts
    from context_memory.application.facts.user_shelf import UserShelf

    shelf = partial(
        UserShelf,
        store=store,
        table=table,
        company=companies,
        forgetting=forgetting,
        roster=roster,
        own_sentences=JinjaPrompts().sentences,
        written=written,
        unread=unread,
        typed=typed,
    )
    return lambda user: shelf(user=user)


def fact_routes(
    tokenizers: Callable[[], Sequence[Tokenizer]],
    embedder: Callable[[], Embedder | None],
    clock: Clock,
    telemetry: Telemetry,
) -> FactRoutes:
    """What people can do with facts; vocabulary and endpoint come when they are first needed."""
    from context_memory.application.facts.bringing import Bringing
    from context_memory.application.facts.keeping import Keeping
    from context_memory.application.facts.parting import Parting
    from context_memory.application.facts.vectors import Vectors
    from context_memory.application.facts.web import FactRoutes

    def tokens(text: str) -> int:
        return tokenizers()[0].count(text)

    vectors = Vectors(embedder=embedder, telemetry=telemetry)
    return FactRoutes(
        keeping=Keeping(tokens=tokens, vectors=vectors, clock=clock, telemetry=telemetry),
        bringing=Bringing(tokens=tokens, vectors=vectors, clock=clock, telemetry=telemetry),
        parting=Parting(vectors=vectors, clock=clock, telemetry=telemetry),
        clock=clock,
    )


def profiles(
    clients: AwsClients, credentials: UserCredentials, bucket: str, root_folder: str, reading_as: Role
) -> S3ProfileObjects:
    """The profile bucket, read in the role `reading_as`."""
    from context_memory.adapters.s3.profile_objects import S3ProfileObjects

    return S3ProfileObjects(
        client=clients.s3, bucket=bucket, root_folder=root_folder, credentials=credentials, reading_as=reading_as
    )


def doorbells(clients: AwsClients, queue_url: str, dead_letter_queue_url: str | None = None) -> SqsDoorbells:
    """A queue of doorbells, and the one of its dead letters for whoever answers it."""
    from context_memory.adapters.sqs import SqsDoorbells

    return SqsDoorbells(
        client=clients.sqs,
        queue_url=queue_url,
        dead_letter_queue_url=dead_letter_queue_url,
        own_role=clients.own_role,
    )


def locks(companies: Mapping[str, CompanyLock], trust: Trust | None) -> Locks:
    """The locks of companies; what reads users' tokens is imported only where one of them asks for tokens.

    Raises:
        SettingsError: a company asks for tokens, and nobody is named who signs them.
    """
    from context_memory.application.locks import Locks, TokenReader

    if not any(lock.require_user_token for lock in companies.values()):
        return Locks(companies)
    if trust is None:
        from context_memory.settings.reading import SettingsError

        raise SettingsError("The environment variable OIDC must be set where a company requires users' tokens.")
    from context_memory.adapters.issuer_keys import IssuerKeys
    from context_memory.adapters.signed_tokens import SignedTokens

    return Locks(companies, TokenReader(SignedTokens(issuer=trust.issuer, keys=IssuerKeys(trust.issuer)), trust))


def linked(clients: AwsClients, table: str, locks: Locks) -> Callable[[Request], Request]:
    """Puts the user into a path that names a provider; what that takes is imported when such a path first comes."""

    def name(request: Request) -> Request:
        from context_memory.adapters.dynamodb.company_table import CompanyTable
        from context_memory.adapters.dynamodb.links import DynamoLinkReads
        from context_memory.application.links.naming import NameLinkedUser

        reads = DynamoLinkReads(CompanyTable(client=clients.dynamodb, name=table, own_role=clients.own_role))
        return NameLinkedUser(reads, locks)(request)

    return name


def pins(companies: Mapping[str, CompanyLock]) -> Locks:
    """The locks upon callers alone: whoever administers has no token of the user's to show."""
    from dataclasses import replace

    from context_memory.application.locks import Locks

    return Locks({name: replace(lock, require_user_token=False) for name, lock in companies.items()})


def following(
    clients: AwsClients, company_table: str, jobs_queue_url: str, clock: Clock, telemetry: Telemetry
) -> Following:
    """Notes what must follow a change."""
    from context_memory.adapters.sqs_jobs import SqsJobs
    from context_memory.application.changing.following import Following

    return Following(
        agenda=agenda(clients, company_table),
        jobs=SqsJobs(client=clients.sqs, queue_url=jobs_queue_url, own_role=clients.own_role),
        clock=clock,
        telemetry=telemetry,
    )


def budgets(clients: AwsClients, table: str, clock: Clock) -> Budgets:
    """What companies have spent, read at most every few seconds."""
    from context_memory.adapters.cached_budgets import CachedBudgets
    from context_memory.adapters.dynamodb.budgets import DynamoBudgets

    return CachedBudgets(DynamoBudgets(client=clients.dynamodb, table=table, own_role=clients.own_role), clock)


def ladder(budgets: Budgets, settings: BudgetSettings, clock: Clock, telemetry: Telemetry) -> Ladder:
    """The ladder of the environment's daily budget."""
    from context_memory.application.ladder import Ladder
    from context_memory.domain.spending import DailyBudget

    budget = DailyBudget(daily_tokens=settings.daily_tokens, saving_share=settings.saving_share)
    return Ladder(budgets=budgets, budget=budget, clock=clock, telemetry=telemetry)


def embedder(clients: AwsClients, settings: EmbeddingSettings, clock: Clock) -> Embedder | None:
    """The endpoint of embeddings, None where the environment has no model for them."""
    if not settings.embedding_model:
        return None
    from context_memory.adapters.http_embedder import HttpEmbedder
    from context_memory.adapters.spared_embedder import SparedEmbedder

    asked = HttpEmbedder(
        model=settings.model,
        base_url=settings.embedding_base_url,
        api_key=secret(clients, settings.embedding_key_secret_arn),
        clock=clock,
    )
    return SparedEmbedder(asked, clock=clock)


def tokenizers(model: str) -> Sequence[Tokenizer]:
    """One for each encoding of the index; first the one that the cap of `model` is counted with."""
    from context_memory.adapters.tiktoken_tokenizer import TiktokenTokenizer
    from context_memory.domain.encodings import encoding_for

    own = encoding_for(model)
    return [TiktokenTokenizer(name) for name in sorted(ENCODINGS, key=lambda name: name != own)]


def legacy(body: bytes, user: UserKey) -> tuple[ProfilePointer, bytes] | None:
    """Read a file at the legacy place, with the imports that takes."""
    from context_memory.application.legacy import as_committed

    return as_committed(body, user, tokenizers(""))
