"""What a browser is told about the page: whatever it does not need is forbidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

HSTS_SECONDS = 2 * 365 * 86400
CACHE_CONTROL = "no-cache"
"""Files are small and asked about anew each time: modules of two releases never run side by side."""


def policy(*, api_origin: str, sign_in_origins: Iterable[str]) -> str:
    """The Content-Security-Policy: own files, the API, and whoever signs users in; no inline code, no markup from text.

    `trusted-types 'none'` lets nothing be turned into markup or code: user text can only ever be text.
    """
    connect = " ".join(["'self'", api_origin, *sign_in_origins])
    directives = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "connect-src": connect,
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def headers(*, api_origin: str, sign_in_origins: Iterable[str]) -> dict[str, str]:
    """All headers of every answer, by lower-case name."""
    return {
        "content-security-policy": policy(api_origin=api_origin, sign_in_origins=sign_in_origins),
        "strict-transport-security": f"max-age={HSTS_SECONDS}; includeSubDomains",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        # Popups: signing in again happens in one, beside what somebody was writing.
        "cross-origin-opener-policy": "same-origin-allow-popups",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }
