"""The gateway's access log: that something was asked and how it went, never what about or for whom.

No path, no query string and no header: they hold ids. The route's key stands for the path; the caller is the role or
user of the company that signed the request, and absent where an end user's token was shown.
"""

from __future__ import annotations

import json

FIELDS = {
    "request_id": "$context.requestId",
    "route": "$context.routeKey",
    "status": "$context.status",
    "latency_ms": "$context.responseLatency",
    "integration_latency_ms": "$context.integrationLatency",
    "integration_status": "$context.integrationStatus",
    "integration_error": "$context.integrationErrorMessage",
    "refused_as": "$context.error.responseType",
    "caller_account": "$context.identity.accountId",
    "caller": "$context.identity.userArn",
}
FORMAT = json.dumps(FIELDS, separators=(",", ":"))
