"""Every question about access, with the answer that the rules of `access_rights` give."""

from __future__ import annotations

import functools
import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.support.access_cells import (
    ELSEWHERE,
    Actor,
    Assumption,
    Cell,
    Items,
    Layer,
    Listing,
    Named,
    Object,
    Transport,
)
from tests.support.access_rights import (
    CALLER_RIGHTS,
    COMPANY,
    FUNCTIONS,
    ITEM_ACTIONS,
    LENA,
    METHODS,
    NEEDED,
    OBJECT_ACTIONS,
    OPERATOR_RIGHTS,
    OTHERS,
    OWN_RIGHTS,
    PATHS,
    RING,
    USER,
    USER_DATA_RIGHTS,
    VERSION_ACTIONS,
    infrastructure,
    operations,
    user_data,
)
from tests.support.access_services import ALARM, ALARMS, RECORDS, RINGING, SERVICE_ROLES, watching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.access_cells import Place, Tags


@functools.cache
def matrix() -> tuple[Cell, ...]:
    """All cells, each once."""
    kinds = (
        *(_assumptions, _service_assumptions, _sessions, _wide_requests, _listers, _own_rights),
        *(_callers, _callers_elsewhere, _operators, _auditors, _transports, _keys, _alarms, _administrators),
    )
    return tuple(dict.fromkeys(cell for kind in kinds for cell in kind()))


def _own(function: str) -> Actor:
    return Actor(role=f"{function}-function")


def _session(role: str, tags: Tags) -> Actor:
    return Actor(role=f"user-{role}", tags=tags)


def _tag_sets(role: str) -> dict[Tags, bool]:
    """Session tags, and whether a role may be assumed with them."""
    wanted = LENA[:1] if role == "lister" else LENA
    return {
        LENA: role != "lister",
        LENA[:1]: role == "lister",
        LENA[1:]: False,
        (): False,
        (*wanted, ("more", "x")): False,
        (*wanted, ("user_id2", "x")): False,
        (*wanted, ("company_id2", "x")): False,
        tuple((key, "" if key == "company_id" else value) for key, value in wanted): False,
        tuple((key, "" if key == "user_id" else value) for key, value in LENA): False,
    }


def _assumptions() -> Iterator[Cell]:
    """Each function, each role, each set of tags; and those whom nothing trusts."""
    for role in (*USER_DATA_RIGHTS, "lister"):
        for tags, right_tags in _tag_sets(role).items():
            place = Assumption(f"user-{role}", tags)
            for function, needed in NEEDED.items():
                allowed = role in needed and right_tags
                who = _own(function)
                yield Cell(who=who, action="sts:AssumeRole", on=place, allowed=allowed)
                yield Cell(who=who, action="sts:AssumeRole", on=place, allowed=allowed, layer=Layer.PLACE)
                if right_tags:
                    another = Assumption(f"user-{role}2", tags)
                    yield Cell(who=who, action="sts:AssumeRole", on=place, allowed=allowed, layer=Layer.ACTOR)
                    yield Cell(who=who, action="sts:AssumeRole", on=another, allowed=False, layer=Layer.ACTOR)
                    for layer in (Layer.ACTOR, Layer.PLACE):
                        yield Cell(who=who, action="sts:SetSourceIdentity", on=place, allowed=False, layer=layer)
            for stranger in (*_strangers(), _session("read", LENA)):
                yield Cell(who=stranger, action="sts:AssumeRole", on=place, allowed=False)


def _service_assumptions() -> Iterator[Cell]:
    """Roles of services: assumed by that service alone, where AWS names it for something of ours alone."""
    services = {f"{function}-function": ("lambda.amazonaws.com", "") for function in FUNCTIONS}
    for role, (service, source) in (
        services | {role: (one.service, one.source) for role, one in SERVICE_ROLES.items()}
    ).items():
        place, user = Assumption(role), Actor(service=service, source=source)
        yield Cell(who=user, action="sts:AssumeRole", on=place, allowed=True)
        yield Cell(who=user, action="sts:SetSourceIdentity", on=place, allowed=False)
        for wrong in _wrong_sources(source):
            yield Cell(who=replace(user, source=wrong), action="sts:AssumeRole", on=place, allowed=False)
        for who in (Actor(service="ec2.amazonaws.com", source=source), *_strangers(), *map(_own, FUNCTIONS)):
            yield Cell(who=who, action="sts:AssumeRole", on=place, allowed=False)
            yield Cell(who=who, action="sts:AssumeRole", on=place, allowed=False, layer=Layer.PLACE)


