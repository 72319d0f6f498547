"""End users of the deployed service, who call it with a token of their own."""

from __future__ import annotations

import json
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Owner:
    """A user who calls for their own memory, with a token of the local issuer."""

    deployed: Deployed
    user_id: str
    scope: str = "memory:change memory:export"

    def call(self, method: str, path: str, document: object = None, **headers: str) -> httpx.Response:
        """One request to `/v1/me/…`; `document` is sent as JSON, bytes as they are."""
        token = signed(claims_of(self.deployed, self.user_id, scope=self.scope), key_of(self.deployed))
        content = (
            document if isinstance(document, bytes) else b"" if document is None else json.dumps(document).encode()
        )
        return self.deployed.call(
            method,
            f"/v1/me/{path}",
            content=content,
            headers={"authorization": f"Bearer {token}"} | headers,
            signed=False,
        )

    def get(self, path: str) -> Any:  # noqa: ANN401 - any JSON
        """What a route of theirs shows."""
        answer = self.call("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def edits(self, **sections: list[str]) -> httpx.Response:
        """Let the memory be these bullets, over what stands; headings are spelled as names."""
        document = {
            "sections": [{"heading": name.replace("_", " "), "bullets": texts} for name, texts in sections.items()]
        }
        return self.call("PUT", "memory", document, **{"if-match": self.etag()})

    def etag(self) -> str:
        """The version that stands."""
        return self.call("GET", "memory").headers["etag"]


def see(deployed: Deployed, user_id: str, **changes: object) -> httpx.Response:
    """What a user sees of their own memory, with a token of the local issuer."""
    return ask(deployed, signed(claims_of(deployed, user_id, **changes), key_of(deployed)))


def seen(deployed: Deployed, user_id: str, **changes: object) -> dict[str, Any]:
    """The same, where it is answered."""
    answer = see(deployed, user_id, **changes)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())
