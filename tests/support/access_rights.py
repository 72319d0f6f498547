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
        *((f"sqs:{action}", "turns queue") for action in _QUEUE_ACTIONS[1:5]),
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

_SWITCHES = {
    "switches' application": "application/flags",
    "switches' environment": "application/flags/environment/ours",
    "switches' document": "application/flags/configurationprofile/companies",
    "version of switches": "application/flags/configurationprofile/companies/hostedconfigurationversion/3",
    "rollout of switches": "application/flags/environment/ours/deployment/4",
}
_STRATEGIES = {
    f"{speed} rollouts": f"deploymentstrategy/context-memory-{{environment}}-{speed}"
    for speed in ("gradual", "immediate")
}
_READ_SWITCHES = (
    *("ListEnvironments", "GetEnvironment", "ListConfigurationProfiles", "ListDeployments", "GetDeployment"),
    *("ListHostedConfigurationVersions", "GetHostedConfigurationVersion"),
)
_MOVE_SWITCHES = ("CreateHostedConfigurationVersion", "StartDeployment", "StopDeployment")
_READ_LINES = ("DescribeLogStreams", "FilterLogEvents", "GetLogEvents", "StartQuery", "GetQueryResults")
_LOGGING = (*(f"/aws/lambda/context-memory-{{environment}}-{function}" for function in NEEDED),)
_ACCESS_LOG = "/aws/vendedlogs/context-memory-{environment}-access"
OPERATOR_RIGHTS: frozenset[Right] = frozenset(
    {
        *((f"appconfig:{action}", "everything") for action in ("ListApplications", "ListDeploymentStrategies")),
        *((f"appconfig:{action}", kind) for action in _READ_SWITCHES for kind in _SWITCHES),
        *((f"appconfig:{action}", kind) for action in _MOVE_SWITCHES for kind in _SWITCHES if "version" not in kind),
        *(("appconfig:StartDeployment", kind) for kind in _STRATEGIES),
        *((f"sqs:{action}", "dead-letter queue") for action in ("GetQueueUrl", *_QUEUE_ACTIONS[1:5])),
        ("sqs:GetQueueUrl", "turns queue"),
        RING,
        ("lambda:InvokeFunction", "maintain"),
        ("cloudwatch:DescribeAlarms", "alarms"),
        ("sns:ListSubscriptionsByTopic", "topic of alarms"),
        *((f"logs:{action}", group) for action in _READ_LINES for group in (*_LOGGING, _ACCESS_LOG)),
        ("cloudformation:DescribeStacks", "stack of the service"),
    }
)
"""What whoever operates may do, beside nothing that is a user's."""


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
        **{
            (f"s3:{action}", kind): place
            for kind, place in objects.items()
            for action in (*OBJECT_ACTIONS, *VERSION_ACTIONS, *OTHER_OBJECT_ACTIONS)
        },
        **{
            (f"s3:{action}", f"{kind} listing"): place
            for kind, place in listings.items()
            for action in ("ListBucket", "ListBucketVersions")
        },
        **{(f"dynamodb:{action}", "items"): items for action in ITEM_ACTIONS},
        **{
            (f"dynamodb:{action}", f"items in {table}"): Items(table, (f"{company}#{user}",))
            for table in ("companies", "users2")
            for action in ("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem")
        },
    }


def infrastructure() -> dict[Right, Place]:
    """Everything that one could want to do to what is no user's; logs are each function's own."""
    queues = {
        "turns queue": Named("sqs", "context-memory-{environment}-turns.fifo"),
        "dead-letter queue": Named("sqs", "context-memory-{environment}-turns-dead.fifo"),
        "another queue": Named("sqs", "context-memory-{environment}-turns.fifo2"),
        "another dead-letter queue": Named("sqs", "context-memory-{environment}-turns-dead.fifo2"),
    }
    secrets = {
        f"{kind} secret": Named("secretsmanager", f"secret:context-memory/{{environment}}/{name}-Ab12Cd")
        for kind, name in (
            ("hashing", "hashing"),
            ("model", "model-api"),
            ("another", "hashing-Ab12Cd"),
            ("another model", "model-api-Ab12Cd"),
        )
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
        **{(f"dynamodb:{action}", kind): place for kind, place in _companies().items() for action in ITEM_ACTIONS},
        **{
            (f"appconfig:{action}", kind): Named("appconfig", f"application/{path}")
            for kind, path in (
                ("switches", "flags/environment/ours/configuration/companies"),
                ("other switches", "flags/environment/ours/configuration/companies2"),
            )
            for action in ("StartConfigurationSession", "GetLatestConfiguration", "StartDeployment")
        },
        ("cloudwatch:DescribeAlarms", "alarms"): Named("cloudwatch", "alarm:context-memory"),
        ("cloudwatch:DisableAlarmActions", "alarms"): Named("cloudwatch", "alarm:context-memory"),
        ("s3:ListBucket", "listing of companies"): Listing("work", "turns/", "/"),
        ("s3:ListBucketVersions", "listing of companies"): Listing("work", "turns/", "/"),
        ("s3:ListBucket", "listing of companies with another delimiter"): Listing("work", "turns/", "-"),
        ("s3:ListBucket", "listing of companies with a longer delimiter"): Listing("work", "turns/", "/x"),
        ("s3:ListBucket", "listing of another bucket"): Listing("work", "turns/", "/", another=True),
        ("s3:ListBucket", "listing of all turns"): Listing("work", "turns/"),
        ("s3:ListBucket", "listing of a company"): Listing("work", "turns/acme/", "/"),
        ("s3:ListBucket", "listing of everything"): Listing("work", None, "/"),
        ("s3:ListBucket", "listing of profiles"): Listing("profiles", "turns/", "/"),
        ("dynamodb:Scan", "items"): Items("users"),
        ("dynamodb:Scan", "items of companies"): Items("companies"),
    }