def _strangers() -> tuple[Actor, ...]:
    """Roles that no policy of ours names, in our account and elsewhere; some may do everything by their own."""
    return (
        Actor(role="stranger"),
        Actor(named="administrator", administers=True),
        Actor(named="administrator", account=ELSEWHERE),
        Actor(role="load-function", account=ELSEWHERE),
    )


def _wrong_sources(source: str) -> tuple[str, ...]:
    """What a service could act for instead: nothing, or somebody else's."""
    return ("", *(source.replace("{account}", account) for account in (ELSEWHERE, "{account}2"))) if source else ()


def _sessions() -> Iterator[Cell]:
    """Each role under Lena's tags on what she has, and on what others have; then with tags missing."""
    for role, rights in USER_DATA_RIGHTS.items():
        for right, place in user_data(COMPANY, USER).items():
            yield Cell(who=_session(role, LENA), action=right[0], on=place, allowed=right in rights)
            for tags in ((), LENA[:1], LENA[1:]):
                yield Cell(who=_session(role, tags), action=right[0], on=place, allowed=False)
        for company, user in OTHERS:
            for (action, _), place in user_data(company, user).items():
                yield Cell(who=_session(role, LENA), action=action, on=place, allowed=False)
        for tags in ((), LENA[:1], LENA[1:]):
            for (action, _), place in user_data("", "").items():
                yield Cell(who=_session(role, tags), action=action, on=place, allowed=False)


def _wide_requests() -> Iterator[Cell]:
    """Requests that reach beyond one user's own keys, or beyond users."""
    home = f"{COMPANY}/home-{USER}/"
    mixed = Items("users", (f"{COMPANY}#{USER}", f"{COMPANY}#mia"))
    requests: list[tuple[str, Place]] = [
        *((f"dynamodb:{action}", place) for action in ITEM_ACTIONS for place in (Items("users"), mixed)),
        *((f"dynamodb:{action}", Items("users")) for action in ("Scan", "PartiQLSelect", "PartiQLUpdate")),
        *((f"dynamodb:{action}", Items("users")) for action in ("DeleteTable", "ExportTableToPointInTime")),
        *(
            (f"s3:{action}", Listing(bucket, prefix))
            for action in ("ListBucket", "ListBucketVersions")
            for bucket in ("profiles", "work")
            for prefix in (
                *(None, "", "acme/", "acme/home-", "acme/home-lena", "acme/user-memory/", "acme/user-memory/lena/"),
                *("turns/", "turns/acme/", "turns/acme/home-lena", "turns/acme/home-lena/t"),
                *(f"{home}user-memory/", f"{home}user-memory/memory.md2", "acme/user-memory/lena/memory.md2"),
            )
        ),
        *(
            (f"s3:{action}", Object(bucket, key))
            for action in (*OBJECT_ACTIONS, *VERSION_ACTIONS)
            for bucket, key in (
                ("profiles", f"{home}user-memory/memory.md2"),
                ("profiles", f"{home}other/memory.md"),
                ("profiles", "acme/user-memory/lena/memory.md2"),
                ("profiles", "turns/acme/home-lena/t-1.json"),
                ("work", f"{home}user-memory/memory.md"),
                ("work", "turns/acme/home-lena"),
                ("elsewhere", f"{home}user-memory/memory.md"),
                ("elsewhere", "acme/user-memory/lena/memory.md"),
                ("elsewhere", "turns/acme/home-lena/t-1.json"),
            )
        ),
        *(
            (action, replace(place, another=True))
            for (action, _), place in user_data(COMPANY, USER).items()
            if isinstance(place, Listing)
        ),
        *((action, place) for (action, _), place in (infrastructure() | watching()).items()),
    ]
    for role in USER_DATA_RIGHTS:
        for action, place in requests:
            yield Cell(who=_session(role, LENA), action=action, on=place, allowed=False)


