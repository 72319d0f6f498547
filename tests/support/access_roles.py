"""Cells of roles: who may become whom, and what each function and service may do by a role of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.support.access_cells import ELSEWHERE, Actor, Cell, Layer
from tests.support.access_inventory import infrastructure, user_data
from tests.support.access_places import Assumption, Named
from tests.support.access_rights import (
    COMPANY,
    FUNCTIONS,
    LENA,
    NEEDED,
    OWN_RIGHTS,
    USER,
    USER_DATA_RIGHTS,
)
from tests.support.access_services import SERVICE_ROLES, watching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.access_places import Tags


def own(function: str) -> Actor:
    return Actor(role=f"{function}-function")


def session(role: str, tags: Tags) -> Actor:
    return Actor(role=f"user-{role}", tags=tags)


def strangers() -> tuple[Actor, ...]:
    """Roles that no policy of ours names, in our account and elsewhere; some may do everything by their own."""
    return (
        Actor(role="stranger"),
        Actor(named="administrator", administers=True),
        Actor(named="administrator", account=ELSEWHERE),
        Actor(role="load-function", account=ELSEWHERE),
    )


def wrong_sources(source: str) -> tuple[str, ...]:
    """What a service could act for instead: nothing, or somebody else's."""
    return ("", *(source.replace("{account}", account) for account in (ELSEWHERE, "{account}2"))) if source else ()


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


def assumptions() -> Iterator[Cell]:
    """Each function, each role, each set of tags; and those whom nothing trusts."""
    for role in (*USER_DATA_RIGHTS, "lister"):
        for tags, right_tags in _tag_sets(role).items():
            place = Assumption(f"user-{role}", tags)
            for function, needed in NEEDED.items():
                allowed = role in needed and right_tags
                who = own(function)
                yield Cell(who=who, action="sts:AssumeRole", on=place, allowed=allowed)
                yield Cell(who=who, action="sts:AssumeRole", on=place, allowed=allowed, layer=Layer.PLACE)
                if right_tags:
                    another = Assumption(f"user-{role}2", tags)
                    yield Cell(who=who, action="sts:AssumeRole", on=place, allowed=allowed, layer=Layer.ACTOR)
                    yield Cell(who=who, action="sts:AssumeRole", on=another, allowed=False, layer=Layer.ACTOR)
                    for layer in (Layer.ACTOR, Layer.PLACE):
                        yield Cell(who=who, action="sts:SetSourceIdentity", on=place, allowed=False, layer=layer)
            for stranger in (*strangers(), session("read", LENA)):
                yield Cell(who=stranger, action="sts:AssumeRole", on=place, allowed=False)


def service_assumptions() -> Iterator[Cell]:
    """Roles of services: assumed by that service alone, where AWS names it for something of ours alone."""
    services = {f"{function}-function": ("lambda.amazonaws.com", "") for function in FUNCTIONS}
    for role, (service, source) in (
        services | {role: (one.service, one.source) for role, one in SERVICE_ROLES.items()}
    ).items():
        place, user = Assumption(role), Actor(service=service, source=source)
        yield Cell(who=user, action="sts:AssumeRole", on=place, allowed=True)
        yield Cell(who=user, action="sts:SetSourceIdentity", on=place, allowed=False)
        for wrong in wrong_sources(source):
            yield Cell(who=replace(user, source=wrong), action="sts:AssumeRole", on=place, allowed=False)
        for who in (Actor(service="ec2.amazonaws.com", source=source), *strangers(), *map(own, FUNCTIONS)):
            yield Cell(who=who, action="sts:AssumeRole", on=place, allowed=False)
            yield Cell(who=who, action="sts:AssumeRole", on=place, allowed=False, layer=Layer.PLACE)


def own_rights() -> Iterator[Cell]:
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
                yield Cell(who=own(function), action=action, on=lines, allowed=allowed)
