"""What the use cases need of the world.

Every method that crosses the network may raise `Unavailable` (or a subclass): the world's fault, worth waiting for.
Methods that take a `UserKey` act with credentials for that user alone.
Further promises and errors are each method's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import date, datetime

    from context_memory.domain.enablement import (
        CompanyFlags,
        CompanySettings,
        OperatorFlags,
        SpaceSettings,
        StoredSettings,
    )
    from context_memory.domain.ids import UserKey
    from context_memory.domain.operations import Operation
    from context_memory.domain.outcomes import Outcome
    from context_memory.domain.state import ProfilePointer, UserState
    from context_memory.domain.turn import TurnRecord, Usage


class Clock(Protocol):
    """Time, as the use cases see it."""

    def now(self) -> datetime:
        """Aware UTC time."""

    def monotonic(self) -> float:
        """Seconds that never run backwards; for deadlines."""


class Identifiers(Protocol):
    """Fresh random names."""

    def ulid(self, at: datetime) -> str:
        """26 characters that sort by time of creation."""

    def nonce(self) -> str:
        """8 hex digits that nobody could guess beforehand."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """One version of an object."""

    body: bytes
    version_id: str
    etag: str


@dataclass(frozen=True, slots=True)
class ObjectVersion:
    """One version in a listing (delete markers included, with an empty etag)."""

    version_id: str
    last_modified: datetime


class ProfileObjects(Protocol):
    """The profile bucket: versions of `<company>/home-<user>/<root_folder>/memory.md`."""

    def latest(self, user: UserKey) -> StoredObject | None:
        """The newest version; None when S3 answers 403 or 404, which is never proof of absence."""

    def version(self, user: UserKey, version_id: str) -> StoredObject:
        """One named version.

        Raises:
            ProfileVersionMissing: S3 answers that it does not exist, or 403.
        """

    def put(self, user: UserKey, body: bytes, *, replaces: str | None) -> ObjectVersion:
        """Write a new version on top of the one with the ETag `replaces` (None: on top of nothing).

        Raises:
            PreconditionFailed: another version, or any version, is the newest.
        """

    def latest_etag(self, user: UserKey) -> str | None:
        """ETag of the newest version, None when there is none."""

    def versions(self, user: UserKey) -> Sequence[ObjectVersion]:
        """All versions of the user's profile object, newest first (erase role)."""

    def delete_version(self, user: UserKey, version_id: str) -> None:
        """Remove one version for good (erase role); an absent one is no error."""

    def legacy(self, user: UserKey) -> bytes | None:
        """The file at the legacy place; None only when a listing of exactly its key is empty."""


class TurnPayloads(Protocol):
    """The work bucket's `turns/<company>/home-<user>/<turn_id>-<sha256>.json`."""

    def put(self, user: UserKey, turn_id: str, sha256: str, body: bytes) -> None:
        """Store a payload; storing the same again changes nothing."""

    def get(self, user: UserKey, turn_id: str, sha256: str) -> bytes | None:
        """The payload, or None when S3 answers that it does not exist."""

    def delete(self, user: UserKey, turn_id: str, sha256: str) -> None:
        """Remove a payload; an absent one is no error."""

    def stored(self, user: UserKey) -> Sequence[tuple[str, str, datetime]]:
        """Turn id, sha256 and time of every payload of the user (erase role)."""