def _listers() -> Iterator[Cell]:
    """The lister sees which users of its company have turns waiting, and nothing else."""
    lister = _session("lister", LENA[:1])
    users = Listing("work", "turns/acme/", "/")
    yield Cell(who=lister, action="s3:ListBucket", on=users, allowed=True)
    yield Cell(who=_session("lister", ()), action="s3:ListBucket", on=users, allowed=False)
    yield Cell(who=_session("lister", LENA[1:]), action="s3:ListBucket", on=users, allowed=False)
    refused: list[tuple[str, Place]] = [
        ("s3:ListBucket", Listing("work", "turns/acme/")),
        ("s3:ListBucket", Listing("work", "turns/acme/", "-")),
        ("s3:ListBucket", Listing("work", "turns/acme/", "/x")),
        ("s3:ListBucket", Listing("work", "turns/acme/home-lena/", "/")),
        ("s3:ListBucket", Listing("work", "turns/acme2/", "/")),
        ("s3:ListBucket", Listing("work", "turns/other/", "/")),
        ("s3:ListBucket", Listing("work", "turns/", "/")),
        ("s3:ListBucket", Listing("work", None, "/")),
        ("s3:ListBucket", Listing("profiles", "turns/acme/", "/")),
        ("s3:ListBucket", replace(users, another=True)),
        ("s3:ListBucketVersions", users),
        *((action, place) for (action, _), place in user_data(COMPANY, USER).items()),
    ]
    for action, place in refused:
        yield Cell(who=lister, action=action, on=place, allowed=False)


def _own_rights() -> Iterator[Cell]:
    """Each function's own role on what is nobody's, and on what Lena has."""
    roles = {f"{function}-function": rights for function, rights in OWN_RIGHTS.items()}
    for role, rights in (roles | {role: one.rights for role, one in SERVICE_ROLES.items()}).items():
        for right, place in (infrastructure() | watching()).items():
            yield Cell(who=Actor(role=role), action=right[0], on=place, allowed=right in rights)
        for (action, _), place in user_data(COMPANY, USER).items():
            yield Cell(who=Actor(role=role), action=action, on=place, allowed=False)
    for function, rights in OWN_RIGHTS.items():
        for owner in (*FUNCTIONS, f"{function}2"):
            lines = Named("logs", f"log-group:/aws/lambda/context-memory-{{environment}}-{owner}:log-stream:s")
            for action in ("logs:CreateLogStream", "logs:PutLogEvents", "logs:GetLogEvents"):
                allowed = owner == function and (action, "own log") in rights
                yield Cell(who=_own(function), action=action, on=lines, allowed=allowed)


def _callers() -> Iterator[Cell]:
    """Callers of a company reach its paths of the API, as their kind may, and no other company's or user's own."""
    for company, kind in itertools.product(("acme", "smoke", "partner"), CALLER_RIGHTS):
        yield from _calls(Actor(role="orchestrator", caller=(company, kind)), company, kind)


def _calls(who: Actor, company: str, kind: str) -> Iterator[Cell]:
    rights, ours = CALLER_RIGHTS[kind], "api/$default"
    asked = [(other, ours) for other in dict.fromkeys(("acme", "acme2", "acm", company, f"{company}2"))]
    for (other, api), method, path in itertools.product(
        [*asked, (company, "api/test"), (company, "api2/$default")], METHODS, PATHS
    ):
        place = Named("execute-api", f"{api}/{method}/v1/companies/{other}{path}")
        allowed = (other, api) == (company, ours) and (method, path) in rights
        yield Cell(who=who, action="execute-api:Invoke", on=place, allowed=allowed)
    for resource in ("GET/v1/me/memory", "GET/v1/companies"):
        place = Named("execute-api", f"{ours}/{resource}")
        yield Cell(who=who, action="execute-api:Invoke", on=place, allowed=False)
    memory = f"{ours}/GET/v1/companies/{company}/users/lena/memory"
    cache = Named("execute-api", memory)
    yield Cell(who=who, action="execute-api:InvalidateCache", on=cache, allowed=False)
    # There is no such path, which the API says to whoever may ask for all that is the users'.
    longer = Named("execute-api", f"{memory}2")
    yield Cell(who=who, action="execute-api:Invoke", on=longer, allowed=kind != "reader")
    for (action, _), data in user_data(COMPANY, USER).items():
        yield Cell(who=who, action=action, on=data, allowed=False)


