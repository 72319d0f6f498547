"""All places of an environment, with all that one could want to do to them: users' own, and what is nobody's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.access_places import Items, Listing, Named, Object
from tests.support.access_rights import (
    ITEM_ACTIONS,
    OBJECT_ACTIONS,
    OTHER_OBJECT_ACTIONS,
    QUEUE_ACTIONS,
    VERSION_ACTIONS,
)

if TYPE_CHECKING:
    from tests.support.access_places import Place
    from tests.support.access_rights import Right


def user_data(company: str, user: str) -> dict[Right, Place]:
    """Everything that one could want to do to what a user has."""
    profile = f"{company}/home-{user}/user-memory/memory.md"
    legacy = f"{company}/user-memory/{user}/memory.md"
    payloads = f"turns/{company}/home-{user}/"
    objects = {
        "profile": Object("profiles", profile),
        "legacy": Object("profiles", legacy),
        "file beside it": Object("profiles", f"{profile}2"),
        "file of another folder": Object("profiles", f"{company}/home-{user}/other/memory.md"),
        "payload": Object("work", f"{payloads}t-1.json"),
        "kept text": Object("work", f"kept/{company}/home-{user}/t-1.json"),
        "something beside kept texts": Object("work", f"kept/{company}/home-{user}2"),
        "index": Object("work", f"recall/{company}/home-{user}/lance/facts.lance"),
        "index called as a shared one": Object("work", f"recall/{company}/home-{user}/global/facts.lance"),
        "something beside the index": Object("work", f"recall/{company}/home-{user}2"),
        "marker": Object("work", f"users/{company}/home-{user}/known"),
        "something beside the marker": Object("work", f"users/{company}/home-{user}/more"),
    }
    listings = {
        "home": Listing("profiles", f"{company}/home-{user}/"),
        "profile": Listing("profiles", profile),
        "legacy": Listing("profiles", legacy),
        "payload": Listing("work", payloads),
        "kept text": Listing("work", f"kept/{company}/home-{user}/"),
        "index": Listing("work", f"recall/{company}/home-{user}/"),
        "index called as a shared one": Listing("work", f"recall/{company}/home-{user}/global/"),
        "marker": Listing("work", f"users/{company}/home-{user}/"),
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
            for action in ITEM_ACTIONS
        },
    }


def infrastructure() -> dict[Right, Place]:
    """Everything that one could want to do to what is no user's; logs are each function's own."""
    queues = {
        "turns queue": Named("sqs", "context-memory-{environment}-turns.fifo"),
        "dead-letter queue": Named("sqs", "context-memory-{environment}-turns-dead.fifo"),
        "facts queue": Named("sqs", "context-memory-{environment}-facts.fifo"),
        "dead facts' queue": Named("sqs", "context-memory-{environment}-facts-dead.fifo"),
        "another facts queue": Named("sqs", "context-memory-{environment}-facts.fifo2"),
        "another dead facts' queue": Named("sqs", "context-memory-{environment}-facts-dead.fifo2"),
        "jobs queue": Named("sqs", "context-memory-{environment}-jobs"),
        "dead jobs' queue": Named("sqs", "context-memory-{environment}-jobs-dead"),
        "another dead jobs' queue": Named("sqs", "context-memory-{environment}-jobs-dead2"),
        "another jobs queue": Named("sqs", "context-memory-{environment}-jobs2"),
        "another queue": Named("sqs", "context-memory-{environment}-turns.fifo2"),
        "another dead-letter queue": Named("sqs", "context-memory-{environment}-turns-dead.fifo2"),
    }
    secrets = {
        f"{kind} secret": Named("secretsmanager", f"secret:context-memory/{{environment}}/{name}-Ab12Cd")
        for kind, name in (
            ("hashing", "hashing"),
            ("model", "model-api"),
            ("embedding", "embedding-api"),
            ("another embedding", "embedding-api-Ab12Cd"),
            ("another", "hashing-Ab12Cd"),
            ("another model", "model-api-Ab12Cd"),
        )
    }
    return {
        **{(f"sqs:{action}", kind): place for kind, place in queues.items() for action in QUEUE_ACTIONS},
        **{
            (f"secretsmanager:{action}", kind): place
            for kind, place in secrets.items()
            for action in ("GetSecretValue", "PutSecretValue")
        },
        **{
            (f"events:{action}", kind): Named("events", f"event-bus/context-memory-{{environment}}{more}")
            for kind, more in (("bus", ""), ("another bus", "2"))
            for action in ("PutEvents", "DeleteEventBus")
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
        ("s3:ListBucket", "listing of companies that keep texts"): Listing("work", "kept/", "/"),
        ("s3:ListBucket", "listing of all kept texts"): Listing("work", "kept/"),
        ("s3:ListBucket", "listing of a company that keeps texts"): Listing("work", "kept/acme/", "/"),
        ("s3:ListBucket", "listing of companies with another delimiter"): Listing("work", "turns/", "-"),
        ("s3:ListBucket", "listing of companies with a longer delimiter"): Listing("work", "turns/", "/x"),
        ("s3:ListBucket", "listing of another bucket"): Listing("work", "turns/", "/", another=True),
        ("s3:ListBucket", "listing of all turns"): Listing("work", "turns/"),
        ("s3:ListBucket", "listing of a company"): Listing("work", "turns/acme/", "/"),
        ("s3:ListBucket", "listing of a company's users"): Listing("work", "users/acme/", "/"),
        ("s3:ListBucket", "listing of all users"): Listing("work", "users/", "/"),
        ("s3:ListBucket", "listing of a company's homes"): Listing("profiles", "acme/", "/"),
        ("s3:ListBucket", "listing of everything"): Listing("work", None, "/"),
        ("s3:ListBucket", "listing of profiles"): Listing("profiles", "turns/", "/"),
        ("dynamodb:Scan", "items"): Items("users"),
        ("dynamodb:Scan", "items of companies"): Items("companies"),
    }


def _companies() -> dict[str, Place]:
    """Items of the company table, and what could be taken for them."""
    kinds = {
        "a company's settings": "company",
        "a company's spending": "budget",
        "a company's spaces": "spaces",
        "links": "links",
        "what is due": "agenda",
        "erasures": "erasures",
        "jobs of a company": "job",
        "a company's merges": "merges",
    }
    return {
        **{what: Items("companies", (f"acme##{kind}",)) for what, kind in kinds.items()},
        **{f"what looks like {what}": Items("companies", (f"acme##{kind}2",)) for what, kind in kinds.items()},
        **{f"{what}, in another table": Items("companies2", (f"acme##{kind}",)) for what, kind in kinds.items()},
        **{f"{what}, and a user": Items("companies", (f"acme##{kind}", "acme#lena")) for what, kind in kinds.items()},
        "settings and a job": Items("companies", ("acme##company", "acme##job")),
        "a link and a merge": Items("companies", ("acme##links", "acme##merges")),
        "settings and a space": Items("companies", ("acme##company", "acme##space#s1")),
        "no company's items": Items("companies"),
    }
