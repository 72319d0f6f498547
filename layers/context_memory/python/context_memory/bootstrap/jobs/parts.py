"""What `maintain` builds its workers from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.adapters.appconfig_flags import AppConfigFlags
    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.adapters.company_switches import CompanySwitches
    from context_memory.adapters.dynamodb.agenda import DynamoAgenda
    from context_memory.adapters.dynamodb.companies import DynamoCompanies
    from context_memory.adapters.dynamodb.facts import DynamoFacts
    from context_memory.adapters.dynamodb.kept_turns import DynamoKeptTurns
    from context_memory.adapters.dynamodb.user_table import DynamoUserTable
    from context_memory.adapters.dynamodb.walks import DynamoWalks
    from context_memory.adapters.s3.directory import S3Directory
    from context_memory.adapters.s3.profile_objects import S3ProfileObjects
    from context_memory.adapters.s3.roster import S3Roster
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.sqs import SqsDoorbells
    from context_memory.adapters.sqs_jobs import SqsJobs
    from context_memory.adapters.sts import UserCredentials
    from context_memory.application.changing.change import Change
    from context_memory.application.changing.following import Following
    from context_memory.application.commit.sweeping import Sweep
    from context_memory.application.facts.rewriting import RewriteFacts
    from context_memory.application.facts.user_shelf import UserShelf
    from context_memory.application.forgetting import Forgetting
    from context_memory.application.kept.letting_go import LetGo
    from context_memory.bootstrap.erasing import Erasing
    from context_memory.domain.ids import UserKey
    from context_memory.domain.limits import ChainLimits
    from context_memory.ports.companies import Budgets
    from context_memory.ports.recall import Embedder
    from context_memory.ports.system import Clock
    from context_memory.ports.telemetry import Telemetry
    from context_memory.ports.trust import Hasher
    from context_memory.settings.embedding import EmbeddingSettings
    from context_memory.settings.indexes import IndexSettings
    from context_memory.settings.maintain import MaintainSettings

# ruff: noqa: PLC0415 - late imports are this package's purpose

AT_ONCE = 8
"""Users side by side: below the ten connections that each client keeps; enough to keep one processor busy."""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What `maintain` has anyway, for workers to be built from. Stores are read in the write role."""

    settings: MaintainSettings
    embedding: EmbeddingSettings
    indexes: IndexSettings
    clients: AwsClients
    credentials: UserCredentials
    telemetry: Telemetry
    clock: Clock
    table: DynamoUserTable
    objects: S3ProfileObjects
    payloads: S3TurnPayloads
    texts: S3TurnPayloads
    kept_turns: DynamoKeptTurns
    roster: S3Roster
    directory: S3Directory
    flags: AppConfigFlags
    companies: DynamoCompanies
    switches: CompanySwitches
    budgets: Budgets
    doorbells: SqsDoorbells
    facts_doorbells: SqsDoorbells
    jobs: SqsJobs
    agenda: DynamoAgenda
    walks: DynamoWalks
    hasher: Hasher
    limits: ChainLimits

    def facts(self) -> DynamoFacts:
        """Users' facts, and the turns that they are still to be extracted from."""
        from context_memory.adapters.sts import Role
        from context_memory.bootstrap import shared

        settings = self.settings
        return shared.facts(self.clients, self.credentials, settings.user_table, settings.company_table, Role.WRITE)

    def change(self) -> Change:
        """The one way of changes that rest on no turn."""
        from context_memory.adapters.jinja_prompts import JinjaPrompts
        from context_memory.application.changing.change import Change
        from context_memory.bootstrap import shared

        tokenizers = shared.tokenizers(self.settings.consolidation_model)
        return Change(
            table=self.table,
            objects=self.objects,
            company=self.companies.settings,
            prompts=JinjaPrompts(),
            tokenizers=lambda: tokenizers,
            forgetting=self.forgetting(),
            following=self.following(),
            clock=self.clock,
            telemetry=self.telemetry,
        )

    def following(self) -> Following:
        """Notes what must follow a change."""
        from context_memory.application.changing.following import Following

        return Following(agenda=self.agenda, jobs=self.jobs, clock=self.clock, telemetry=self.telemetry)

    def forgetting(self) -> Forgetting:
        """What users asked to forget."""
        from context_memory.application.forgetting import Forgetting

        return Forgetting(
            table=self.table,
            hasher=self.hasher,
            let_go=self.let_go(),
            agenda=self.agenda,
            clock=self.clock,
            telemetry=self.telemetry,
        )

    def let_go(self) -> LetGo:
        """Takes kept texts away."""
        from context_memory.application.kept.letting_go import LetGo

        return LetGo(turns=self.kept_turns, texts=self.texts, clock=self.clock, telemetry=self.telemetry)

    def shelves(self, *, typed: bool) -> Callable[[UserKey], UserShelf]:
        """Where a user's facts stand; `typed` as `UserShelf` has it."""
        from context_memory.application.indexing.upkeep import Upkeep
        from context_memory.bootstrap import shared
        from context_memory.bootstrap.indexing import follow_users

        companies, forgetting = self.companies.settings, self.forgetting()
        upkeep = Upkeep(agenda=self.agenda, jobs=self.jobs, clock=self.clock, telemetry=self.telemetry)
        written = follow_users(self.indexes, self.embedder, upkeep)
        return shared.user_shelves(
            self.facts(),
            self.table,
            companies,
            forgetting,
            self.roster,
            written=written,
            unread=self.following().note_facts,
            typed=typed,
        )

    def rewrite_facts(self) -> RewriteFacts:
        """What is done to all facts of a user at once."""
        from context_memory.application.facts.rewriting import RewriteFacts
        from context_memory.bootstrap import shared

        return RewriteFacts(
            shelf=self.shelves(typed=True),
            tokens=shared.tokenizers(self.settings.consolidation_model)[0].count,
            clock=self.clock,
            telemetry=self.telemetry,
        )

    def embedder(self) -> Embedder | None:
        """The endpoint of embeddings, where there is one."""
        from context_memory.bootstrap import shared

        return shared.embedder(self.clients, self.embedding, self.clock)

    def sweep(self) -> Sweep:
        """Removes versions of profiles that nothing names."""
        from datetime import timedelta

        from context_memory.application.commit.sweeping import Sweep

        return Sweep(
            objects=self.objects,
            table=self.table,
            clock=self.clock,
            telemetry=self.telemetry,
            age=timedelta(seconds=self.settings.sweep_age_seconds),
        )

    @cached_property
    def erasing(self) -> Erasing:
        """What erases users."""
        from context_memory.bootstrap.erasing import erasing

        return erasing(
            self.settings,
            self.clients,
            self.credentials,
            hasher=self.hasher,
            clock=self.clock,
            telemetry=self.telemetry,
        )
