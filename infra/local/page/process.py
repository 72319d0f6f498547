"""Runs the page's server beside the emulator, whose API the page calls."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

from infra.environments import LOCAL
from infra.local.stand_ins import stand_in
from infra.page.configuration import configuration

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SETTINGS_FILE = "page.json"


@contextmanager
def page(folder: Path, port: int) -> Iterator[str]:
    """Serve the page on a port; gives its address. It is there once `tell` has said whom it talks to.

    Raises:
        StartFailed: it does not answer.
    """
    url, settings = f"http://localhost:{port}", folder / SETTINGS_FILE
    settings.unlink(missing_ok=True)
    arguments = ("infra.local.page", "--port", str(port), "--settings", str(settings))
    with stand_in("settings page", *arguments, asked_at=url, log=folder / "page.log"):
        yield url


def tell(folder: Path, *, api_url: str, issuer_url: str) -> None:
    """Say whom the page of this folder talks to; whoever reads never sees half of it."""
    assert LOCAL.page is not None and LOCAL.oidc is not None  # noqa: S101, PT018 - its file says so
    known = configuration(LOCAL.page, LOCAL.oidc, api_url=api_url, issuer=issuer_url)
    fresh = folder / f"{SETTINGS_FILE}.new"
    fresh.write_text(json.dumps(known))
    fresh.replace(folder / SETTINGS_FILE)
