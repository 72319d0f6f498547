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
    "recall": {"recall"},
    "consolidate": {"write", "erase"},
    "extract": {"write"},
    "maintain": {"write", "erase", "lister"},
    "account": {"read", "write", "erase"},
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
_INDEXES = ("index", "index called as a shared one")
READ: frozenset[Right] = frozenset(
    {
        ("s3:GetObject", "profile"),
        ("s3:GetObjectVersion", "profile"),
        ("s3:GetObject", "legacy"),
        ("s3:ListBucket", "legacy listing"),
        ("dynamodb:GetItem", "items"),
        ("dynamodb:Query", "items"),
        *(("s3:GetObject", kind) for kind in _INDEXES),
        *(("s3:ListBucket", f"{kind} listing") for kind in _INDEXES),
    }
)
RECALL = READ | {(f"dynamodb:{action}", "items") for action in ("PutItem", "UpdateItem", "ConditionCheckItem")}
WRITE = READ | {
    *((f"s3:{action}", kind) for action in ("PutObject", "DeleteObject") for kind in _INDEXES),
    ("s3:PutObject", "profile"),
    ("s3:GetObject", "payload"),
    ("s3:PutObject", "payload"),
    ("s3:DeleteObject", "payload"),
    *((f"s3:{action}", "kept text") for action in ("GetObject", "PutObject", "DeleteObject")),
    ("s3:PutObject", "marker"),
    ("dynamodb:PutItem", "items"),
    ("dynamodb:UpdateItem", "items"),
    ("dynamodb:DeleteItem", "items"),
    ("dynamodb:ConditionCheckItem", "items"),
}
ERASE = WRITE | {
    *(
        (f"s3:{action}", kind)
        for action in ("DeleteObject", "DeleteObjectVersion")
        for kind in ("profile", "legacy", "file beside it", "file of another folder")
    ),
    *(("s3:ListBucketVersions", f"{kind} listing") for kind in ("home", "profile", "legacy")),
    ("s3:ListBucket", "payload listing"),
    ("s3:ListBucket", "kept text listing"),
    ("s3:DeleteObject", "marker"),
}
USER_DATA_RIGHTS = {"read": READ, "recall": RECALL, "write": WRITE, "erase": ERASE}
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
RING_FACTS: Right = ("sqs:SendMessage", "facts queue")
SEND_JOBS: Right = ("sqs:SendMessage", "jobs queue")
_COMPANY: Right = ("dynamodb:GetItem", "a company's settings")
_SPACE: Right = ("dynamodb:GetItem", "a company's spaces")
_SPENDING: Right = ("dynamodb:Query", "a company's spending")
_COUNT: Right = ("dynamodb:UpdateItem", "a company's spending")
_DUE: Right = ("dynamodb:PutItem", "what is due")
_TELL: Right = ("events:PutEvents", "bus")
_LINK: Right = ("dynamodb:GetItem", "links")
_ERASE_LINKS: frozenset[Right] = frozenset(
    (f"dynamodb:{action}", what)
    for what in ("links", "a company's merges", "a link and a merge")
    for action in ("Query", "DeleteItem")
)
_EMBED: Right = ("secretsmanager:GetSecretValue", "embedding secret")
_MODEL: Right = ("secretsmanager:GetSecretValue", "model secret")
_JOBS: frozenset[Right] = frozenset(
    (f"dynamodb:{action}", "jobs of a company") for action in ("GetItem", "Query", "PutItem")
)
OWN_RIGHTS: dict[str, frozenset[Right]] = {
    "load": _ALL | {RING, _COMPANY, _SPACE, _LINK},
    "ingest": _ALL | {RING, _COMPANY, _SPACE, _SPENDING, _LINK},
    "recall": _ALL | {_COMPANY, _SPACE, _LINK, _EMBED, SEND_JOBS},
    "consolidate": _ALL
    | {
        *(RING_FACTS, _COMPANY, _SPACE, _SPENDING, _COUNT, _DUE, SEND_JOBS, _TELL, _MODEL),
        *((f"sqs:{action}", "turns queue") for action in QUEUE_ACTIONS[1:5]),
        ("sqs:SendMessage", "dead-letter queue"),
    },
    "extract": _ALL
    | {
        *(_COMPANY, _SPACE, _SPENDING, _COUNT, _MODEL, _EMBED, _DUE, SEND_JOBS),
        *((f"sqs:{action}", "facts queue") for action in QUEUE_ACTIONS[1:5]),
        ("sqs:SendMessage", "dead facts' queue"),
    },
    "account": _ALL
    | {_COMPANY, _SPACE, _LINK, _EMBED, _DUE, SEND_JOBS, ("dynamodb:PutItem", "erasures")}
    | {(f"dynamodb:{action}", "links") for action in ("Query", "DeleteItem")}
    | {(f"dynamodb:{action}", "a company's merges") for action in ("Query", "GetItem", "PutItem")},
    # It speaks of no user, and so hashes none.
    "admin": (_ALL - {("secretsmanager:GetSecretValue", "hashing secret")})
    | {_COMPANY, _SPENDING, _DUE, _EMBED, SEND_JOBS}
    | {("dynamodb:UpdateItem", what) for what in ("a company's settings", "jobs of a company", "settings and a job")}
    | {_LINK, ("dynamodb:Query", "links"), ("dynamodb:GetItem", "a company's merges")}
    | {
        (f"dynamodb:{action}", what)
        for what in ("links", "a company's merges", "a link and a merge")
        for action in ("PutItem", "DeleteItem", "ConditionCheckItem")
    }
    | {(f"dynamodb:{action}", "a company's spaces") for action in ("GetItem", "Query", "UpdateItem", "DeleteItem")}
    | _JOBS,
    "maintain": _ALL
    | {
        *(RING, RING_FACTS, _COMPANY, _SPACE, _SPENDING, _COUNT, SEND_JOBS, _TELL, _MODEL, _EMBED),
        ("s3:ListBucket", "listing of companies"),
        ("s3:ListBucket", "listing of companies that keep texts"),
        *((f"sqs:{action}", "jobs queue") for action in QUEUE_ACTIONS[1:5]),
        *((f"dynamodb:{action}", "what is due") for action in ("Query", "PutItem", "DeleteItem")),
        *((f"dynamodb:{action}", "erasures") for action in ("Query", "PutItem")),
        *((f"dynamodb:{action}", "a company's merges") for action in ("GetItem", "PutItem", "ConditionCheckItem")),
    }
    | _ERASE_LINKS
    | _JOBS,
}
_OF_USERS = (
    *("/users/lena/memory", "/users/lena/turns", "/users/lena/turns/t-1"),
    *("/users/lena/facts", "/users/lena/facts/f1", "/users/lena/facts/import"),
    "/users/lena/facts/f1/expand",
    *("/users/lena/recall", "/users/lena/citations", "/users/lena/export", "/users/lena/erasure"),
)
_SHARED = ("/facts", "/facts/f1", "/facts/import", "/facts/export", "/spaces/s1/facts", "/links")
_SHARED_IN_SPACES = ("/spaces/s1/facts/f1", "/spaces/s1/facts/import", "/spaces/s1/facts/export")
_LINK_OF_A_CHANNEL = ("/links/slack:u1", "/links/slack:u1/merges/j1", "/links/slack:u1/unmerge")
_OF_COMPANIES = ("", "/spaces", "/spaces/s1", "/jobs", "/jobs/j1", "/jobs/j1/confirm", "/usage")
SIGN_RECEIPTS = frozenset({"account", "maintain"})
"""Functions that erase, and so sign what they erased."""
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PATHS = (*_OF_USERS, *_OF_COMPANIES, *_SHARED, *_SHARED_IN_SPACES, *_LINK_OF_A_CHANNEL)
CALLER_RIGHTS: dict[str, frozenset[tuple[str, str]]] = {
    "orchestrator": frozenset(
        {
            *(("GET", "/users/lena/memory"), ("GET", "/users/lena/turns/t-1"), ("POST", "/users/lena/turns")),
            *(("POST", "/users/lena/recall"), ("POST", "/users/lena/citations")),
        }
    ),
    "reader": frozenset({("GET", "/users/lena/memory"), ("GET", "/users/lena/turns/t-1")}),
    "administrator": frozenset((method, path) for method in ("GET", "POST", "PUT", "DELETE") for path in PATHS),
}
"""Methods and paths below the company that its callers' policies let through, by kind of caller."""
