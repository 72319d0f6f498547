"""The architecture's rules about access, as tables: who needs what. Written without a look at the policies.

A right is an action and the kind of place it is done to. Whatever is not in `NEEDED`, `USER_DATA_RIGHTS` and
`OWN_RIGHTS` must be refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.access_cells import Items, Listing, Named, Object

if TYPE_CHECKING:
    from tests.support.access_cells import Place, Tags

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
}
FUNCTIONS = tuple(NEEDED)

OBJECT_ACTIONS = ("GetObject", "PutObject", "DeleteObject")
VERSION_ACTIONS = ("GetObjectVersion", "DeleteObjectVersion")
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
    *(
        (f"s3:{action}", f"{kind} listing")
        for action in ("ListBucket", "ListBucketVersions")
        for kind in ("home", "profile", "legacy")
    ),
    ("s3:ListBucket", "payload listing"),
}
USER_DATA_RIGHTS = {"read": READ, "write": WRITE, "erase": ERASE}

_QUEUE_ACTIONS = (
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
    }
)
RING: Right = ("sqs:SendMessage", "turns queue")
OWN_RIGHTS: dict[str, frozenset[Right]] = {
    "load": _ALL | {RING},
    "ingest": _ALL | {RING},
    "consolidate": _ALL
    | {
        *((f"sqs:{action}", "turns queue") for action in _QUEUE_ACTIONS[1:5]),
        ("sqs:SendMessage", "dead-letter queue"),
        ("secretsmanager:GetSecretValue", "model secret"),
    },
    "maintain": _ALL | {RING, ("s3:ListBucket", "listing of companies")},
}


def user_data(company: str, user: str) -> dict[Right, Place]:
    """Everything that one could want to do to what a user has."""
    profile = f"{company}/home-{user}/user-memory/memory.md"
    legacy = f"{company}/user-memory/{user}/memory.md"
    payloads = f"turns/{company}/home-{user}/"
    objects = {
        "profile": Object("profiles", profile),
        "legacy": Object("profiles", legacy),
        "payload": Object("work", f"{payloads}t-1.json"),
    }
    listings = {
        "home": Listing("profiles", f"{company}/home-{user}/"),
        "profile": Listing("profiles", profile),
        "legacy": Listing("profiles", legacy),
        "payload": Listing("work", payloads),
    }
    items = Items("users", (f"{company}#{user}",))
    return {
        **{(f"s3:{action}", kind): place for kind, place in objects.items() for action in OBJECT_ACTIONS},
        **{(f"s3:{action}", kind): objects[kind] for kind in ("profile", "legacy") for action in VERSION_ACTIONS},
        **{
            (f"s3:{action}", f"{kind} listing"): place
            for kind, place in listings.items()
            for action in ("ListBucket", "ListBucketVersions")
        },
        **{(f"dynamodb:{action}", "items"): items for action in ITEM_ACTIONS},
        ("dynamodb:GetItem", "company's items"): Items("companies", (f"{company}#{user}",)),
        ("dynamodb:PutItem", "company's items"): Items("companies", (f"{company}#{user}",)),
    }


def infrastructure() -> dict[Right, Place]:
    """Everything that one could want to do to what is nobody's in particular; logs are each function's own."""
    queues = {
        "turns queue": Named("sqs", "context-memory-{environment}-turns.fifo"),
        "dead-letter queue": Named("sqs", "context-memory-{environment}-turns-dead.fifo"),
        "another queue": Named("sqs", "context-memory-{environment}-turns.fifo2"),
    }
    secrets = {
        f"{kind} secret": Named("secretsmanager", f"secret:context-memory/{{environment}}/{name}-Ab12Cd")
        for kind, name in (("hashing", "hashing"), ("model", "model-api"), ("another", "hashing-Ab12Cd"))
    }
    return {
        **{(f"sqs:{action}", kind): place for kind, place in queues.items() for action in _QUEUE_ACTIONS},
        **{
            (f"secretsmanager:{action}", kind): place
            for kind, place in secrets.items()
            for action in ("GetSecretValue", "PutSecretValue")
        },
        ("xray:PutTraceSegments", "traces"): Named("xray", "*"),
        ("xray:PutTelemetryRecords", "traces"): Named("xray", "*"),
        ("xray:GetTraceSummaries", "traces"): Named("xray", "*"),
        ("s3:ListBucket", "listing of companies"): Listing("work", "turns/", "/"),
        ("s3:ListBucket", "listing of all turns"): Listing("work", "turns/"),
        ("s3:ListBucket", "listing of a company"): Listing("work", "turns/acme/", "/"),
        ("s3:ListBucket", "listing of everything"): Listing("work", None, "/"),
        ("s3:ListBucket", "listing of profiles"): Listing("profiles", "turns/", "/"),
        ("dynamodb:Scan", "items"): Items("users"),
        ("dynamodb:Scan", "company's items"): Items("companies"),
    }
