"""What cdk-nag finds and we leave as it is: each finding on exactly one resource, with the reason.

A finding that is missing here fails the synthesis; one that nothing needs any more fails a test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from infra.components.company_callers import RIGHTS, STAGE

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
_USER = "<aws:PrincipalTag/company_id>/home-<aws:PrincipalTag/user_id>"


@dataclass(frozen=True, slots=True, order=True)
class Acknowledged:
    """A rule of cdk-nag, the resource that breaks it (`<concern>/<path in its stack>`), and why it may."""

    rule: str
    at: str
    reason: str


def acknowledged(environment: Environment) -> list[Acknowledged]:
    """All acknowledgements of an environment."""
    return [
        *_storage(),
        *_queues(),
        *_function_roles(environment),
        *_user_data_roles(environment),
        *_switches(),
        *_operators(environment),
        *_audit(environment),
        *_functions(environment),
        *_callers(environment),
        *_watch(environment),
    ]


def _storage() -> Iterator[Acknowledged]:
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
    yield Acknowledged(
        "AwsSolutions-SMG4",
        "storage/ModelKey",
        "The model's provider issues this key and offers no rotation; the operator replaces it",
    )


def _queues() -> Iterator[Acknowledged]:
    yield Acknowledged(
        "Serverless-SQSRedrivePolicy",
        "queues/Turns/DeadLetters",
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
    bucket = f"arn:<AWS::Partition>:s3:::context-memory-{environment.name}-work-<AWS::AccountId>-<AWS::Region>"
    for role in ("Write", "Erase"):
        yield _wildcard(
            f"{bucket}/turns/{_USER}/*", f"access/{role}UserData/Role", "All turns of the one user that the tags name"
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
    yield Acknowledged(
        "Serverless-LambdaEventSourceMappingDestination",
        "service/Consolidate/Function/Turns",
        "Destinations are for streams; what a queue gives up goes to the queue's own dead letters",
    )
    yield Acknowledged(
        "Serverless-EventBusDLQ", "service/Heal", "A round that is lost is made up for by the next, ten minutes later"
    )


_ASYNCHRONOUS = {
    "consolidate": "A queue calls it, which has dead letters of its own",
    "maintain": "A clock calls it: a round that is lost is made up for by the next, ten minutes later",
}


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


def _wildcard(resource: str, at: str, reason: str) -> Acknowledged:
    return Acknowledged(f"AwsSolutions-IAM5[Resource::{resource}]", at, reason)
