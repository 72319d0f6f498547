"""Secrets, read when first needed, and the keyed hashes made with one of them."""

from __future__ import annotations

import hashlib
import hmac
import time
from threading import Lock, Thread
from typing import TYPE_CHECKING

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from mypy_boto3_secretsmanager import SecretsManagerClient

KEPT_SECONDS = 300.0

EARLY = "early-secret"
"""Name of the thread that fetches a secret before anybody asks for it."""


class LateSecret:
    """One secret string, fetched when first asked for and again after five minutes, so that a rotated one is noticed.

    Args:
        client: Secrets Manager, with credentials per request.
        secret_id: name or ARN.
        own_role: signs with the function's own role (`AwsClients.own_role`).
    """

    def __init__(
        self,
        *,
        client: SecretsManagerClient,
        secret_id: str,
        own_role: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._client = client
        self._secret_id = secret_id
        self._own_role = own_role
        self._value: str | None = None
        self._fetched_at = 0.0
        self._lock = Lock()

    def __call__(self) -> str:
        """The secret.

        Raises:
            StoreUnavailable: Secrets Manager does not answer, or holds nothing under that name.
        """
        with self._lock:
            if self._value is None or time.monotonic() - self._fetched_at > KEPT_SECONDS:
                self._value, self._fetched_at = self._fetched(), time.monotonic()
            return self._value

    def _fetched(self) -> str:
        with told_as_ours("Secrets Manager"), self._own_role():
            value = self._client.get_secret_value(SecretId=self._secret_id).get("SecretString", "")
        if not value:
            raise StoreUnavailable("Secrets Manager holds no value yet.")
        return value


class SecretAhead:
    """A secret that is fetched beside other work, for those who would rather go without it than wait.

    Args:
        secret: fetches it, and may take its time.
        wait_seconds: how long after its beginning a fetch is waited for.
        again_seconds: how long after a failure another fetch is begun.
        monotonic: seconds that never run backwards.
    """

    def __init__(
        self,
        secret: Callable[[], str],
        *,
        wait_seconds: float = 0.5,
        again_seconds: float = 60.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._secret = secret
        self._wait_seconds = wait_seconds
        self._again_seconds = again_seconds
        self._monotonic = monotonic
        self._value: str | None = None
        self._thread: Thread | None = None
        self._waited_for_until = 0.0
        self._rests_until = 0.0
        self._lock = Lock()

    def begin(self) -> None:
        """Fetch the secret in a thread of its own, unless it is there, on its way, or was out of reach just now."""
        with self._lock:
            now = self._monotonic()
            if self._value is None and self._thread is None and now >= self._rests_until:
                self._waited_for_until = now + self._wait_seconds
                self._thread = Thread(target=self._fetch, name=EARLY, daemon=True)
                self._thread.start()

    def __call__(self) -> str:
        """The secret.

        Raises:
            StoreUnavailable: it is not there yet, or was out of reach.
        """
        self.begin()
        thread = self._thread
        if thread is not None:
            thread.join(max(0.0, self._waited_for_until - self._monotonic()))
        if self._value is None:
            raise StoreUnavailable("The secret is not there yet.")
        return self._value

    def _fetch(self) -> None:
        value = None
        try:
            value = self._secret()
        except Exception:  # noqa: BLE001 - nobody watches this thread, and whoever asks goes without
            self._rests_until = self._monotonic() + self._again_seconds
        finally:
            self._value, self._thread = value, None


class KeyedHasher:
    """`Hasher` with one secret per environment.

    Args:
        secret: gives the secret when the first digest is asked for.
    """

    def __init__(self, secret: Callable[[], str]) -> None:
        self._secret = secret

    def digest(self, purpose: str, text: str) -> str:
        """Hex HMAC-SHA-256 of `text`; each purpose has a key of its own, so that digests cannot be compared across.

        Raises:
            StoreUnavailable: the secret is out of reach.
        """
        key = hmac.digest(self._secret().encode(), purpose.encode(), hashlib.sha256)
        # A lone surrogate has no UTF-8, and a hash must not be what fails.
        return hmac.new(key, text.encode(errors="surrogatepass"), hashlib.sha256).hexdigest()
