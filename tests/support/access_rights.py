"""The architecture's rules about access, as tables: who needs what. Written without a look at the policies.

A right is an action and the kind of place it is done to. Whatever is not in `NEEDED`, `USER_DATA_RIGHTS` and
`OWN_RIGHTS` must be refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.access_places import Tags


Right = tuple[str, str]
"""An action, and the kind of place it is done to."""
COMPANY, USER = "acme", "lena"
LENA: Tags = (("company_id", COMPANY), ("user_id", USER))
# Ids that could pass for Lena if keys or patterns were less exact, and her namesakes elsewhere.
OTHERS = (
    ("acme", "len"),
    ("acme", "lena1"),
    ("acme", "Lena"),
    ("acme", "home-lena"),
    ("acme", "lena=2F"),
    ("acme", "mia"),
    ("acme2", "lena"),
    ("a", "lena"),
    ("other", "mia"),
)
NEEDED = {
    "load": {"read"},
    "ingest": {"read", "write"},
    "consolidate": {"write", "erase"},
    "maintain": {"write", "erase", "lister"},
    "account": {"read"},
    "admin": set(),
}
FUNCTIONS = tuple(NEEDED)
OBJECT_ACTIONS = ("GetObject", "PutObject", "DeleteObject")
VERSION_ACTIONS = ("GetObjectVersion", "DeleteObjectVersion")
OTHER_OBJECT_ACTIONS = ("PutObjectAcl", "GetObjectAcl")
ITEM_ACTIONS = (
    *("GetItem", "Query", "BatchGetItem", "ConditionCheckItem"),
    *("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"),
)
READ: frozenset[Right] = frozenset(
    {
        ("s3:GetObject", "profile"),
        ("s3:GetObjectVersion", "profile"),
        ("s3:GetObject", "legacy"),
        ("s3:ListBucket", "legacy listing"),
        ("dynamodb:GetItem", "items"),
        ("dynamodb:Query", "items"),
    }
)
WRITE = READ | {
    ("s3:PutObject", "profile"),
    ("s3:GetObject", "payload"),
    ("s3:PutObject", "payload"),
    ("s3:DeleteObject", "payload"),
    ("dynamodb:PutItem", "items"),
    ("dynamodb:UpdateItem", "items"),
    ("dynamodb:DeleteItem", "items"),
    ("dynamodb:ConditionCheckItem", "items"),
}
ERASE = WRITE | {
    *((f"s3:{action}", kind) for action in ("DeleteObject", "DeleteObjectVersion") for kind in ("profile", "legacy")),
    *(("s3:ListBucketVersions", f"{kind} listing") for kind in ("home", "profile", "legacy")),
    ("s3:ListBucket", "payload listing"),
}
USER_DATA_RIGHTS = {"read": READ, "write": WRITE, "erase": ERASE}
QUEUE_ACTIONS = (
    *("SendMessage", "ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility", "GetQueueAttributes"),
    "PurgeQueue",
)
_ALL: frozenset[Right] = frozenset(
    {
        ("logs:CreateLogStream", "own log"),
        ("logs:PutLogEvents", "own log"),
        ("xray:PutTraceSegments", "traces"),
        ("xray:PutTelemetryRecords", "traces"),
        ("secretsmanager:GetSecretValue", "hashing secret"),
        ("appconfig:StartConfigurationSession", "switches"),
        ("appconfig:GetLatestConfiguration", "switches"),
    }
)
RING: Right = ("sqs:SendMessage", "turns queue")
_COMPANY: Right = ("dynamodb:GetItem", "a company's settings")
_SPENDING: Right = ("dynamodb:Query", "a company's spending")
OWN_RIGHTS: dict[str, frozenset[Right]] = {
    "load": _ALL | {RING, _COMPANY},
    "ingest": _ALL | {RING, _COMPANY, _SPENDING},
    "consolidate": _ALL
    | {
        _COMPANY,
        _SPENDING,
        ("dynamodb:UpdateItem", "a company's spending"),
        *((f"sqs:{action}", "turns queue") for action in QUEUE_ACTIONS[1:5]),
        ("sqs:SendMessage", "dead-letter queue"),
        ("secretsmanager:GetSecretValue", "model secret"),
    },
    "account": _ALL | {_COMPANY},
    # It speaks of no user, and so hashes none.
    "admin": (_ALL - {("secretsmanager:GetSecretValue", "hashing secret")})
    | {_COMPANY, _SPENDING, ("dynamodb:UpdateItem", "a company's settings")},
    "maintain": _ALL | {RING, _COMPANY, _SPENDING, ("s3:ListBucket", "listing of companies")},
}
_OF_USERS = ("/users/lena/memory", "/users/lena/turns", "/users/lena/turns/t-1")
_OF_COMPANIES = ("", "/spaces/s1", "/usage")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PATHS = (*_OF_USERS, *_OF_COMPANIES)
CALLER_RIGHTS: dict[str, frozenset[tuple[str, str]]] = {
    "orchestrator": frozenset((method, path) for method in ("GET", "POST") for path in _OF_USERS),
    "reader": frozenset({("GET", "/users/lena/memory"), ("GET", "/users/lena/turns/t-1")}),
    "administrator": frozenset((method, path) for method in ("GET", "POST", "PUT", "DELETE") for path in PATHS),
}
"""Methods and paths below the company that its callers' policies let through, by kind of caller."""
