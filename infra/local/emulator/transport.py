"""How requests count that reach the emulator over plain HTTP or through a proxy, both on this machine."""

from __future__ import annotations

from typing import Any


def assume_tls(evaluator: Any) -> None:
    """Let every request count as TLS, or the buckets' TLS-only policies would deny all of them."""
    stock = evaluator.pin_request_origin
    evaluator.pin_request_origin = lambda address, _secure: stock(address, True)  # noqa: FBT003 - the emulator's signature


def verify_against(evaluator: Any, host: str) -> None:
    """Verify signatures as if each request had been sent to `host`, which is what its sender signed."""
    stock = evaluator.pin_signed_request

    def pin(method: str, path: str, query: Any, headers: Any, *rest: Any, **named: Any) -> Any:
        signed = [(name, host.encode() if name.lower() == b"host" else value) for name, value in headers]
        return stock(method, path, query, signed, *rest, **named)

    evaluator.pin_signed_request = pin
