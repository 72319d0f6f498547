"""The page's files over HTTP, each with the headers that CloudFront sends."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

from infra.local.loopback import Answer, Asked, Loopback
from infra.page.configuration import origin
from infra.page.files import CONFIGURATION, KINDS, files
from infra.page.headers import CACHE_CONTROL, headers

if TYPE_CHECKING:
    from pathlib import Path


class PageServer(Loopback):
    """Serves the page; `settings` is a file that holds what `config.json` says, read anew for each answer.

    So the page can be up before the API is, whose address it tells.
    """

    def __init__(self, settings: Path, port: int = 0) -> None:
        super().__init__(port, self._file)
        self._settings = settings

    def _file(self, asked: Asked) -> Answer:
        path = self._settings if asked.path == f"/{CONFIGURATION}" else files().get(asked.path)
        if asked.method == "POST" or path is None or not self._settings.exists():
            return Answer(HTTPStatus.NOT_FOUND, {"content-type": "text/plain"}, b"no such file\n")
        known = json.loads(self._settings.read_text())
        always = headers(api_origin=origin(known["api_url"]), sign_in_origins=[origin(known["issuer"])])
        kind = {"content-type": KINDS[path.suffix], "cache-control": CACHE_CONTROL}
        return Answer(HTTPStatus.OK, always | kind, path.read_bytes())
