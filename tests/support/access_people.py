"""Cells of people and of callers: orchestrators, operators, auditors, administrators of the account."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.support.access_cells import ELSEWHERE, Actor, Cell, Transport
from tests.support.access_inventory import infrastructure, user_data
from tests.support.access_operations import OPERATOR_RIGHTS, operations
from tests.support.access_places import Assumption, Listing, Named, Object
from tests.support.access_rights import CALLER_RIGHTS, COMPANY, FUNCTIONS, LENA, METHODS, PATHS, USER, USER_DATA_RIGHTS
from tests.support.access_roles import own, strangers
from tests.support.access_services import RECORDS, watching

if TYPE_CHECKING:
    from collections.abc import Iterator


def callers() -> Iterator[Cell]:
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
    # There is no such path, which the API says to whoever may ask for all that is the company's.
    for method, path in (("GET", "memory"), ("POST", "turns"), ("POST", "recall"), ("POST", "citations")):
        longer = Named("execute-api", f"{ours}/{method}/v1/companies/{company}/users/lena/{path}2")
        yield Cell(who=who, action="execute-api:Invoke", on=longer, allowed=kind == "administrator")
    for (action, _), data in user_data(COMPANY, USER).items():
        yield Cell(who=who, action=action, on=data, allowed=False)


def callers_elsewhere() -> Iterator[Cell]:
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
        *strangers(),
        *map(own, FUNCTIONS),
    ):
        yield Cell(who=who, action="sts:AssumeRole", on=role, allowed=False)
    calling = Actor(caller_of="partner")
    yield from _calls(calling, "partner", "orchestrator")
    for (action, _), place in (infrastructure() | watching()).items():
        yield Cell(who=calling, action=action, on=place, allowed=False)


def operators() -> Iterator[Cell]:
    """Whoever operates does what the commands need, and reaches nothing that users have or that functions may."""
    operator = Actor(role="somebody", operates=True)
    for right, place in (infrastructure() | operations() | watching()).items():
        yield Cell(who=operator, action=right[0], on=place, allowed=right in OPERATOR_RIGHTS)
    for (action, _), data in user_data(COMPANY, USER).items():
        yield Cell(who=operator, action=action, on=data, allowed=False)
    for role in (*USER_DATA_RIGHTS, "lister"):
        yield Cell(who=operator, action="sts:AssumeRole", on=Assumption(f"user-{role}", LENA), allowed=False)


def auditors() -> Iterator[Cell]:
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


def administrators() -> Iterator[Cell]:
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
