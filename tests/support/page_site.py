"""The settings page with its real server and a real issuer, and nobody where the API would be."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from infra.local.issuer.keys import new_key
from infra.local.issuer.requests import Clients
from infra.local.issuer.server import Issuer
from infra.local.page.process import SETTINGS_FILE, tell
from infra.local.page.server import PageServer
from infra.local.processes import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey


@cache
def _key() -> RSAPrivateKey:
    """One for all: making it takes longer than a test."""
    return new_key()


@contextmanager
def page_site(folder: Path) -> Iterator[str]:
    """Serve the page; gives its address. What its API answers is for tests to say (`tests.support.page_answers`)."""
    with PageServer(folder / SETTINGS_FILE) as page:
        clients = Clients(
            audiences={"acme-app": ("acme",)},
            redirects=frozenset({f"{page.url}/"}),
            scopes=frozenset({"memory", "memory:change", "memory:export"}),
        )
        with Issuer(_key(), clients=clients) as issuer:
            tell(folder, api_url=f"http://localhost:{free_port()}", issuer_url=issuer.url)
            yield f"{page.url}/"
