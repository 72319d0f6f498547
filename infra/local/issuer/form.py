"""The sign-in form: it asks who somebody wants to be, for this is a stand-in."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from typing import TYPE_CHECKING

from infra.page.configuration import origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from infra.local.issuer.requests import Request

_STYLE = """
:root { color-scheme: light dark; }
body { display: grid; place-items: center; min-height: 90vh; margin: 0 1.5rem; font: 1rem/1.6 system-ui, sans-serif; }
form { display: grid; gap: .6rem; width: min(22rem, 100%); }
h1 { font-size: 1.4rem; margin: 0; }
p { margin: 0 0 .6rem; }
input, select, button { font: inherit; padding: .55rem .75rem; }
"""
_DIGEST = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()


def html(request: Request, companies: Iterable[str]) -> str:
    """The form of a request; it carries the request along."""
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in request.fields.items()
    )
    options = "".join(f"<option>{escape(company)}</option>" for company in companies)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign in</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f'<body><main><form method="post" action="/authorize"><h1>Sign in</h1>'
        f"<p>This stands in for your company's sign-in. Say who you want to be; no password is asked.</p>{hidden}"
        f'<label for="user">User</label><input id="user" name="user" required autofocus maxlength="128">'
        f'<label for="company">Company</label><select id="company" name="company">{options}</select>'
        f"<button>Sign in</button></form></main></body></html>"
    )


def headers(request: Request) -> Mapping[str, str]:
    """Headers of the form: a browser counts where a form's answer leads as an action of it."""
    policy = (
        f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; frame-ancestors 'none'; "
        f"form-action 'self' {origin(request.redirect_uri)}"
    )
    return {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
    }
