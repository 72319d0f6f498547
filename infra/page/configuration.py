"""`config.json`: whom the page of an environment talks to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from infra.environments.parts import Oidc, Page


def configuration(page: Page, oidc: Oidc, *, api_url: str, issuer: str) -> dict[str, Any]:
    """What stands in it: addresses and names, no secret."""
    return {
        "api_url": api_url,
        "issuer": issuer,
        "client_id": page.client_id,
        "scope": " ".join(oidc.scopes),
        "identity_claims": [oidc.user_claim, oidc.company_claim],
        "sign_in_parameters": dict(page.sign_in_parameters),
    }


def origin(address: str) -> str:
    """Scheme, host and port of an address, as a Content-Security-Policy names them."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
