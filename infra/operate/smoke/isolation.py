"""Are those kept out who must be?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from infra.names import USER_DATA_ROLES
from infra.operate.smoke.api import SPACE
from infra.operate.smoke.findings import failed, ok, refused, unseen

if TYPE_CHECKING:
    from mypy_boto3_sts.type_defs import TagTypeDef

    from infra.operate.smoke.findings import Finding
    from infra.operate.smoke.probe import Probe

_FORBIDDEN = 403
_NO_COMPANY = "no-such-company-of-ours"
# IAM decides upon a path, functions read what the gateway makes of it: where the two differ, these lead across.
_LEADING_ACROSS = (
    "/v1/companies/{own}/users/%2E%2E/%2E%2E/{other}/users/{user}/memory",
    "/v1/companies/{own}/users/..%2F..%2F{other}%2Fusers%2F{user}/memory",
    "/v1/companies/{own}%2Fusers%2F..%2F..%2F{other}/users/{user}/memory",
    "/v1/companies/{own}/users/..%252F..%252F{other}%252Fusers%252F{user}/memory",
    "//v1/companies/{other}/users/{user}/memory",
    "/v1//companies/{other}/users/{user}/memory",
)


def refuses_unsigned(probe: Probe) -> Finding:
    """A request without a signature does not get through."""
    status = probe.api.call("GET", f"{probe.api.path(probe.user)}/memory?space_id={SPACE}", signed=False).status_code
    return ok("an unsigned request is refused") if status == _FORBIDDEN else failed(f"unsigned: status {status}")


def refuses_other_companies(probe: Probe) -> Finding:
    """Whoever may call for one company may not for another."""
    if not probe.bound:
        return unseen("these credentials may call for any company: say --role with a role of one company")
    path = f"{probe.api.path(probe.user, _NO_COMPANY)}/memory?space_id={SPACE}"
    status = probe.api.call("GET", path).status_code
    return ok("another company's path is refused") if status == _FORBIDDEN else failed(f"status {status}")


def refuses_other_spellings(probe: Probe) -> Finding:
    """No spelling of a path leads from the caller's company to another."""
    if not probe.bound:
        return unseen("as for other companies")
    for spelling in _LEADING_ACROSS:
        path = spelling.format(own=probe.api.company, other=_NO_COMPANY, user=probe.user)
        if probe.api.call("GET", f"{path}?space_id={SPACE}").is_success:
            return failed(f"another company is reached by {spelling}")
    return ok("no spelling of a path leads to another company")


def keeps_user_data_roles(probe: Probe) -> Finding:
    """Nobody but the functions takes a user-data role, however mighty."""
    sts = probe.caller.client("sts", endpoint_url=probe.target.endpoint_url)
    names = probe.target.names
    company: TagTypeDef = {"Key": "company_id", "Value": probe.api.company}
    user: TagTypeDef = {"Key": "user_id", "Value": probe.user}
    for role in USER_DATA_ROLES:
        try:
            sts.assume_role(
                RoleArn=names.role_arn(names.user_data_role(role)),
                RoleSessionName="context-memory-smoke",
                Tags=[company] if role == "lister" else [company, user],
            )
        except ClientError as error:
            if not refused(error):
                raise
        else:
            return failed(f"these credentials may take the user-data role {role!r}")
    return ok("no user-data role can be taken from here")
