"""What cdk-nag finds and we leave as it is: each finding on exactly one resource, with the reason.

A finding that is missing here fails the synthesis; one that nothing needs any more fails a test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from infra.components.company_callers import RIGHTS, STAGE
from infra.components.routes import ROUTES, Callers
from infra.environments.parts import Architecture
from infra.names import LANCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from infra.environments import Environment

_OWN_ARN = "arn:<AWS::Partition>:{service}:<AWS::Region>:<AWS::AccountId>:"
_API = "ApiCD79AAA0"  # as the CDK calls it in the template
_FLAGS, _FLAGS_ENVIRONMENT, _FLAGS_PROFILE = (
    "FlagsApplication0590EBEF",
    "FlagsEnvironmentEE0E165F",
    "FlagsProfile971B12CD",
)
_PAGE_BUCKET = "SiteBucket978D4AEB"
_COMPANY = "<aws:PrincipalTag/company_id>"
_USER = f"{_COMPANY}/home-<aws:PrincipalTag/user_id>"


@dataclass(frozen=True, slots=True, order=True)
class Acknowledged:
    """A rule of cdk-nag, the resource that breaks it (`<concern>/<path in its stack>`), and why it may."""

    rule: str
    at: str
    reason: str


def acknowledged(environment: Environment) -> list[Acknowledged]:
    """All acknowledgements of an environment."""
    return [
        *_storage(environment),
        *_queues(),
        *_function_roles(environment),
        *_user_data_roles(environment),
        *_switches(),
        *_operators(environment),
        *_audit(environment),
        *_functions(environment),
        *_routes(),
        *_callers(environment),
        *_watch(environment),
        *_page(environment),
        *_lance(environment),
    ]


def _lance(environment: Environment) -> Iterator[Acknowledged]:
    if environment.lance is None:
        return
    role = "lance/LanceFunction/Role"
    group = f"log-group:/aws/lambda/context-memory-{environment.name}-{LANCE}:*"
    yield _wildcard(f"{_OWN_ARN.format(service='logs')}{group}", role, "All streams of the function's own log group")
    yield _wildcard("*", role, "X-Ray knows no resources for sending traces")
    yield Acknowledged("Serverless-LambdaStarPermissions", role, "X-Ray knows no resources for sending traces")
    yield Acknowledged("Serverless-LambdaDLQ", "lance/Function", "Whoever calls it has the answer")


def _storage(environment: Environment) -> Iterator[Acknowledged]:
    for bucket in ("Profiles", "Work"):
        yield Acknowledged(
            "AwsSolutions-S1",
            f"storage/{bucket}/Bucket",
            "Access logs name every object, and so every user, in one more place that no erasure reaches; "
            "who loaded whose memory stands in the audit trail, and CloudTrail data events can be switched on",
        )
    yield Acknowledged(
        "AwsSolutions-SMG4",
        "storage/HashKey",
        "It keys the hashes of what was forgotten: a new one would let all of it be learned again",
    )
    for key in ("ModelKey", *(["EmbeddingKey"] if environment.models.embedding_base_url else [])):
        yield Acknowledged(
            "AwsSolutions-SMG4",
            f"storage/{key}",
            "The provider issues this key and offers no rotation; the operator replaces it",
        )


def _queues() -> Iterator[Acknowledged]:
    for queues in ("Turns", "Facts", "Jobs"):
        yield Acknowledged(
            "Serverless-SQSRedrivePolicy",
            f"queues/{queues}/DeadLetters",
            "It is the dead-letter queue itself",
        )


def _function_roles(environment: Environment) -> Iterator[Acknowledged]:
    for name in environment.functions:
        role = f"access/{name.title()}Function/Role"
        group = f"log-group:/aws/lambda/context-memory-{environment.name}-{name}:*"
        yield _wildcard(
            f"{_OWN_ARN.format(service='logs')}{group}", role, "All streams of the function's own log group"
        )
        yield _wildcard("*", role, "X-Ray knows no resources for sending traces")
        yield Acknowledged("Serverless-LambdaStarPermissions", role, "X-Ray knows no resources for sending traces")


def _user_data_roles(environment: Environment) -> Iterator[Acknowledged]:
    work, profiles = (
        f"arn:<AWS::Partition>:s3:::context-memory-{environment.name}-{what}-<AWS::AccountId>-<AWS::Region>"
        for what in ("work", "profiles")
    )
    for role in ("Read", "Recall", "Write", "Erase"):
        for index, whose in (
            (f"{_USER}/", "the one user that the tags name"),
            (f"{_COMPANY}/space-", "the spaces of the company that the tags name, which all its users may read"),
            (f"{_COMPANY}/global/", "the company that the tags name, which all its users may read"),
        ):
            yield _wildcard(f"{work}/recall/{index}*", f"access/{role}UserData/Role", f"What finds facts of {whose}")
    for pattern in ("*/global/*", "*/space-*"):
        yield _wildcard(
            f"{work}/recall/{pattern}",
            "access/MaintainFunction/Role",
            "What finds the facts that companies share; what is a user's is denied, whatever it is called",
        )
    for role in ("Write", "Erase"):
        for folder in ("turns", "kept"):
            yield _wildcard(
                f"{work}/{folder}/{_USER}/*",
                f"access/{role}UserData/Role",
                "What the one user that the tags name said in turns",
            )
    yield _wildcard(
        f"{profiles}/{_USER}/*", "access/EraseUserData/Role", "All that lies in the home of the one user of the tags"
    )


def _switches() -> Iterator[Acknowledged]:
    yield _wildcard(
        f"{_OWN_ARN.format(service='cloudwatch')}alarm:*",
        "switches/AlarmReader",
        "AppConfig looks its alarm up in a listing, which CloudWatch decides upon all alarms of the account",
    )


def _operators(environment: Environment) -> Iterator[Acknowledged]:
    policy, ours = "switches/Operator/Policy", f"context-memory-{environment.name}"
    application = f"{_OWN_ARN.format(service='appconfig')}application/<{_FLAGS}>"
    yield _wildcard(
        "*", policy, "Listings of applications and strategies know no resources, one of alarms is decided upon all"
    )
    yield _wildcard(
        f"{_OWN_ARN.format(service='cloudformation')}stack/{ours}-service/*",
        policy,
        "AWS adds an id to the stack's name",
    )
    yield _wildcard(
        f"{application}/configurationprofile/<{_FLAGS_PROFILE}>/hostedconfigurationversion/*",
        policy,
        "AppConfig numbers the versions of the one document",
    )
    yield _wildcard(
        f"{application}/environment/<{_FLAGS_ENVIRONMENT}>/deployment/*",
        policy,
        "AppConfig numbers the deployments of the one document",
    )
    for group in (*(f"/aws/lambda/{ours}-{name}" for name in environment.functions), f"/aws/vendedlogs/{ours}-access"):
        yield _wildcard(
            f"{_OWN_ARN.format(service='logs')}log-group:{group}:*",
            policy,
            "All streams of a log group of this service",
        )


def _audit(environment: Environment) -> Iterator[Acknowledged]:
    yield Acknowledged(
        "AwsSolutions-S1",
        "audit/Trail/Records/Bucket",
        "Nobody but Firehose writes here; who reads records is for CloudTrail data events, which can be switched on",
    )
    bucket = f"arn:<AWS::Partition>:s3:::context-memory-{environment.name}-audit-<AWS::AccountId>-<AWS::Region>"
    yield _wildcard(f"{bucket}/records/*", "audit/Trail/Auditor", "Whoever reads records reads them by the hour")
    for folder in ("records", "failed"):
        yield _wildcard(f"{bucket}/{folder}/*", "audit/Trail/Delivery", "Firehose names the objects that it writes")


def _functions(environment: Environment) -> Iterator[Acknowledged]:
    for name in environment.functions:
        function = f"service/{name.title()}/Function"
        for rule in ("AwsSolutions-L1", "Serverless-LambdaLatestVersion"):
            yield Acknowledged(rule, function, "Python 3.13 is what the layers are built, precompiled and tested for")
        yield Acknowledged("Serverless-LambdaDLQ", function, _ASYNCHRONOUS.get(name, "Whoever calls it has the answer"))
    for mapping in ("Consolidate/Function/Turns", "Extract/Function/Facts", "Maintain/Function/Jobs"):
        yield Acknowledged(
            "Serverless-LambdaEventSourceMappingDestination",
            f"service/{mapping}",
            "Destinations are for streams; what a queue gives up goes to the queue's own dead letters",
        )
    yield Acknowledged(
        "Serverless-EventBusDLQ", "service/Heal", "A round that is lost is made up for by the next, ten minutes later"
    )
    yield Acknowledged(
        "Serverless-EventBusDLQ",
        "service/Compact",
        "A week that is lost is made up for by the next",
    )
    yield Acknowledged(
        "Serverless-EventBusDLQ", "service/Summarise", "A day that is lost is made up for by the next, within the grace"
    )


_ASYNCHRONOUS = {
    "consolidate": "A queue calls it, which has dead letters of its own",
    "extract": "A queue calls it, which has dead letters of its own",
    "maintain": "A queue calls it, which has dead letters of its own, and a clock: a lost round is made up for",
}


def _routes() -> Iterator[Acknowledged]:
    for route in ROUTES:
        if route.callers is Callers.ANYBODY:
            yield Acknowledged(
                "AwsSolutions-APIG4",
                f"service/Api/Api/{route.method}{route.path.replace('/', '--')}",
                "The API's description holds nothing about anybody, and is throttled by itself",
            )


def _callers(environment: Environment) -> Iterator[Acknowledged]:
    api = f"{_OWN_ARN.format(service='execute-api')}<{_API}>/{STAGE}"
    for company in environment.companies:
        for kind, rights in RIGHTS.items():
            policy = f"service/Company-{company}/{kind.title()}"
            for method, _, path in (right.partition(" ") for right in rights):
                if "*" in path:
                    below = path.format(company=f"/v1/companies/{company}")
                    yield _wildcard(
                        f"{api}/{method}{below}", policy, "All users of the one company that the path names"
                    )


def _watch(environment: Environment) -> Iterator[Acknowledged]:
    if environment.alarms.address:
        yield Acknowledged(
            "Serverless-SNSRedrivePolicy",
            f"watch/Alarms/Topic/{environment.alarms.address}",
            "A message that a mailbox refuses would lie in a queue that nobody reads; the alarm itself goes on ringing",
        )


def _page(environment: Environment) -> Iterator[Acknowledged]:
    if environment.page is None or environment.architecture is Architecture.HOST:
        return
    site = "page/Site/Distribution"
    yield Acknowledged("AwsSolutions-CFR1", site, "Users travel, and the files that are served say nothing of anybody")
    yield Acknowledged("AwsSolutions-CFR2", site, "Static files have nothing to attack; the API has its own throttles")
    for rule, at in (("AwsSolutions-CFR3", site), ("AwsSolutions-S1", "page/Site/Bucket")):
        yield Acknowledged(rule, at, "A log of who opened the page would name people in one more place for no use")
    if environment.page.domain is None:
        yield Acknowledged(
            "AwsSolutions-CFR4",
            site,
            "CloudFront's own certificate leaves no choice; a domain of its own brings TLS 1.2",
        )
    uploader = "page/Custom::CDKBucketDeployment8693BB64968944B69AAFB0CC9EB8756C"
    for rule in (
        "AwsSolutions-L1",
        "Serverless-LambdaLatestVersion",
        "Serverless-LambdaDLQ",
        "Serverless-LambdaTracing",
    ):
        yield Acknowledged(
            rule, uploader, "The CDK's own function: CloudFormation runs it at deployments, and sees it fail"
        )
    basic = "arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
    writes_logs = "The CDK gives its own function the right to write its logs, and nothing of ours"
    yield Acknowledged(f"AwsSolutions-IAM4[Policy::{basic}]", f"{uploader}/ServiceRole", writes_logs)
    policy = f"{uploader}/ServiceRole/DefaultPolicy"
    for action in ("Abort*", "DeleteObject*", "GetBucket*", "GetObject*", "List*"):
        yield Acknowledged(
            f"AwsSolutions-IAM5[Action::s3:{action}]", policy, "On the assets and the page's bucket alone"
        )
    yield _wildcard(f"<{_PAGE_BUCKET}.Arn>/*", policy, "All files of the page, which are public anyway")
    assets = "arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*"
    yield _wildcard(assets, policy, "Deployments read what the CDK has uploaded for them, under names of its own")
    yield _wildcard("*", policy, "The CDK lets its own function invalidate what any distribution has cached")


def _wildcard(resource: str, at: str, reason: str) -> Acknowledged:
    return Acknowledged(f"AwsSolutions-IAM5[Resource::{resource}]", at, reason)
