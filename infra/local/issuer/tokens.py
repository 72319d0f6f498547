"""Access tokens, as an issuer makes them."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING

import jwt

from infra.local.issuer.keys import key_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

EXPIRES_SECONDS = 3600


def access_claims(
    *, issuer: str, user_id: str, audience: str, scope: str, company_id: str | None, expires: int = EXPIRES_SECONDS
) -> dict[str, object]:
    """Claims of an access token that expires in so many seconds; without `company_id` the audience must say it."""
    now = int(time.time())
    company = {"company_id": company_id} if company_id else {}
    return {
        "iss": issuer,
        "sub": user_id,
        "aud": audience,
        "client_id": audience,
        "scope": scope,
        "iat": now,
        "exp": now + expires,
        "jti": str(uuid.uuid4()),
        **company,
    }


def signed(claims: Mapping[str, object], key: RSAPrivateKey) -> str:
    """The claims as a JWT under the key."""
    return jwt.encode(dict(claims), key, algorithm="RS256", headers={"kid": key_id(key), "typ": "at+jwt"})