@dataclass(frozen=True, slots=True)
class Revision:
    """`REVISION#<epoch>#<n>`: what a stored change did and where it came from."""

    epoch: int
    turn_count: int
    version_id: str
    writer: str
    written_at: datetime
    operations: tuple[Operation, ...]
    turn_ids: tuple[str, ...] = ()
    model: str | None = None
    prompt_version: str | None = None
    policy_version: str | None = None
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class Settlement:
    """One transaction that ends turns, with or without a stored change.

    `base` is the pointer that was read (None: there was none); `pointer` and `revision` are None when nothing changed.
    `check_settings` is False only for turns dropped because memory was erased or switched off.
    """

    user: UserKey
    epoch: int
    turns: tuple[TurnRecord, ...]
    outcome: Outcome
    finished_at: datetime
    consolidated_through: datetime | None
    base: ProfilePointer | None = None
    pointer: ProfilePointer | None = None
    revision: Revision | None = None
    reason: str | None = None
    last_time_zone: str | None = None
    check_settings: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Why a turn waits.

    `gives_back` the attempt when it came to nothing through no fault of the turn's; `uncounted` also the calls that
    were answered meanwhile (a fault of the world costs neither); `alone` keeps the turn out of company from now on.
    """

    reason: str
    gives_back: bool = True
    uncounted: bool = False
    alone: bool = False


class UserStates(Protocol):
    """What load needs of the user table."""

    def state(self, user: UserKey) -> UserState:
        """All `A#` items in one consistent query."""


class UserTable(UserStates, Protocol):
    """The user table: who has what, which turns wait, what happened to them. Every read is consistent."""

    def turn(self, user: UserKey, turn_id: str) -> TurnRecord | None:
        """What is recorded about a turn."""

    def accept(self, user: UserKey, record: TurnRecord) -> TurnRecord | None:
        """Record a new turn and its open item in one transaction.

        Returns:
            None when recorded, or the record that was there before (nothing is changed then).

        Raises:
            CommitRefused: clause `settings`: the epoch is no longer the record's, or an erase is running.
        """

    def start(self, user: UserKey, record: TurnRecord, at: datetime) -> TurnRecord | None:
        """Count an attempt, begun `at`, and set `running`, if the turn still waits in its epoch.

        Returns:
            The record as it now stands, or None when it has ended or is gone meanwhile.
        """

    def count_call(self, user: UserKey, turn_ids: Sequence[str], usage: Usage) -> None:
        """Count one answered call on every turn; keep its usage on the first."""

    def wait(self, user: UserKey, record: TurnRecord, wait: Waiting) -> None:
        """Set `retrying` on a turn that was started as `record`; one that has ended or is gone stays as it is."""

    def bury(self, user: UserKey, record: TurnRecord, *, reason: str) -> None:
        """Set `dead` on the turn and on its open item in one transaction; a turn that has ended stays as it is."""

    def redrive(self, user: UserKey, turn_id: str) -> TurnRecord | None:
        """Set a dead turn `queued` with attempts and calls 0 and its ring one higher; None when it is not dead."""

    def settle(self, settlement: Settlement) -> None:
        """Commit a settlement in one transaction.

        Raises:
            CommitRefused: names the clauses that failed.
            StoreUnavailable: also when it is unknown whether the transaction went through: read and see.
        """

    def revision(self, user: UserKey, epoch: int, turn_count: int) -> Revision | None:
        """One revision."""

    def named_versions(self, user: UserKey) -> frozenset[str]:
        """Version ids that the pointer or any revision names."""

    def forgotten(self, user: UserKey) -> Mapping[str, datetime]:
        """Keyed hashes of forgotten bullets, with the time of forgetting."""

    def remember_forgotten(self, user: UserKey, epoch: int, hashes: Iterable[str], at: datetime) -> None:
        """Keep keyed hashes of bullets that must not be learned again from older material."""


@dataclass(frozen=True, slots=True)
class Doorbell:
    """Ids only: somebody should look at this user's open turns. `ring_id` makes rings of one reason one message."""

    user: UserKey
    ring_id: str
    kind: str = "turns"


class Doorbells(Protocol):
    """The FIFO queue `turns.fifo` and its dead letters. Messages hold ids and reasons, never text."""

    def ring(self, doorbell: Doorbell) -> None:
        """Put a doorbell into the user's group."""

    def postpone(self, receipt: str, seconds: int) -> None:
        """Show a received doorbell again after `seconds` (0 to 43,200); its group stays blocked until then."""

    def report_dead(self, user: UserKey, record: TurnRecord, reason: str) -> None:
        """Tell the dead-letter queue of a turn that was given up; once for each of its lives (epoch and ring)."""


class Directory(Protocol):
    """Who has payloads waiting; reads no user's data."""

    def companies_with_turns(self) -> Sequence[str]:
        """Companies that have payloads in the work bucket."""

    def users_with_turns(self, company_id: str) -> Sequence[UserKey]:
        """Users of a company that have payloads in the work bucket."""


class Flags(Protocol):
    """What the operator switches."""

    def flags(self, company_id: str) -> OperatorFlags:
        """The flags of a company; one that the operator never named is off.

        Raises:
            FlagsUnavailable: unknown is not off.
        """


