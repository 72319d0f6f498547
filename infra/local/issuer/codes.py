"""Codes: each stands for somebody who has signed in, for a minute and for one use."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from infra.local.issuer.requests import Request

LASTS_SECONDS = 60


class NotRedeemed(Exception):
    """A code gives no token; `name` is OAuth's word for why."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """Who signed in, and for which request."""

    request: Request
    user_id: str
    company_id: str
    until: float


@dataclass(slots=True)
class Codes:
    """The codes that were issued and not yet shown. `clock` counts seconds."""

    clock: Callable[[], float] = time.monotonic
    _grants: dict[str, Grant] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def issue(self, request: Request, *, user_id: str, company_id: str) -> str:
        """A fresh code."""
        code = secrets.token_urlsafe(24)
        grant = Grant(request=request, user_id=user_id, company_id=company_id, until=self.clock() + LASTS_SECONDS)
        with self._lock:
            self._grants[code] = grant
        return code

    def redeem(self, fields: Mapping[str, str]) -> Grant:
        """What the code of a token request stands for. It is used up, whatever else is wrong with the request.

        Raises:
            NotRedeemed: no such code, or no longer; or client, address or verifier are not those that belong to it.
        """
        if fields.get("grant_type") != "authorization_code":
            raise NotRedeemed("unsupported_grant_type", "Only codes are redeemed.")
        with self._lock:
            grant = self._grants.pop(fields.get("code", ""), None)
        if grant is None or self.clock() > grant.until:
            raise NotRedeemed("invalid_grant", "There is no such code, or no longer.")
        request = grant.request
        if (fields.get("client_id"), fields.get("redirect_uri")) != (request.client_id, request.redirect_uri):
            raise NotRedeemed("invalid_grant", "The code was issued to another client or address.")
        if not hmac.compare_digest(challenge_of(fields.get("code_verifier", "")), request.challenge):
            raise NotRedeemed("invalid_grant", "The verifier does not belong to the code.")
        return grant


def challenge_of(verifier: str) -> str:
    """The S256 challenge of a verifier."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
