"""The static files of the page. There is no build: what stands in `static/` is what a browser gets."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "static"
CONFIGURATION = "config.json"
"""Stands beside the files and differs per environment; see `infra.page.configuration`."""
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
"""Content types by ending; a file of another kind is not served."""


def files() -> dict[str, Path]:
    """Every file by its path in addresses (`/code/main.js`); the page itself at `/`, too."""
    found = {f"/{file.relative_to(FOLDER).as_posix()}": file for file in FOLDER.rglob("*") if file.suffix in KINDS}
    return found | {"/": found["/index.html"]}
