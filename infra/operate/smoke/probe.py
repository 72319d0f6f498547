"""From where the checks look: an environment, a caller of one company, and a user made up for this run."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import boto3

from infra.operate.smoke.api import Api
from infra.operate.target import TargetError

if TYPE_CHECKING:
    from botocore.credentials import Credentials

    from infra.operate.target import Target

RESERVED_COMPANY = "smoke"
_API_ID = "ApiId"
_SESSION = "context-memory-smoke"


def _newcomer() -> str:
    return f"smoke-{secrets.token_hex(8)}"


@dataclass(frozen=True, kw_only=True)
class Probe:
    """`caller` signs requests to the API; `bound` says whether it may call for no other company.

    `own_api` is signed with the credentials of whoever runs this, who may administer.
    """

    target: Target
    api: Api
    own_api: Api
    caller: boto3.Session
    bound: bool
    patience: float
    user: str = field(default_factory=_newcomer)
    stranger: str = field(default_factory=_newcomer)


def probe(target: Target, *, company: str | None, role: str | None, patience: float) -> Probe:
    """Look from here.

    Args:
        target: the environment.
        company: to speak for; None takes the one that is reserved for this, or that the local caller speaks for.
        role: ARN of a role to call with, such as one that holds the company's policy; None calls with what there is.
        patience: seconds that a turn may take.

    Raises:
        TargetError: there is no such company, or nothing is deployed.
    """
    companies = sorted(target.environment.companies)
    chosen = company or (target.outputs.company_id if target.outputs else RESERVED_COMPANY)
    if chosen not in companies:
        raise TargetError(
            f"there is no company {chosen!r} in {target.environment.name}; there are {', '.join(companies)}:"
            " add it to the environment's file, or choose one with --company"
        )
    if target.environment.companies[chosen].require_user_token:
        raise TargetError(f"{chosen} requires its users' own tokens: take another company")
    caller = _caller(target, role)
    api = Api(url=api_url(target), region=target.names.region, company=chosen, credentials=credentials_of(caller))
    own_api = replace(api, credentials=credentials_of(target.session))
    bound = role is not None or target.outputs is not None
    return Probe(target=target, api=api, own_api=own_api, caller=caller, bound=bound, patience=patience)


def _caller(target: Target, role: str | None) -> boto3.Session:
    if target.outputs is not None:
        keys = target.outputs.caller
        return boto3.Session(keys.access_key_id, keys.secret_access_key, region_name=target.names.region)
    if role is None:
        return target.session
    taken = target.client("sts").assume_role(RoleArn=role, RoleSessionName=_SESSION)["Credentials"]
    return boto3.Session(
        taken["AccessKeyId"], taken["SecretAccessKey"], taken["SessionToken"], region_name=target.names.region
    )


def credentials_of(session: boto3.Session) -> Credentials:
    """What a session signs with.

    Raises:
        TargetError: it has nothing to sign with.
    """
    found = session.get_credentials()
    if found is None:
        raise TargetError("no credentials to call the API with")
    return found


def api_url(target: Target) -> str:
    """Where the environment's API is, without a slash at its end.

    Raises:
        TargetError: nothing is deployed.
    """
    if target.outputs is not None:
        return target.outputs.api_url
    stack = target.names.plain("service")
    described = target.client("cloudformation").describe_stacks(StackName=stack)["Stacks"][0]
    for output in described.get("Outputs", ()):
        if output["OutputKey"] == _API_ID:
            domain = "amazonaws.com.cn" if target.names.partition == "aws-cn" else "amazonaws.com"
            return f"https://{output['OutputValue']}.execute-api.{target.names.region}.{domain}"
    raise TargetError(f"{stack} names no API")
