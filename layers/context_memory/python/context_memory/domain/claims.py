"""Whose token is this? Company and user come from a token's claims alone, as far as its audience may speak for them.

Claims are read as API Gateway hands them on, every value a text and a list as `[a b]`, and as JSON.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.errors import ClaimRefused, InvalidId
from context_memory.domain.ids import UserKey

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_ACCESS_TOKENS = frozenset({"bearer", "dpop", "jwt", "at+jwt", "application/at+jwt"})
"""What `typ` is among the claims of access tokens, where an issuer says it there."""
_ONLY_IN_ID_TOKENS = ("at_hash", "c_hash")
_COLLECTION = re.compile(r"(map)?\[.*\]|\{.*\}", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """What an environment believes of the tokens of its one issuer.

    `audiences`: by audience the companies that its tokens may speak for.
    `scope` lets a token read its user's memory, `change_scope` read and change it, `export_scope` take all of it out.
    """

    issuer: str
    audiences: Mapping[str, tuple[str, ...]]
    scope: str
    change_scope: str
    export_scope: str
    user_claim: str
    company_claim: str

    @property
    def reading(self) -> frozenset[str]:
        """Scopes of which a token needs one to read."""
        return frozenset({self.scope, self.change_scope})

    @property
    def changing(self) -> frozenset[str]:
        """Scopes of which a token needs one to change something."""
        return frozenset({self.change_scope})

    @property
    def exporting(self) -> frozenset[str]:
        """Scopes of which a token needs one to take out all that is held."""
        return frozenset({self.export_scope})


NOBODY = Trust(issuer="", audiences={}, scope="", change_scope="", export_scope="", user_claim="", company_claim="")
"""Believes no token, where an environment names no issuer."""


def whose(
    claims: Mapping[str, object],
    trust: Trust,
    *,
    scopes: Collection[str] | None = None,
    written: Mapping[str, object] | None = None,
) -> UserKey:
    """The user whom a token speaks for; its signature and its times were checked before.

    Args:
        claims: as the gateway hands them on, or as JSON.
        trust: what is believed.
        scopes: those of which the token must hold one; None: the plain one, `trust.scope`.
        written: beside texts of the gateway the claims as the token writes them, None where they are not at hand. A
            user who is no text there is nobody: null, or a number too long, may be the same text for many.

    Raises:
        ClaimRefused: names the first claim that is missing, malformed or not allowed, and never its value.
    """
    if claims.get("iss") != trust.issuer:
        raise ClaimRefused("iss", "must be the issuer of this environment")
    companies = _companies(claims, trust)
    if "exp" not in claims:
        raise ClaimRefused("exp", "must be given: no token is for ever")
    _check_that_it_opens_doors(claims, {trust.scope} if scopes is None else scopes)
    user_id = _one(claims, trust.user_claim)
    if written is not None and written.get(trust.user_claim) != user_id:
        raise ClaimRefused(trust.user_claim, "must be one text")
    try:
        return UserKey(_company(claims, trust.company_claim, companies), user_id)
    except InvalidId as error:
        claim = trust.user_claim if error.field == "user_id" else trust.company_claim
        raise ClaimRefused(claim, error.detail) from None


def _companies(claims: Mapping[str, object], trust: Trust) -> tuple[str, ...]:
    """What the token's audience may assert. A token for two of ours would leave open which of them speaks."""
    claim = "aud" if "aud" in claims else "client_id"  # as the gateway looks for it
    known = set(_several(claims.get(claim))) & set(trust.audiences)
    if len(known) != 1:
        raise ClaimRefused("aud", "must hold exactly one audience of this environment")
    return trust.audiences[known.pop()]


def _check_that_it_opens_doors(claims: Mapping[str, object], scopes: Collection[str]) -> None:
    """Access tokens only: an ID token says who somebody is, and was made for another reader."""
    if claims.get("token_use", "access") != "access":
        raise ClaimRefused("token_use", "must be 'access'")
    if str(claims.get("typ", "bearer")).lower() not in _ACCESS_TOKENS:
        raise ClaimRefused("typ", "must be that of an access token")
    for claim in _ONLY_IN_ID_TOKENS:
        if claim in claims:
            raise ClaimRefused(claim, "must be absent: it marks an ID token")
    granted = {one for claim in ("scope", "scp") for text in _several(claims.get(claim)) for one in text.split()}
    if granted.isdisjoint(scopes):
        raise ClaimRefused("scope", "must hold the scope that this environment asks for")


def _company(claims: Mapping[str, object], claim: str, companies: tuple[str, ...]) -> str:
    if claim not in claims:
        if len(companies) != 1:
            raise ClaimRefused(claim, "must be given: the audience speaks for several companies")
        return companies[0]
    named = _several(claims[claim])
    if len(named) != 1:
        raise ClaimRefused(claim, "must name one company")
    if named[0] not in companies:
        raise ClaimRefused(claim, "must name a company that the audience may speak for")
    return named[0]


def _one(claims: Mapping[str, object], claim: str) -> str:
    """A claim with one value. A text that could be a list or an object handed on as text is none."""
    value = claims.get(claim)
    if value is None:
        raise ClaimRefused(claim, "must be given")
    if not isinstance(value, str) or not value or _COLLECTION.fullmatch(value):
        raise ClaimRefused(claim, "must be one text")
    return value


def _several(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(value[1:-1].split()) if value.startswith("[") and value.endswith("]") else (value,)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