def _callers_elsewhere() -> Iterator[Cell]:
    """The pinned role of another account takes the role to call with, which may what an orchestrator may."""
    role = Assumption(caller_of="partner")
    theirs = Actor(named="their-orchestrator", account=ELSEWHERE)
    yield Cell(who=theirs, action="sts:AssumeRole", on=role, allowed=True)
    yield Cell(who=theirs, action="sts:SetSourceIdentity", on=role, allowed=False)
    for who in (
        replace(theirs, account="", administers=True),
        replace(theirs, account="888888888888"),
        replace(theirs, named="their-orchestrator2"),
        Actor(role="orchestrator", caller=("partner", "orchestrator")),
        *_strangers(),
        *map(_own, FUNCTIONS),
    ):
        yield Cell(who=who, action="sts:AssumeRole", on=role, allowed=False)
    calling = Actor(caller_of="partner")
    yield from _calls(calling, "partner", "orchestrator")
    for (action, _), place in (infrastructure() | watching()).items():
        yield Cell(who=calling, action=action, on=place, allowed=False)


def _operators() -> Iterator[Cell]:
    """Whoever operates does what the commands need, and reaches nothing that users have or that functions may."""
    operator = Actor(role="somebody", operates=True)
    for right, place in (infrastructure() | operations() | watching()).items():
        yield Cell(who=operator, action=right[0], on=place, allowed=right in OPERATOR_RIGHTS)
    for (action, _), data in user_data(COMPANY, USER).items():
        yield Cell(who=operator, action=action, on=data, allowed=False)
    for role in (*USER_DATA_RIGHTS, "lister"):
        yield Cell(who=operator, action="sts:AssumeRole", on=Assumption(f"user-{role}", LENA), allowed=False)


def _auditors() -> Iterator[Cell]:
    """Whoever audits finds and reads records, and nothing beside them."""
    auditor = Actor(role="somebody", audits=True)
    for right, place in (infrastructure() | watching()).items():
        yield Cell(who=auditor, action=right[0], on=place, allowed=right == ("s3:GetObject", "audit record"))
    for (action, _), data in user_data(COMPANY, USER).items():
        yield Cell(who=auditor, action=action, on=data, allowed=False)
    for prefix in ("records/", "records/2031/", "records", "records2/", "failed/", ""):
        found = Listing("audit", prefix)
        yield Cell(who=auditor, action="s3:ListBucket", on=found, allowed=prefix.startswith("records/"))
        for wrong in (replace(found, bucket="work"), replace(found, another=True)):
            yield Cell(who=auditor, action="s3:ListBucket", on=wrong, allowed=False)
        yield Cell(who=auditor, action="s3:ListBucketVersions", on=found, allowed=False)
    record = Object("audit", RECORDS["audit record"])
    yield Cell(who=auditor, action="s3:GetObjectVersion", on=record, allowed=False)
    s3 = "s3.{region}.amazonaws.com"
    for key, service in itertools.product(
        ("audit", "watch", "storage"), (s3, f"{s3}2", "dynamodb.{region}.amazonaws.com")
    ):
        for action in ("Decrypt", "GenerateDataKey", "ScheduleKeyDeletion"):
            place = Named("kms", f"key/{key}", {"kms:ViaService": service})
            allowed = (key, service, action) == ("audit", s3, "Decrypt")
            yield Cell(who=auditor, action=f"kms:{action}", on=place, allowed=allowed)


def _transports() -> Iterator[Cell]:
    """What may be done over TLS may not be done without, nor over an old version to a bucket."""
    writer, places = _session("erase", LENA), user_data(COMPANY, USER)
    for transport in (Transport.PLAIN, Transport.OLD_TLS):
        for right in (("s3:GetObject", "profile"), ("s3:PutObject", "profile"), ("s3:GetObject", "payload")):
            yield Cell(who=writer, action=right[0], on=places[right], allowed=False, transport=transport)
        for right in (("s3:ListBucketVersions", "home listing"), ("s3:ListBucket", "payload listing")):
            yield Cell(who=writer, action=right[0], on=places[right], allowed=False, transport=transport)
    for who, right in (
        (_own("load"), RING),
        (_own("consolidate"), ("sqs:ReceiveMessage", "turns queue")),
        (_own("consolidate"), ("sqs:SendMessage", "dead-letter queue")),
    ):
        place = infrastructure()[right]
        yield Cell(who=who, action=right[0], on=place, allowed=False, transport=Transport.PLAIN)


