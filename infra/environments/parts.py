"""The parts of an environment: small validated values. What AWS would refuse at deployment is refused here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_LAMBDA_SECONDS = 900
_CALLS_PER_WORKER_AND_MINUTE = 30  # calls of a chain come one after another and take two seconds and more
FEWEST_AT_ONCE, MOST_AT_ONCE = 2, 1000  # what a queue's maximum concurrency may be

_ADDRESS = re.compile(r"https://[^\s/]\S*|http://localhost(:\d+)?(/\S*)?")
# The whole of it, as a browser sends it: `http://localhost.example.com` is not this machine.
_ORIGIN = re.compile(r"https://[a-z0-9.-]+(:[0-9]+)?|http://localhost(:[0-9]+)?")
_WORD = re.compile(r"[^\s\[\]]+")


class Architecture(StrEnum):
    """Processor of the functions."""

    ARM64 = "arm64"
    HOST = "host"

    @property
    def layers(self) -> str:
        """Target of `python -m infra.layers` whose layers run on it."""
        return "host" if self is Architecture.HOST else "aws"


def require(holds: bool, sentence: str) -> None:  # noqa: FBT001 - reads as a sentence
    """Refuse a value.

    Raises:
        ValueError: `sentence`, when it does not hold.
    """
    if not holds:
        raise ValueError(sentence)


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionSize:
    """Memory in MiB (processor time comes with it), time-out in seconds, and executions kept free for it alone."""

    memory_mb: int
    timeout_seconds: int
    reserved_concurrency: int | None = None

    def __post_init__(self) -> None:
        """Refuse what Lambda would refuse at deployment."""
        require(128 <= self.memory_mb <= 10240, "memory_mb must be 128 to 10240")  # noqa: PLR2004 - Lambda's limits
        require(1 <= self.timeout_seconds <= LONGEST_LAMBDA_SECONDS, "timeout_seconds must be 1 to 900")
        require(
            self.reserved_concurrency is None or self.reserved_concurrency >= 1,
            "reserved_concurrency must be at least 1: 0 would switch the function off",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Throttle:
    """Requests a second that a route lets through, and how many at once on top."""

    rate: int
    burst: int

    def __post_init__(self) -> None:
        """Refuse a route that lets nothing through."""
        require(self.rate >= 1 and self.burst >= 1, "a throttle must let something through")


@dataclass(frozen=True, slots=True, kw_only=True)
class Throttles:
    """One throttle for each group of routes.

    `recall` is what chats ask while they answer, citations among it; `me` is what end users read, `changes` what they
    change, `admin` what administrators call, and `docs` the one thing that anybody may read: the API's description.
    """

    load: Throttle
    recall: Throttle
    turns: Throttle
    status: Throttle
    me: Throttle
    admin: Throttle
    changes: Throttle
    docs: Throttle


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Model names per call and the endpoint that serves them (empty: the client's default).

    `small` takes the gate over when a company nears its budget. `allowed` are the models that spaces and turns may
    choose to rewrite memories, each under an alias; the same endpoint serves them. `requests_per_minute` is what the
    provider allows, of which `extraction_share` is for facts: the numbers of consolidations and of extractions side by
    side follow from them.

    `extraction` reads facts out of turns. `embedding` makes vectors of them; without one recall goes by words alone.
    `embedding_prefixes` is what it wants before a `query` and before a `passage`; another prefix makes other vectors.
    `embedding_base_url` is where it is served when that is elsewhere, with a key of its own: nobody sends the one
    provider's key to another.
    """

    gate: str
    consolidation: str
    scrub: str
    small: str
    extraction: str
    embedding: str = ""
    embedding_base_url: str = ""
    embedding_prefixes: Mapping[str, str] = field(default_factory=dict)
    allowed: Mapping[str, str] = field(default_factory=dict)
    base_url: str = ""
    requests_per_minute: int = 500
    extraction_share: float = 0.25  # two calls of eight, for a turn in four has facts

    def __post_init__(self) -> None:
        """Refuse a call without a model, and a rate that two workers would break."""
        chain = (self.gate, self.consolidation, self.scrub, self.small, self.extraction)
        require(all(chain), "each call needs a model")
        require(bool(self.embedding) or not self.embedding_base_url, "an endpoint of embeddings needs a model")
        known = self.embedding_prefixes.keys() <= {"query", "passage"}
        require(known, "embedding_prefixes are of a query and of a passage")
        require(0 < self.extraction_share < 1, "extraction_share must be above 0 and below 1")
        named = all(alias and model for alias, model in self.allowed.items())
        require(named, "each alias of allowed must name a model")
        require(
            min(self.workers, self.extractors) >= FEWEST_AT_ONCE,
            "requests_per_minute must leave 60 to consolidations and 60 to extractions: fewer than two workers of a"
            " kind cannot be had",
        )

    @property
    def workers(self) -> int:
        """Consolidations side by side with which the provider's rate limit holds."""
        return _side_by_side(self.requests_per_minute - self._requests_of_extraction)

    @property
    def extractors(self) -> int:
        """Extractions of facts side by side with which it holds, too."""
        return _side_by_side(self._requests_of_extraction)

    @property
    def _requests_of_extraction(self) -> int:
        return int(self.requests_per_minute * self.extraction_share)


