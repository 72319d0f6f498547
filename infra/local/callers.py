"""Somebody who may call the API for one company and nothing else, as an orchestrator may in AWS."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

from infra.local.outputs import Caller

if TYPE_CHECKING:
    from infra.local.emulated import Emulated


def create_caller(emulated: Emulated, *, api_id: str, company_id: str) -> Caller:
    """An IAM user with fresh keys (older ones of the same company end here) that may invoke the company's routes."""
    iam, name = emulated.iam, f"context-memory-local-caller-{company_id}"
    with contextlib.suppress(iam.exceptions.EntityAlreadyExistsException):
        iam.create_user(UserName=name)
    for old in iam.list_access_keys(UserName=name)["AccessKeyMetadata"]:
        iam.delete_access_key(UserName=name, AccessKeyId=old["AccessKeyId"])
    api = f"arn:aws:execute-api:{emulated.region}:{emulated.account}:{api_id}"
    statement = {
        "Effect": "Allow",
        "Action": "execute-api:Invoke",
        # Stage, method, path: company and user stand in the path so that a policy can say this.
        "Resource": f"{api}/$default/*/v1/companies/{company_id}/*",
    }
    policy = {"Version": "2012-10-17", "Statement": [statement]}
    iam.put_user_policy(UserName=name, PolicyName="invoke", PolicyDocument=json.dumps(policy))
    key = iam.create_access_key(UserName=name)["AccessKey"]
    return Caller(access_key_id=key["AccessKeyId"], secret_access_key=key["SecretAccessKey"])
