"""Cells of the keys, and of the alarms that ring under one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.support.access_cells import ELSEWHERE, Actor, Cell, Transport
from tests.support.access_places import Named
from tests.support.access_rights import FUNCTIONS, LENA, SIGN_RECEIPTS, USER_DATA_RIGHTS
from tests.support.access_roles import own, session, wrong_sources
from tests.support.access_services import ALARM, ALARMS, RINGING, watching

if TYPE_CHECKING:
    from collections.abc import Iterator


def keys() -> Iterator[Cell]:
    """The key serves this environment's roles, and them through the services that store."""
    ours = [session(role, LENA) for role in USER_DATA_RIGHTS] + [own(function) for function in FUNCTIONS]
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


def receipts() -> Iterator[Cell]:
    """Whoever erases signs receipts; whoever is of the account looks whether they are ours; nobody else does either."""
    theirs = [Actor(role="account-function", account=ELSEWHERE), Actor(named="administrator", account=ELSEWHERE)]
    others = [session("erase", LENA), Actor(role="stranger"), Actor(role="account-function", environment="other")]
    others += [Actor(role=f"{function}-function2") for function in SIGN_RECEIPTS]
    for who in [*map(own, FUNCTIONS), *others, *theirs]:
        key = Named("kms", "key/storage/receipts", {"kms:CallerAccount": who.account or "{account}"})
        signs = who in {own(function) for function in SIGN_RECEIPTS}
        yield Cell(who=who, action="kms:Sign", on=key, allowed=signs)
        for action in ("GetPublicKey", "Verify"):
            yield Cell(who=who, action=f"kms:{action}", on=key, allowed=who not in theirs)
        for action in ("ScheduleKeyDeletion", "PutKeyPolicy", "CreateGrant", "Decrypt"):
            yield Cell(who=who, action=f"kms:{action}", on=key, allowed=False)
    longer = Named("kms", "key/storage/receipts", {"kms:CallerAccount": "{account}2"})
    yield Cell(who=theirs[-1], action="kms:Verify", on=longer, allowed=False)
    here = Actor(named="administrator", administers=True)
    key = Named("kms", "key/storage/receipts", {"kms:CallerAccount": "{account}"})
    yield Cell(who=here, action="kms:ScheduleKeyDeletion", on=key, allowed=True)


def alarms() -> Iterator[Cell]:
    """CloudWatch tells the topic of this environment's alarms, over TLS; nobody else tells it anything."""
    for (action, _), place in RINGING.items():
        told = Cell(who=Actor(service=ALARMS, source=ALARM), action=action, on=place, allowed=True)
        yield told
        if action == "sns:Publish":
            yield replace(told, allowed=False, transport=Transport.PLAIN)
        for source in (
            *wrong_sources(ALARM),
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