def _side_by_side(requests_per_minute: int) -> int:
    return min(MOST_AT_ONCE, requests_per_minute // _CALLS_PER_WORKER_AND_MINUTE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Model tokens (input and output) that a company may use on a day of UTC, unless its flags say otherwise.

    From `saving_share` of it on the small model answers the gate; when it is used up, turns wait for the next day.
    """

    daily_tokens: int = 50_000_000
    saving_share: float = 0.8

    def __post_init__(self) -> None:
        """Refuse a budget that would never or always be used up."""
        require(self.daily_tokens >= 1, "daily_tokens must be at least 1")
        require(0 < self.saving_share <= 1, "saving_share must be above 0 and at most 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """A role of an account, such as an orchestrator's."""

    account: str
    role: str

    def __post_init__(self) -> None:
        """Refuse what names no role."""
        # ASCII, as IAM has it: a look-alike letter would pin a role that nobody can assume.
        require(re.fullmatch(r"[0-9]{12}", self.account) is not None, "account must be 12 digits")
        named = re.fullmatch(r"[A-Za-z0-9_+=,.@-]{1,64}", self.role) is not None
        require(named, "role must be a role's name, without path")


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """A company that may use the service, and the locks upon it beside IAM's.

    `callers`: only these roles may call for it; empty: whoever IAM lets through.
    `require_user_token`: orchestrators must show the user's own token (`x-user-token`).
    """

    callers: tuple[Principal, ...] = ()
    require_user_token: bool = False

    def __post_init__(self) -> None:
        """Refuse a lone caller: `(one)` is no tuple, and only the comma of `(one,)` makes it one."""
        several = isinstance(self.callers, tuple)
        require(several, "callers must be a tuple of Principals, with a comma after the only one")

    def callers_elsewhere(self, account: str | None) -> tuple[Principal, ...]:
        """Callers of other accounts than `account`; all of them where nobody has said which account that is."""
        return tuple(caller for caller in self.callers if caller.account != account)


@dataclass(frozen=True, slots=True, kw_only=True)
class Oidc:
    """Who signs end users' tokens: one issuer; each audience maps to the companies that it may assert.

    Access tokens only: `scope` among a token's scopes lets read, `change_scope` read and change, `export_scope` take
    all out. An audience with one company needs no company claim.
    """

    issuer: str
    audiences: Mapping[str, tuple[str, ...]]
    scope: str = "memory"
    change_scope: str = "memory:change"
    export_scope: str = "memory:export"
    user_claim: str = "sub"
    company_claim: str = "company_id"

    def __post_init__(self) -> None:
        """Refuse an issuer in the clear and an audience that asserts nobody."""
        require(_ADDRESS.fullmatch(self.issuer) is not None, "issuer must be an https address")
        require(bool(self.audiences) and all(self.audiences.values()), "each audience must name its companies")
        require(
            not any(isinstance(companies, str) for companies in self.audiences.values()),
            "an audience's companies must be a tuple, with a comma after the only one",
        )
        require(
            all(_WORD.fullmatch(audience) for audience in self.audiences),
            "audiences must be single words without brackets: the gateway hands several on as `[a b]`",
        )
        for scope in self.scopes:
            require(_WORD.fullmatch(scope) is not None, "scopes must be single words")
        require(self.scope != self.change_scope, "change_scope must differ from scope: who reads may not change")
        require(self.scope != self.export_scope, "export_scope must differ from scope: who reads may not export")
        require(bool(self.user_claim and self.company_claim), "claims must be named")

    @property
    def scopes(self) -> tuple[str, ...]:
        """All that a user's own client asks for, each once: where users change they may also export, by one scope."""
        return tuple(dict.fromkeys((self.scope, self.change_scope, self.export_scope)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Days that things are kept."""

    logs: int = 30
    audit: int = 365
    payloads: int = 60
    queues: int = 14

    def __post_init__(self) -> None:
        """Refuse what CloudWatch and SQS do not offer, and payloads that go before their doorbells."""
        require(self.logs in {1, 14, 30, 90, 365}, "logs must be kept 1, 14, 30, 90 or 365 days")
        require(1 <= self.queues <= 14, "queues keep 1 to 14 days")  # noqa: PLR2004 - SQS's limit
        require(self.payloads >= self.queues, "payloads must be kept at least as long as queues keep doorbells")
        require(self.audit >= 1, "audit records must be kept at least a day")


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarms:
    """Thresholds, and who is told. Shares are of one; seconds are seconds."""

    address: str | None = None
    load_error_share: float = 0.01
    load_p99_seconds: float = 1.0
    recall_error_share: float = 0.01
    recall_p99_seconds: float = 1.5
    oldest_doorbell_seconds: int = 900
    oldest_facts_seconds: int = 3600
    oldest_job_seconds: int = 7200
    lag_p95_seconds: int = 900
    function_errors: int = 1
    throttles: int = 1
    scrub_veto_share: float = 0.05
    gate_fail_open_share: float = 0.05
    sts_calls_per_second: float = 360.0  # 60 % of what an account may call in a region

    def __post_init__(self) -> None:
        """Refuse an address that is none, and thresholds that always or never ring."""
        require(self.address is None or "@" in self.address, "address must be an e-mail address")
        shares = (
            *(self.load_error_share, self.recall_error_share),
            *(self.scrub_veto_share, self.gate_fail_open_share),
        )
        require(all(0 < share < 1 for share in shares), "shares must be above 0 and below 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cors:
    """Browsers' origins that may call `/v1/me`; none: CORS is off."""

    origins: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        """Refuse an origin that lets everybody in."""
        require(
            all(_ORIGIN.fullmatch(origin) for origin in self.origins),
            "origins must be https origins, without path and wildcards",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The settings page of end users, and how it signs them in.

    `client_id`: the public client (PKCE, no secret) that the issuer knows the page as.
    `sign_in_origins`: where the issuer's endpoints lie when that is not where its own address points.
    `sign_in_parameters`: what the issuer wants to be asked beside the usual, such as `audience` or `resource`.
    `domain` and `certificate`: a name of its own, and the ARN of a certificate for it, which CloudFront looks for in
    us-east-1; without them the page has a name of CloudFront's.
    """

    client_id: str
    sign_in_origins: tuple[str, ...] = ()
    sign_in_parameters: Mapping[str, str] = field(default_factory=dict)
    domain: str | None = None
    certificate: str | None = None

    def __post_init__(self) -> None:
        """Refuse half a name, and origins that are none."""
        require(_WORD.fullmatch(self.client_id) is not None, "client_id must be a single word")
        require(
            all(_ORIGIN.fullmatch(origin) for origin in self.sign_in_origins),
            "sign_in_origins must be https origins, without path and wildcards",
        )
        require((self.domain is None) == (self.certificate is None), "domain and certificate come together")
        require(
            self.domain is None or _ORIGIN.fullmatch(f"https://{self.domain}") is not None,
            "domain must be a host name in lower case",
        )
        require(
            self.certificate is None or self.certificate.startswith("arn:aws:acm:us-east-1:"),
            "certificate must be the ARN of a certificate in us-east-1",
        )