class Companies(Protocol):
    """The company table: what administrators set for their company. No user's data."""

    def settings(self, company_id: str) -> StoredSettings:
        """The company's settings; the defaults where it has written none."""

    def replace(self, company_id: str, settings: CompanySettings, *, version: int | None) -> StoredSettings:
        """Write all settings on top of `version` (0: on top of none; None: on top of whatever there is).

        Returns:
            The settings as they now stand.

        Raises:
            VersionConflict: names the version that counts now.
        """


class Switches(Protocol):
    """The company's flags and the space's settings."""

    def flags(self, company_id: str) -> CompanyFlags:
        """The company's flags.

        Raises:
            FlagsUnavailable: unknown is not off.
            Unavailable: the company's settings are out of reach.
        """

    def space(self, company_id: str, space_id: str) -> SpaceSettings | None:
        """Registered settings of a space; None when it is not registered."""


class Budgets(Protocol):
    """What companies have spent on the model, by day of UTC; reached with the function's own role."""

    def spend(self, company_id: str, tokens: int, on: date) -> None:
        """Add tokens to what the company has used on that day.

        An answer that is lost may leave them added, and they are added again by whoever tries again: the count is
        never too low for what was written, and is no bill.
        """

    def used(self, company_id: str, on: date) -> int:
        """Tokens that the company has used on that day; 0 when nothing was written."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call of a language model. `turns` are encoded turn ids, `seconds_left` bounds all tries together."""

    purpose: str
    model: str
    system: str
    user: str
    max_output_tokens: int
    turns: tuple[str, ...]
    seconds_left: float


@dataclass(frozen=True, slots=True)
class ModelReply:
    """An answer, whole or cut (`finish_reason` other than `stop`)."""

    text: str | None
    finish_reason: str
    usage: Usage


class LanguageModel(Protocol):
    """An OpenAI-compatible chat completion."""

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once, with retries within `seconds_left`.

        Raises:
            ModelUnavailable: time-out, connection, 429.
            ModelServerError: 5xx, or an answer that is no completion.
            ModelAccessDenied: 401, 403, unknown model.
            ModelRejected: 400, 413, 422: too long, filtered, invalid.
        """


class Prompts(Protocol):
    """The prompt files."""

    version: str
    policy_version: str

    def render(self, call: str, values: Mapping[str, object]) -> tuple[str, str]:
        """System and user text of one call; a variable that is missing or left over is an error."""

    def sentences(self) -> frozenset[str]:
        """Every sentence of the prompts and every canary in them, folded: none of it may be stored (R7)."""


class Hasher(Protocol):
    """Keyed hashes; one secret per environment."""

    def digest(self, purpose: str, text: str) -> str:
        """Hex HMAC-SHA-256 of `text`, apart per purpose."""


class UserTokens(Protocol):
    """Tokens that the environment's issuer has signed for end users."""

    def claims(self, token: str) -> Mapping[str, object]:
        """What a token says, once its signature, its issuer and its times are checked; nothing else of it is.

        Raises:
            UserTokenInvalid: it is none of the issuer's, not yet valid, or not any more.
            IssuerUnavailable: whether it is, is unknown.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One call upon somebody's memory or a company's settings, and how it was answered.

    Attributes:
        route: `METHOD /path/{with}/names`; the names are not filled in.
        caller: ARN that IAM authorised, `user` for users themselves, `unknown` where nobody is named.
        company_id: None where the call names no company that could exist.
        user: None where the call names no user that could exist, or is about none.
    """

    route: str
    status: int
    request_id: str
    caller: str
    company_id: str | None
    user: UserKey | None


class Audit(Protocol):
    """Who reached for whose memory, kept apart from other logs."""

    def record(self, access: Access) -> None:
        """Write one record, refusals included; it never holds an id of a user, and never stops a call."""


class Telemetry(Protocol):
    """One line an event, constant phrases, values as fields; never text of a user, a bullet or a raw id."""

    def about(self, user: UserKey) -> AbstractContextManager[None]:
        """Lines that are logged inside say whom they are about: `user` is a keyed hash, or `unknown`."""

    def event(self, phrase: str, **fields: str | float | bool | None) -> None:
        """Log one line."""

    def warning(self, phrase: str, **fields: str | float | bool | None) -> None:
        """Log one line that somebody should look at."""

    def count(self, metric: str, value: float = 1, **dimensions: str) -> None:
        """Add to a counter or a distribution, with the dimensions that the registry (contracts/metrics) names."""

    def count_all(self, figures: Mapping[str, float], **dimensions: str) -> None:
        """As `count`, for several metrics of the same dimensions at once."""
