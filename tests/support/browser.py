"""A headless browser for tests of the settings page: one of this machine, else the one that `make setup` fetched."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from infra.layers.cache import built_once, fingerprint
from infra.layers.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from playwright.sync_api import Browser

REQUIRED = os.environ.get("CONTEXT_MEMORY_REQUIRE_BROWSER") == "1"
AXE = ROOT / ".cache" / "browser" / "node_modules" / "axe-core" / "axe.min.js"
_NAMED = "CONTEXT_MEMORY_BROWSER"
_OWN = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_PACKAGE = ROOT / ".cache" / "browser" / "node_modules" / "@sparticuz" / "chromium"
_UNPACK = ROOT / "tests" / "local" / "browser" / "unpack.mjs"
_UNPACKED = ROOT / "build" / "browser"
_NODE = Path(sysconfig.get_path("scripts")) / "node"


def missing() -> str:
    """Why there is no browser to test with; empty when there is one."""
    found = _own() or (_PACKAGE.is_dir() and _NODE.exists())
    return "" if found and AXE.is_file() else "no browser or no accessibility checker: `make setup` says why"


@contextmanager
def browser() -> Iterator[Browser]:
    """A running browser. It will see our own pages alone, and so needs no sandbox, which root cannot have."""
    program, variables = _program()
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=program, env={**os.environ, **variables})
        try:
            yield running
        finally:
            running.close()


def _own() -> str | None:
    return os.environ.get(_NAMED) or next((found for name in _OWN if (found := shutil.which(name))), None)


def _program() -> tuple[Path, Mapping[str, str]]:
    """The browser, and what its environment needs."""
    if own := _own():
        return Path(own), {}
    (ROOT / "build").mkdir(exist_ok=True)
    built_once(_UNPACKED, fingerprint(files=[_PACKAGE / "package.json", _UNPACK]), _unpack)
    libraries = [str(_UNPACKED / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
    return _UNPACKED / "chromium", {
        "LD_LIBRARY_PATH": ":".join(filter(None, libraries)),
        "FONTCONFIG_FILE": str(_UNPACKED / "fonts.conf"),
    }


def _unpack(folder: Path) -> None:
    subprocess.run([_NODE, _UNPACK, _PACKAGE, folder], check=True, cwd=ROOT)  # noqa: S603 - our own script
