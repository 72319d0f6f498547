"""The keys with which an issuer signs tokens: found by OpenID Connect discovery, kept for ten minutes.

An issuer that does not answer is unknown, and unknown lets nobody in. Standard library and PyJWT only; imported where
a company requires users' tokens and nowhere else.
"""

from __future__ import annotations

import http.client
import json
import time
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from jwt import PyJWK, PyJWTError

from context_memory.domain.errors import IssuerUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ALGORITHMS = ("RS256", "ES256")
"""Signatures that are believed. Never `none`, and nothing that is checked with a shared secret."""
KEPT_SECONDS = 600.0
UNKNOWN_KEY_SECONDS = 60.0
"""How long a key that was not among the issuer's stays unknown: an issuer that changes keys says so beforehand."""
FAILURE_SECONDS = 5.0
"""How long an issuer that did not answer is left alone; callers are asked to wait as long."""
_TRY_SECONDS = 2.0
_LONGEST_ANSWER = 256 * 1024
_DISCOVERY = "/.well-known/openid-configuration"
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1"})
# Out of reach, or what came cannot be read as the two documents.
_NO_ANSWER = (OSError, http.client.HTTPException, ValueError, LookupError, TypeError, AttributeError, RecursionError)


class IssuerKeys:
    """The issuer's signing keys by `kid`, fetched when first asked for.

    Args:
        issuer: its address, exactly as its tokens spell it.
        fetch: gives the body that stands at an address, or raises `OSError` or `http.client.HTTPException`.
        monotonic: seconds that never run backwards.
    """

    def __init__(
        self,
        issuer: str,
        *,
        fetch: Callable[[str], bytes] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._issuer = issuer
        self._fetch = fetch or _fetched
        self._monotonic = monotonic
        self._keys: Mapping[str, PyJWK] = {}
        self._fetched_at: float | None = None
        self._rests_until = 0.0
        self._lock = Lock()

    def key(self, kid: str) -> PyJWK | None:
        """The key of that name, None when the issuer has none.

        Raises:
            IssuerUnavailable: the issuer does not say which keys it has.
        """
        with self._lock:
            now = self._monotonic()
            age = float("inf") if self._fetched_at is None else now - self._fetched_at
            if age >= KEPT_SECONDS or (kid not in self._keys and age >= UNKNOWN_KEY_SECONDS):
                self._refresh(now)
            return self._keys.get(kid)

    def _refresh(self, now: float) -> None:
        if now < self._rests_until:
            raise IssuerUnavailable("The issuer was out of reach just now.", retry_after=self._rests_until - now)
        try:
            keys = self._answered()
        except _NO_ANSWER as error:
            self._rests_until = now + FAILURE_SECONDS
            kind = type(error).__name__
            raise IssuerUnavailable(f"The issuer is out of reach ({kind}).", retry_after=FAILURE_SECONDS) from None
        self._keys, self._fetched_at = keys, now

    def _answered(self) -> Mapping[str, PyJWK]:
        about = json.loads(self._fetch(self._checked(f"{self._issuer.rstrip('/')}{_DISCOVERY}")))
        if about["issuer"] != self._issuer:
            raise ValueError("the document found is another issuer's")
        listed = json.loads(self._fetch(self._checked(about["jwks_uri"])))["keys"]
        found = [(data["kid"], key) for data in listed if (key := _signing_key(data))]
        return dict(found)

    def _checked(self, address: str) -> str:
        """Refuse to ask in the clear, except an issuer that lives on this machine."""
        wanted = urlsplit(address)
        on_this_machine = {urlsplit(self._issuer).hostname, wanted.hostname} <= _THIS_MACHINE
        if wanted.scheme != "https" and not (wanted.scheme == "http" and on_this_machine):
            raise ValueError("an issuer is asked over TLS only")
        return address


def _signing_key(data: Mapping[str, Any]) -> PyJWK | None:
    """A key that tokens may be signed with; None for those of another purpose, kind or algorithm, and for what is none.

    One odd entry must not shut out everybody whose token is signed with another.
    """
    if not isinstance(data.get("kid"), str) or data.get("use", "sig") != "sig":
        return None
    try:
        key = PyJWK(dict(data))
    except (PyJWTError, *_NO_ANSWER):  # beside its own errors PyJWT lets through what odd members raise
        return None
    return key if key.algorithm_name in ALGORITHMS else None


def _fetched(address: str) -> bytes:
    """The body at an address; redirects are not followed and proxies not asked."""
    wanted = urlsplit(address)
    make = http.client.HTTPSConnection if wanted.scheme == "https" else http.client.HTTPConnection
    connection = make(wanted.hostname or "", wanted.port, timeout=_TRY_SECONDS)
    try:
        path = f"{wanted.path or '/'}?{wanted.query}" if wanted.query else wanted.path or "/"
        connection.request("GET", path, headers={"accept": "application/json"})
        answer = connection.getresponse()
        body = answer.read(_LONGEST_ANSWER + 1)
    finally:
        connection.close()
    if answer.status != http.client.OK or len(body) > _LONGEST_ANSWER:
        raise ValueError("no answer that could be used")
    return body
