"""403 for a call of an IAM route of an HTTP API that shows something else than a signature, as AWS answers.

The emulator lets whoever sends any other `Authorization` through, for example a user's token.
"""

from __future__ import annotations

from typing import Any

_SIGNED = "AWS4-HMAC-SHA256"
_FORBIDDEN = (403, {"Content-Type": "application/json"}, b'{"message":"Forbidden"}')


def install(gateway: Any) -> None:
    """Wrap the emulator's HTTP APIs."""
    stock = gateway._handle_execute_in_scope

    async def execute(api_id: str, stage: str, path: str, method: str, headers: Any, *rest: Any, **named: Any) -> Any:
        shown = next((value for name, value in headers.items() if name.lower() == "authorization"), _SIGNED)
        by_iam = gateway.route_authorization_type(api_id, stage, method, path) == "AWS_IAM"
        if by_iam and not shown.startswith(_SIGNED):
            return _FORBIDDEN
        return await stock(api_id, stage, path, method, headers, *rest, **named)

    gateway._handle_execute_in_scope = execute
