"""Who calls: the role behind a caller's ARN, and the locks that a company has put on itself beside IAM's.

API Gateway names a caller that has assumed a role `arn:aws:sts::<account>:assumed-role/<role>/<session>`.
The caller chose the session's name, so nothing is ever concluded from it; a role's path is not in there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# ASCII, and the whole of it: what only resembles a role's ARN names no role.
_ASSUMED_ROLE = re.compile(
    r"arn:aws[a-z-]*:sts::(?P<account>[0-9]{12}):assumed-role/(?P<role>[A-Za-z0-9_+=,.@-]{1,64})/[A-Za-z0-9_+=,.@-]{1,64}"
)


@dataclass(frozen=True, slots=True)
class Principal:
    """A role of an account; its name is written as IAM writes it, and compared letter by letter."""

    account: str
    role: str

    @classmethod
    def behind(cls, arn: str | None) -> Principal | None:
        """The role that a caller has assumed; None for users, roots, federated users, and what is no such ARN."""
        found = _ASSUMED_ROLE.fullmatch(arn or "")
        return cls(found["account"], found["role"]) if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyLock:
    """What a company asks for beside IAM's permission.

    Attributes:
        callers: only these roles may call for it; empty: whoever IAM lets through.
        require_user_token: a call about a user must show that user's own token.
    """

    callers: frozenset[Principal] = frozenset()
    require_user_token: bool = False

    def opens_for(self, arn: str | None) -> bool:
        """Whether the caller of this ARN (None: nobody was named) may call for the company."""
        return not self.callers or Principal.behind(arn) in self.callers
