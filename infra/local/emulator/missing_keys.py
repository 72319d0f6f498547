"""403 instead of 404 for an object that is not there, when the caller may not list the bucket.

That check carries no prefix, so that a right to list under a condition on `s3:prefix` does not help: as AWS does.
"""

from __future__ import annotations

import importlib
from typing import Any

_DENIED = (
    b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'
)
_NOT_FOUND = 404


def install(evaluator: Any) -> None:
    """Wrap the emulator's S3."""
    s3: Any = importlib.import_module("ministack.services.s3")
    responses = importlib.import_module("ministack.core.responses")
    stock = s3.handle_request

    async def handle_request(method: str, path: str, *rest: Any, **named: Any) -> Any:
        answer = await stock(method, path, *rest, **named)
        caller = evaluator._verified_key.get()  # empty for the root-like keys of this machine
        bucket, _, key = path.lstrip("/").partition("/")
        if method not in {"GET", "HEAD"} or not key or answer[0] != _NOT_FOUND or not caller:
            return answer
        refusal = evaluator.enforce(
            caller,
            "s3:ListBucket",
            "s3",
            responses.get_region(),
            resource_arn=f"arn:aws:s3:::{bucket}",
            service_context={},
        )
        if refusal is None:
            return answer
        return 403, {"Content-Type": "application/xml"}, b"" if method == "HEAD" else _DENIED

    s3.handle_request = handle_request
