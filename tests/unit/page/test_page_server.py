"""The local server of the settings page: the files that there are, with the headers that CloudFront sends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx
import pytest

from infra.environments import LOCAL
from infra.local.page.process import SETTINGS_FILE, tell
from infra.local.page.server import PageServer
from infra.page.configuration import configuration, origin
from infra.page.files import files
from infra.page.headers import headers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

API, ISSUER = "http://localhost:1/_aws/execute-api/abc", "http://localhost:2"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PageServer]:
    with PageServer(tmp_path / SETTINGS_FILE) as running:
        yield running


def get(server: PageServer, path: str) -> httpx.Response:
    return httpx.get(f"{server.url}{path}", trust_env=False)


def test_every_file_is_served_with_its_kind_and_every_header(server: PageServer, tmp_path: Path) -> None:
    tell(tmp_path, api_url=API, issuer_url=ISSUER)
    wanted = headers(api_origin="http://localhost:1", sign_in_origins=[ISSUER])

    assert {"/", "/index.html", "/code/main.js", "/style/base.css", "/icon.svg"} <= set(files())
    for path, file in files().items():
        answer = get(server, path)
        assert answer.content == file.read_bytes()
        assert {name: answer.headers[name] for name in wanted} == wanted
    assert get(server, "/code/main.js").headers["content-type"] == "text/javascript; charset=utf-8"


def test_the_page_is_told_whom_it_talks_to(server: PageServer, tmp_path: Path) -> None:
    assert get(server, "/").status_code == 404  # before anybody has told it
    tell(tmp_path, api_url=API, issuer_url=ISSUER)

    told = get(server, "/config.json").json()
    assert LOCAL.page is not None
    assert LOCAL.oidc is not None
    assert told == json.loads(json.dumps(configuration(LOCAL.page, LOCAL.oidc, api_url=API, issuer=ISSUER)))
    assert (told["api_url"], told["issuer"], told["client_id"]) == (API, ISSUER, "acme-app")
    assert set(told["scope"].split()) == {"memory", "memory:change", "memory:export"}


@pytest.mark.parametrize("path", ["/../server.py", "/code", "/code/../../__init__.py", "/page.json", "/nothing"])
def test_nothing_else_is_served(server: PageServer, tmp_path: Path, path: str) -> None:
    tell(tmp_path, api_url=API, issuer_url=ISSUER)

    assert get(server, path).status_code == 404


def test_the_policy_allows_own_code_the_api_and_the_issuer_alone() -> None:
    told = headers(api_origin="https://api.example", sign_in_origins=["https://issuer.example"])
    directives = dict(part.strip().split(" ", 1) for part in told["content-security-policy"].split(";"))

    assert directives["default-src"] == directives["frame-ancestors"] == directives["form-action"] == "'none'"
    assert directives["script-src"] == directives["style-src"] == "'self'"
    assert directives["connect-src"] == "'self' https://api.example https://issuer.example"
    assert (directives["require-trusted-types-for"], directives["trusted-types"]) == ("'script'", "'none'")
    assert not any(word in told["content-security-policy"] for word in ("unsafe", "*", "data:", "blob:"))


def test_an_origin_is_an_address_without_its_path() -> None:
    assert origin("https://issuer.example:8443/pool/one?x=1") == "https://issuer.example:8443"
