"""Who asks, as key policies want to know it: `aws:PrincipalArn` names a role and not its session, `kms:CallerAccount`.

The emulator tells the session's ARN, and knows no condition keys of KMS.
"""

from __future__ import annotations

import re
from typing import Any

_SESSION = re.compile(r"arn:(?P<partition>[^:]+):sts::(?P<account>\d+):assumed-role/(?P<role>[^/]+)/.+")


def install(evaluator: Any) -> None:
    """Resolve both in the module that resolves condition keys."""
    stock = evaluator._resolve_condition_key

    def resolve(key: str, context: Any) -> Any:
        match key.lower():
            case "aws:principalarn":
                return role_of(context.principal_arn)
            case "kms:calleraccount":
                return context.principal_account
            case _:
                return stock(key, context)

    evaluator._resolve_condition_key = resolve


def role_of(arn: str) -> str:
    """The ARN of the role of a session; any other as it is."""
    found = _SESSION.fullmatch(arn)
    return f"arn:{found['partition']}:iam::{found['account']}:role/{found['role']}" if found else arn
