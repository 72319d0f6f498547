"""Questions about access: may this actor do that to this place? Asked of a simulator and of deployed stacks alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from tests.support.access_places import filled

if TYPE_CHECKING:
    from infra.names import Names
    from tests.support.access_places import Context, Place, Tags


ELSEWHERE = "999999999999"
"""An account that is not ours."""
ADMINISTRATORS = "administrators"
"""The policy of whoever may do everything by policies of their own."""


class Transport(StrEnum):
    """How a request travels."""

    TLS = "tls"
    OLD_TLS = "old tls"
    PLAIN = "plain"


class Layer(StrEnum):
    """Whose policies decide: the actor's own, those of the place, or both together as in AWS."""

    BOTH = "both"
    ACTOR = "actor's own"
    PLACE = "the place's"


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """A role in use (its name's last part, as `load-function` or `user-read`), or an AWS service.

    `source`: ARN of what a service acts for; account, region and environment are filled in.
    `named`: the whole name of a role that is none of ours; `caller_of`: the role with which callers of other accounts
    call for that company.
    `tags` are those of its session; `account` and `environment` put the role elsewhere.
    `caller`: company and kind of a caller of the API, whose policy is attached to the role.
    `operates`, `audits`: the operator's policy, or the auditor's, is attached to it.
    `administers`: its own policies let it do everything, as they are taken to do in every other account.
    """

    role: str = ""
    service: str = ""
    source: str = ""
    named: str = ""
    caller_of: str = ""
    tags: Tags = ()
    account: str = ""
    environment: str = ""
    caller: tuple[str, str] = ("", "")
    operates: bool = False
    audits: bool = False
    administers: bool = False

    def policies_held(self, ours: Names) -> frozenset[str]:
        """Roles and managed policies by which it may do what it may."""
        if self.administers or self.account:
            return frozenset({ADMINISTRATORS})
        attached = {ours.caller_policy(*self.caller)} if self.caller[0] else set()
        attached |= {ours.operator_policy} if self.operates else set()
        attached |= {ours.auditor_policy} if self.audits else set()
        return frozenset(attached | (set() if self.service else {self.role_name(ours)}))

    def acts_for(self, ours: Names) -> Context:
        """What a service says of what it acts for."""
        arn = filled(self.source, ours)
        return {"aws:SourceArn": arn, "aws:SourceAccount": arn.split(":")[4]} if arn else {}

    def names(self, ours: Names) -> Names:
        """Names of where the role is."""
        return replace(ours, account=self.account or ours.account, environment=self.environment or ours.environment)

    def role_name(self, ours: Names) -> str:
        """Name of the role in use."""
        where = self.names(ours)
        return self.named or (where.caller_role(self.caller_of) if self.caller_of else where.role(self.role))

    def role_arn(self, ours: Names) -> str:
        """ARN of the role in use."""
        return self.names(ours).role_arn(self.role_name(ours))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One question with the answer that is wanted."""

    who: Actor
    action: str
    on: Place
    allowed: bool
    transport: Transport = Transport.TLS
    layer: Layer = Layer.BOTH

    def __str__(self) -> str:
        tags = ",".join(f"{key}={value}" for key, value in self.who.tags)
        verb = "may" if self.allowed else "may not"
        by = "" if self.layer is Layer.BOTH else f" (by {self.layer} policies)"
        over = "" if self.transport is Transport.TLS else f" over {self.transport}"
        who = self.who.role or self.who.named or self.who.service or self.who.caller_of
        who += f" of {self.who.account}" if self.who.account else ""
        who += f" for {self.who.source}" if self.who.source else ""
        return f"{who}[{tags}] {verb} {self.action} on {self.on}{over}{by}"
