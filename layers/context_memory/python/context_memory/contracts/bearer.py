"""What a bearer's token says in its own words. The gateway has checked its signature; nothing is checked here."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.contracts.http import Request

# One token and nothing beside it: of several nobody could say which one the gateway has checked.
_ONE_TOKEN = re.compile(r"(?:bearer +)?[A-Za-z0-9_-]+\.(?P<payload>[A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+", re.IGNORECASE)


def written_claims(request: Request) -> Mapping[str, object] | None:
    """The claims with the types that they have in the token: the gateway hands each of them on as a text.

    None where no token came with the request; empty where what came cannot be read.
    """
    header = request.headers.get("authorization")
    if header is None:
        return None
    found = _ONE_TOKEN.fullmatch(header.strip())
    if found is None:
        return {}
    try:
        claims = json.loads(base64.urlsafe_b64decode(f"{found['payload']}=="))
    except (ValueError, RecursionError):
        return {}
    return claims if isinstance(claims, dict) else {}
