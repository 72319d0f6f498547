"""Somebody who may call the API for one company and nothing else, by the very policy that the stacks make for it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from infra.local.outputs import Caller

if TYPE_CHECKING:
    from infra.local.emulated import Emulated


def create_caller(emulated: Emulated, *, company_id: str, kind: str) -> Caller:
    """An IAM user with fresh keys (older ones of the same company and kind end here) under the company's policy.

    Args:
        emulated: where the stacks are deployed.
        company_id: one of the environment's companies.
        kind: `orchestrator`, `reader` or `administrator`.
    """
    names, iam = emulated.names, emulated.iam
    name = f"context-memory-local-caller-{company_id}-{kind}"
    with contextlib.suppress(iam.exceptions.EntityAlreadyExistsException):
        iam.create_user(UserName=name)
    for old in iam.list_access_keys(UserName=name)["AccessKeyMetadata"]:
        iam.delete_access_key(UserName=name, AccessKeyId=old["AccessKeyId"])
    iam.attach_user_policy(UserName=name, PolicyArn=names.policy_arn(names.caller_policy(company_id, kind)))
    key = iam.create_access_key(UserName=name)["AccessKey"]
    return Caller(access_key_id=key["AccessKeyId"], secret_access_key=key["SecretAccessKey"])
