"""Credentials for one user: a role is assumed with the user's tags, and its policy names the tags."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from threading import Lock
from typing import TYPE_CHECKING

from botocore.credentials import ReadOnlyCredentials

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.request_credentials import signed_by
from context_memory.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from mypy_boto3_sts import STSClient
    from mypy_boto3_sts.type_defs import TagTypeDef

    from context_memory.domain.ids import UserKey

_LONG_AGO = datetime.min.replace(tzinfo=UTC)
RENEWED_BEFORE_EXPIRY = timedelta(minutes=5)
KEPT_AT_MOST = 256
"""Sets of credentials kept in one execution environment, a few kilobytes each."""


class Role(StrEnum):
    """What may be done with one user's data.

    `RECALL` reads it, and notes what was given; `LISTER` sees the names of a company's users and reads nothing.
    """

    READ = "read"
    RECALL = "recall"
    WRITE = "write"
    ERASE = "erase"
    LISTER = "lister"


@dataclass(slots=True)
class _Slot:
    """One set of credentials; its lock lets one thread fetch while the others wait for it."""

    lock: Lock = field(default_factory=Lock)
    credentials: ReadOnlyCredentials | None = None
    renew_at: datetime = _LONG_AGO


class UserCredentials:
    """Assumes the user-data roles, and keeps what it got until shortly before it expires.

    Args:
        sts: client of the regional endpoint.
        role_arns: the roles that this function may assume.
        own_role: signs with the function's own role (`AwsClients.own_role`).
        now: aware UTC time.
        kept_at_most: sets of credentials kept; the least recently used goes first.
    """

    def __init__(
        self,
        *,
        sts: STSClient,
        role_arns: Mapping[Role, str],
        own_role: Callable[[], AbstractContextManager[None]],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        kept_at_most: int = KEPT_AT_MOST,
    ) -> None:
        self._sts = sts
        self._role_arns = role_arns
        self._own_role = own_role
        self._now = now
        self._kept_at_most = kept_at_most
        self._slots: OrderedDict[tuple[Role, str, str | None], _Slot] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def signing(self, user: UserKey, role: Role) -> Iterator[None]:
        """Sign requests made inside for this user alone.

        Raises:
            StoreUnavailable: STS does not answer, throttles or denies, or the function has no such role.
        """
        with signed_by(self._credentials(role, user.company_id, user.encoded)):
            yield

    def lent(self, user: UserKey, role: Role) -> ReadOnlyCredentials:
        """Credentials of this user alone, for a helper that has none of its own.

        Raises:
            StoreUnavailable: as `signing`.
        """
        return self._credentials(role, user.company_id, user.encoded)

    @contextmanager
    def listing(self, company_id: str) -> Iterator[None]:
        """Sign requests made inside as the lister of one company.

        Raises:
            StoreUnavailable: as `signing`.
        """
        with signed_by(self._credentials(Role.LISTER, company_id, None)):
            yield

    def _credentials(self, role: Role, company_id: str, user: str | None) -> ReadOnlyCredentials:
        slot = self._slot((role, company_id, user))
        with slot.lock:
            if slot.credentials is None or self._now() >= slot.renew_at:
                slot.credentials, expiry = self._assume(role, company_id, user)
                slot.renew_at = expiry - RENEWED_BEFORE_EXPIRY
            return slot.credentials

    def _slot(self, key: tuple[Role, str, str | None]) -> _Slot:
        with self._lock:
            slot = self._slots.setdefault(key, _Slot())
            self._slots.move_to_end(key)
            if len(self._slots) > self._kept_at_most:
                self._slots.popitem(last=False)
            return slot

    def _assume(self, role: Role, company_id: str, user: str | None) -> tuple[ReadOnlyCredentials, datetime]:
        if role not in self._role_arns:
            raise StoreUnavailable(f"This function has no role to {role.value} with.")
        tags: list[TagTypeDef] = [{"Key": "company_id", "Value": company_id}]
        if user is not None:
            tags.append({"Key": "user_id", "Value": user})
        with told_as_ours("STS"), self._own_role():
            answer = self._sts.assume_role(
                RoleArn=self._role_arns[role], RoleSessionName=_session_name(company_id, user), Tags=tags
            )["Credentials"]
        signer = ReadOnlyCredentials(answer["AccessKeyId"], answer["SecretAccessKey"], answer["SessionToken"], None)
        return signer, answer["Expiration"]


def _session_name(company_id: str, user: str | None) -> str:
    """Tells sessions apart in every record of what they did, without an id in it; their tags say whose they are."""
    return f"cm-{hashlib.sha256(f'{company_id}#{user or ""}'.encode()).hexdigest()[:32]}"
