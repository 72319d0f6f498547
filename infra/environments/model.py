"""What may differ between environments, as one validated value."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from infra.environments.parts import (
    FEWEST_AT_ONCE,
    LONGEST_LAMBDA_SECONDS,
    MOST_AT_ONCE,
    Alarms,
    Architecture,
    Budget,
    Company,
    Cors,
    FunctionSize,
    Models,
    Oidc,
    Page,
    Retention,
    Throttles,
    require,
)
from infra.names import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

# Six time-outs, as AWS asks of a queue that feeds a function: a try may be throttled and come again before it shows.
VISIBILITY_PER_TIMEOUT = 6
MOST_COMPANIES = 80
"""Of one environment: each has policies of its own, and a stack holds 500 resources."""
_SLACK_SECONDS = 60
"""For what was sent before a function ended and is done after it, and for clocks that differ."""
_LONGEST_VISIBILITY_SECONDS = 12 * 3600
_SHORTEST_CONSOLIDATION_SECONDS = 150  # a chain begins only while 120 seconds are left, and some are kept back
_YOUNGEST_SWEPT_SECONDS = 3600
_SHORTEST_POLL_SECONDS = 15  # as AppConfig has it
_LONGEST_ROLLOUT_MINUTES = 1440  # as AppConfig has it


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """One environment.

    `account` and `region`: None leaves them to the credentials that deploy.
    `durable`: data outlives the stacks, is backed up, and cannot be deleted by accident.
    `lance`: the function that keeps facts in LanceDB's tables, an image; None leaves it and the backend out.
    `companies`: those that may use the service, by id.
    `oidc`: None leaves out the routes of end users.
    `page`: None leaves out the page on which they see to their memory.
    `flags_seconds`: how old flags and settings of a company may be; `flags_stale_seconds`: how old flags may be while
    nobody can say whether they still hold.
    `flags_rollout_minutes`: how long a switch of the operator takes to reach everybody, and bakes after; 0 is at once.
    `max_receive_count`, `max_job_receive_count`: how often a doorbell, or a job, may come before it is a dead letter.
    `jobs_at_once`: jobs side by side.
    `limits`: bounds of the chain that differ from their defaults, by name (docs/settings.md).
    """

    name: str
    durable: bool
    architecture: Architecture
    load: FunctionSize
    ingest: FunctionSize
    recall: FunctionSize
    consolidate: FunctionSize
    extract: FunctionSize
    maintain: FunctionSize
    account_function: FunctionSize
    admin: FunctionSize
    throttles: Throttles
    models: Models
    companies: Mapping[str, Company]
    lance: FunctionSize | None = None
    account: str | None = None
    region: str | None = None
    oidc: Oidc | None = None
    cors: Cors = field(default_factory=Cors)
    page: Page | None = None
    budget: Budget = field(default_factory=Budget)
    retention: Retention = field(default_factory=Retention)
    alarms: Alarms = field(default_factory=Alarms)
    tags: Mapping[str, str] = field(default_factory=dict)
    root_folder: str = "user-memory"
    log_level: str = "INFO"
    max_receive_count: int = 1000
    max_job_receive_count: int = 20
    jobs_at_once: int = 5
    model_try_seconds: int = 60
    wait_seconds_first: int = 15
    wait_seconds_max: int = 900
    sweep_age_seconds: int = 86400
    compaction_age_days: int = 90
    flags_seconds: int = 60
    flags_stale_seconds: int = 300
    flags_rollout_minutes: int = 10
    limits: Mapping[str, float] = field(default_factory=dict)
    tokenizer_folder: str = "/opt/tiktoken"

    def __post_init__(self) -> None:
        """Refuse what no deployment could carry."""
        self._check_names()
        self._check_companies()
        self._check_times()

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that are deployed."""
        return FUNCTIONS

    @property
    def origins(self) -> tuple[str, ...]:
        """Browsers' origins that may call `/v1/me`: those named, and the page's own where it has a name."""
        own = (f"https://{self.page.domain}",) if self.page and self.page.domain else ()
        return (*self.cors.origins, *(origin for origin in own if origin not in self.cors.origins))

    @property
    def visibility_seconds(self) -> int:
        """How long a doorbell stays hidden once consolidate has it."""
        return VISIBILITY_PER_TIMEOUT * self.consolidate.timeout_seconds

    @property
    def facts_visibility_seconds(self) -> int:
        """How long the doorbell of a turn's facts stays hidden once extract has it."""
        return VISIBILITY_PER_TIMEOUT * self.extract.timeout_seconds

    @property
    def job_visibility_seconds(self) -> int:
        """How long a job stays hidden once maintain has it, unless maintain says otherwise."""
        return VISIBILITY_PER_TIMEOUT * self.maintain.timeout_seconds

    @property
    def spread_seconds(self) -> int:
        """How long a change of the switches takes at most until every process goes by it."""
        return 60 * self.flags_rollout_minutes + self.flags_stale_seconds

    @property
    def settle_seconds(self) -> int:
        """Time between the two sweeps of an erase: no function can run as long that began before the first."""
        return max(self.size(function).timeout_seconds for function in self.functions) + _SLACK_SECONDS

    def size(self, function: str) -> FunctionSize:
        """Size of a function by its name; `account` is both a function and where it is deployed."""
        size: FunctionSize = self.account_function if function == "account" else getattr(self, function)
        return size

    def _check_names(self) -> None:
        require(re.fullmatch(r"[a-z][a-z0-9]{1,9}", self.name) is not None, "name must be 2 to 10 of a-z and 0-9")
        require(self.account is None or re.fullmatch(r"\d{12}", self.account) is not None, "account must be 12 digits")
        require(
            self.region is None or re.fullmatch(r"[a-z]{2}(-[a-z]+)+-\d", self.region) is not None,
            "region must be a region's name, such as eu-central-1",
        )
        require(
            re.fullmatch(r"[a-z0-9][a-z0-9_-]*", self.root_folder) is not None
            # It must never look like a user's home, or a legacy file could be another user's profile.
            and not self.root_folder.startswith("home-"),
            "root_folder must be a plain name that does not start with 'home-'",
        )
        levels = {"DEBUG", "INFO", "WARNING", "ERROR"}
        require(self.log_level in levels, "log_level must be DEBUG, INFO, WARNING or ERROR")

    def _check_companies(self) -> None:
        require(len(self.companies) <= MOST_COMPANIES, f"an environment has at most {MOST_COMPANIES} companies")
        for company, locks in self.companies.items():
            require(isinstance(locks, Company), f"the company {company!r} must be a Company(), be it an empty one")
            require(
                re.fullmatch(r"[a-z0-9][a-z0-9-]{1,62}", company) is not None,
                "a company's id must be 2 to 63 of a-z, 0-9 and '-'",
            )
        asserted = {
            company for companies in (self.oidc.audiences if self.oidc else {}).values() for company in companies
        }
        require(asserted <= set(self.companies), "an audience may assert only companies of this environment")
        require(
            self.oidc is not None or not self.cors.origins,
            "browsers call the routes of end users alone, and those exist only where oidc says who signs their tokens",
        )
        require(
            self.oidc is not None or self.page is None,
            "a page signs users in, and so needs oidc to say who signs their tokens",
        )
        require(
            self.oidc is not None or not any(company.require_user_token for company in self.companies.values()),
            "a company can require users' tokens only where oidc says who signs them",
        )

    def _check_times(self) -> None:
        require(
            self.consolidate.timeout_seconds >= _SHORTEST_CONSOLIDATION_SECONDS,
            "consolidate's time-out must leave room for a whole chain: at least 150 seconds",
        )
        require(self.visibility_seconds <= _LONGEST_VISIBILITY_SECONDS, "consolidate's time-out is too long")
        require(
            self.model_try_seconds <= self.extract.timeout_seconds,
            "model_try_seconds must fit into extract's time-out",
        )
        require(
            FEWEST_AT_ONCE <= self.jobs_at_once <= MOST_AT_ONCE,
            f"jobs_at_once must be {FEWEST_AT_ONCE} to {MOST_AT_ONCE}",
        )
        require(self.max_job_receive_count >= 1, "max_job_receive_count must be at least 1")
        require(
            1 <= self.model_try_seconds <= self.consolidate.timeout_seconds,
            "model_try_seconds must fit into consolidate's time-out",
        )
        require(
            self.sweep_age_seconds >= _YOUNGEST_SWEPT_SECONDS,
            "sweep_age_seconds must be at least 3600: a younger version may belong to a commit on its way",
        )
        require(self.compaction_age_days >= 1, "compaction_age_days must be at least 1")
        require(
            1 <= self.wait_seconds_first <= self.wait_seconds_max <= LONGEST_LAMBDA_SECONDS,
            "waits must grow from at least 1 to at most 900 seconds",
        )
        # AppConfig lets no session poll more often; the emulator, where nobody wants to wait, does.
        shortest = 1 if self.architecture is Architecture.HOST else _SHORTEST_POLL_SECONDS
        require(shortest <= self.flags_seconds <= LONGEST_LAMBDA_SECONDS, f"flags_seconds must be {shortest} to 900")
        require(self.flags_stale_seconds >= self.flags_seconds, "flags_stale_seconds must be at least flags_seconds")
        require(0 <= self.flags_rollout_minutes <= _LONGEST_ROLLOUT_MINUTES, "flags_rollout_minutes must be 0 to 1440")
