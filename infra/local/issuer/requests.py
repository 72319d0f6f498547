"""Requests to sign somebody in: authorization code with PKCE, and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")  # a SHA-256 as URL-safe base64 without padding


class Unknown(Exception):
    """The client or the address to send users back to is not known: the request is answered here."""


class Refused(Exception):
    """A known client asked for what there is not; `name` is OAuth's word for it."""

    def __init__(self, request: Request, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.request = request
        self.name = name


@dataclass(frozen=True, slots=True, kw_only=True)
class Clients:
    """Whom users are signed in for: each client (an audience of tokens) with the companies it may speak for.

    `redirects`: addresses that users are sent back to, to the letter. `scopes`: what a token may hold.
    """

    audiences: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    redirects: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()

    def companies(self, client_id: str) -> tuple[str, ...]:
        """Companies that a client may speak for; none for a stranger."""
        return self.audiences.get(client_id, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a client asks for on behalf of somebody who is to sign in."""

    client_id: str
    redirect_uri: str
    scope: str
    state: str
    challenge: str

    @classmethod
    def read(cls, fields: Mapping[str, str], clients: Clients) -> Self:
        """Read the fields of a query or a form.

        Raises:
            Unknown: client or address are not known.
            Refused: the rest is not as it must be.
        """
        request = cls(
            client_id=fields.get("client_id", ""),
            redirect_uri=fields.get("redirect_uri", ""),
            scope=fields.get("scope", ""),
            state=fields.get("state", ""),
            challenge=fields.get("code_challenge", ""),
        )
        if not clients.companies(request.client_id):
            raise Unknown("This client is not known.")
        if request.redirect_uri not in clients.redirects:
            raise Unknown("Nobody is sent back to this address.")
        if fields.get("response_type") != "code":
            raise Refused(request, "unsupported_response_type", "Only codes are issued.")
        if fields.get("code_challenge_method") != "S256" or not _CHALLENGE.fullmatch(request.challenge):
            raise Refused(request, "invalid_request", "PKCE with S256 is required.")
        if not request.scope or not set(request.scope.split()) <= clients.scopes:
            raise Refused(request, "invalid_scope", "There is no such scope.")
        return request

    @property
    def fields(self) -> dict[str, str]:
        """The request as the fields that it can be read from again."""
        return {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": self.scope,
            "state": self.state,
            "code_challenge": self.challenge,
            "code_challenge_method": "S256",
        }