def operations() -> dict[Right, Place]:
    """What operators do, and what they might try beside it."""
    ours = "context-memory-{environment}"
    functions = {"maintain": f"function:{ours}-maintain", "another maintain": f"function:{ours}-maintain2"}
    functions |= {function: f"function:{ours}-{function}" for function in NEEDED}
    switches = _SWITCHES | {f"what looks like {kind}": f"{path}2" for kind, path in _SWITCHES.items() if path[-1] > "9"}
    groups = {group: group for group in (*_LOGGING, _ACCESS_LOG)}
    groups |= {f"what looks like {group}": f"{group}2" for group in groups}
    return {
        **{
            (f"appconfig:{action}", kind): Named("appconfig", path)
            for kind, path in switches.items()
            for action in (*_READ_SWITCHES, *_MOVE_SWITCHES, "DeleteConfigurationProfile", "UpdateEnvironment")
        },
        **{
            (f"appconfig:{action}", kind): Named("appconfig", path)
            for strategy, name in _STRATEGIES.items()
            for kind, path in ((strategy, name), (f"what looks like {strategy}", f"{name}2"))
            for action in ("StartDeployment", "UpdateDeploymentStrategy")
        },
        **{
            (f"appconfig:{action}", "everything"): Named("appconfig", "*")
            for action in ("ListApplications", "ListDeploymentStrategies", "CreateApplication")
        },
        **{
            (f"sqs:{action}", f"{kind} queue"): Named("sqs", f"{ours}-{name}.fifo")
            for kind, name in (("turns", "turns"), ("dead-letter", "turns-dead"))
            for action in (*_QUEUE_ACTIONS, "GetQueueUrl", "SetQueueAttributes")
        },
        **{
            (f"lambda:{action}", kind): Named("lambda", name)
            for kind, name in functions.items()
            for action in ("InvokeFunction", "UpdateFunctionCode", "GetFunction")
        },
        **{
            (f"cloudwatch:{action}", kind): Named("cloudwatch", f"alarm:{name}")
            for kind, name in (("alarms", "context-memory"), ("any alarm", "any"))
            for action in ("DisableAlarmActions", "PutMetricAlarm")
        },
        **{
            (f"sns:{action}", kind): Named("sns", name)
            for kind, name in (("topic of alarms", f"{ours}-alarms"), ("another topic", f"{ours}-alarms2"))
            for action in ("ListSubscriptionsByTopic", "Subscribe", "Publish")
        },
        **{
            (f"logs:{action}", kind): Named("logs", f"log-group:{group}:log-stream:s")
            for kind, group in groups.items()
            for action in (*_READ_LINES, "PutLogEvents", "DeleteLogStream")
        },
        **{
            (f"cloudformation:{action}", kind): Named("cloudformation", f"stack/{ours}-{name}/id")
            for kind, name in (("stack of the service", "service"), ("another stack", "service2"))
            for action in ("DescribeStacks", "DeleteStack")
        },
    }


def _companies() -> dict[str, Place]:
    """Items of the company table, and what could be taken for them."""
    return {
        "a company's settings": Items("companies", ("acme##company",)),
        "a company's spending": Items("companies", ("acme##budget",)),
        "a space": Items("companies", ("acme##space#s1",)),
        "settings and a space": Items("companies", ("acme##company", "acme##space#s1")),
        "no company's items": Items("companies"),
        "what looks like settings": Items("companies", ("acme##company2",)),
        "what looks like spending": Items("companies", ("acme##budget2",)),
        "settings in another table": Items("companies2", ("acme##company",)),
        "spending in another table": Items("companies2", ("acme##budget",)),
    }
