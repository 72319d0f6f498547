"""End users of the deployed service, who call it with a token of their own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from infra.local.issuer.keys import read_key
from infra.local.issuer.tokens import access_claims, signed

if TYPE_CHECKING:
    import httpx
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

    from tests.support.deployed import Deployed

ROUTE = "/v1/me/memory"
AUDIENCE, SHARED = "acme-app", "shared-app"
LOCKED_AUDIENCE = "locked-app"
"""Speaks for the companies that have locks, where tests deploy them."""


def key_of(deployed: Deployed) -> RSAPrivateKey:
    """The key of the local issuer."""
    return read_key(Path(deployed.local.outputs.issuer_key_file))


def claims_of(deployed: Deployed, user_id: str, **changes: object) -> dict[str, object]:
    """Claims of a token that is as it should be, with changes; None leaves a claim out."""
    claims = access_claims(
        issuer=deployed.local.outputs.issuer_url, user_id=user_id, audience=AUDIENCE, scope="memory", company_id=None
    )
    return {name: value for name, value in (claims | changes).items() if value is not None}


def ask(deployed: Deployed, token: str, path: str = ROUTE, **headers: str) -> httpx.Response:
    """What the API answers to a bearer of this token."""
    return deployed.call("GET", path, headers={"authorization": f"Bearer {token}"} | headers, signed=False)


def see(deployed: Deployed, user_id: str, **changes: object) -> httpx.Response:
    """What a user sees of their own memory, with a token of the local issuer."""
    return ask(deployed, signed(claims_of(deployed, user_id, **changes), key_of(deployed)))


def seen(deployed: Deployed, user_id: str, **changes: object) -> dict[str, Any]:
    """The same, where it is answered."""
    answer = see(deployed, user_id, **changes)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())