def _keys() -> Iterator[Cell]:
    """The key serves this environment's roles, and them through the services that store."""
    ours = [_session(role, LENA) for role in USER_DATA_RIGHTS] + [_own(function) for function in FUNCTIONS]
    theirs = [Actor(role="user-read", account=ELSEWHERE), Actor(role="user-read", environment="other")]
    stores = [f"{service}.{{region}}.amazonaws.com" for service in ("s3", "dynamodb", "secretsmanager")]
    for service in (*stores, *(f"{store}2" for store in stores), "sqs.{region}.amazonaws.com", ""):
        for who in [*ours, *theirs]:
            via = {"kms:ViaService": service} if service else {}
            key = Named("kms", "key/storage", {"kms:CallerAccount": who.account or "{account}", **via})
            for action in ("Decrypt", "Encrypt", "GenerateDataKey", "ReEncryptFrom", "DescribeKey"):
                yield Cell(who=who, action=f"kms:{action}", on=key, allowed=service in stores and who in ours)
            yield Cell(who=who, action="kms:ScheduleKeyDeletion", on=key, allowed=False)
    for action in ("Decrypt", "Encrypt", "GenerateDataKey", "ReEncryptFrom", "DescribeKey", "ScheduleKeyDeletion"):
        # The simulator knows no encryption context: what CloudWatch Logs may do stands in test_data_protection.py.
        logs = Actor(service="logs.{region}.amazonaws.com")
        yield Cell(who=logs, action=f"kms:{action}", on=Named("kms", "key/storage"), allowed=False)


def _alarms() -> Iterator[Cell]:
    """CloudWatch tells the topic of this environment's alarms, over TLS; nobody else tells it anything."""
    for (action, _), place in RINGING.items():
        told = Cell(who=Actor(service=ALARMS, source=ALARM), action=action, on=place, allowed=True)
        yield told
        if action == "sns:Publish":
            yield replace(told, allowed=False, transport=Transport.PLAIN)
        for source in (
            *_wrong_sources(ALARM),
            ALARM.replace("{environment}", "other"),
            ALARM.replace("{environment}", "{environment}2"),
        ):
            yield replace(told, who=Actor(service=ALARMS, source=source), allowed=False)
        for who in (
            Actor(service="events.amazonaws.com", source=ALARM),
            Actor(role="stranger"),
            Actor(named="administrator", account=ELSEWHERE),
        ):
            yield replace(told, who=who, allowed=False)
    for (action, kind), place in watching().items():
        if kind in {"alarm topic", "alarm key"} and (action, kind) not in RINGING:
            yield Cell(who=Actor(service=ALARMS, source=ALARM), action=action, on=place, allowed=False)


def _administrators() -> Iterator[Cell]:
    """Whoever administers the account rules over keys, and yet neither writes nor deletes what was recorded."""
    here, elsewhere = Actor(named="administrator", administers=True), Actor(named="administrator", account=ELSEWHERE)
    for stack in ("storage", "audit", "watch"):
        for action in ("ScheduleKeyDeletion", "Decrypt", "PutKeyPolicy"):
            for who in (here, elsewhere):
                key = Named("kms", f"key/{stack}")
                yield Cell(who=who, action=f"kms:{action}", on=key, allowed=who is here)
    delivery = Actor(role="audit-delivery2", administers=True)
    for name in RECORDS.values():
        record = Object("audit", name)
        yield Cell(who=here, action="s3:GetObject", on=record, allowed=True)
        yield Cell(who=elsewhere, action="s3:GetObject", on=record, allowed=False)
        for action in ("PutObject", "DeleteObject", "DeleteObjectVersion"):
            for who in (here, delivery):
                yield Cell(who=who, action=f"s3:{action}", on=record, allowed=False)
        for transport in (Transport.PLAIN, Transport.OLD_TLS):
            yield Cell(who=here, action="s3:GetObject", on=record, allowed=False, transport=transport)
    yield Cell(who=here, action="s3:ListBucket", on=Listing("audit"), allowed=True)
    for transport in (Transport.PLAIN, Transport.OLD_TLS):
        yield Cell(who=here, action="s3:ListBucket", on=Listing("audit"), allowed=False, transport=transport)
