"""Who may call for a company: policies to attach, and a role for callers of other accounts."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from infra.components.routes import ROUTES, Callers
from infra.environments.parts import Company, Principal
from infra.names import Names
from tests.infra.templates import ACCOUNT, REGION, WITH_USERS, listed, synthesise
from tests.support.access_rights import PATHS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.infra.templates import Templates

ELSEWHERE = "999988887777"
HERE = Principal(account=ACCOUNT, role="orchestrator")
THERE = Principal(account=ELSEWHERE, role="their-orchestrator")
LONG = "a" * 63
COMPANIES: Mapping[str, Company] = {
    "acme": Company(),
    "acm": Company(callers=(HERE,)),
    "acme2": Company(callers=(HERE, THERE)),
    LONG: Company(callers=(THERE,)),
}
# (kind, method, path under the API) and whether the policy of acme lets it through.
CALLS = [
    ("orchestrator", "GET", "/v1/companies/acme/users/lena/memory", True),
    ("orchestrator", "POST", "/v1/companies/acme/users/lena/turns", True),
    ("orchestrator", "POST", "/v1/companies/acme/users/lena/recall", True),
    ("orchestrator", "GET", "/v1/companies/acme/users/lena/export", False),
    ("orchestrator", "GET", "/v1/companies/acme/users/lena/erasure", False),
    ("orchestrator", "POST", "/v1/companies/acme/jobs", False),
    ("orchestrator", "GET", "/v1/companies/acme/users/lena/turns/t1", True),
    ("orchestrator", "PUT", "/v1/companies/acme", False),
    ("orchestrator", "GET", "/v1/companies/acme", False),
    ("orchestrator", "PUT", "/v1/companies/acme/spaces/s1", False),
    ("orchestrator", "DELETE", "/v1/companies/acme/users/lena/memory", False),
    ("orchestrator", "GET", "/v1/companies/acm/users/lena/memory", False),
    ("orchestrator", "GET", "/v1/companies/acme2/users/lena/memory", False),
    ("orchestrator", "GET", "/v1/companies/xacme/users/lena/memory", False),
    ("orchestrator", "GET", "/v1/me/memory", False),
    ("reader", "GET", "/v1/companies/acme/users/lena/memory", True),
    ("reader", "GET", "/v1/companies/acme/users/lena/turns/t1", True),
    ("reader", "POST", "/v1/companies/acme/users/lena/turns", False),
    ("reader", "POST", "/v1/companies/acme/users/lena/recall", False),
    ("reader", "GET", "/v1/companies/acme/users/lena/facts", False),
    ("reader", "GET", "/v1/companies/acme2/users/lena/memory", False),
    ("reader", "GET", "/v1/companies/acme/spaces/s1", False),
    ("reader", "GET", "/v1/companies/acme/users/lena/export", False),
    ("administrator", "PUT", "/v1/companies/acme", True),
    ("administrator", "GET", "/v1/companies/acme/users/lena/export", True),
    ("administrator", "DELETE", "/v1/companies/acme/users/lena/memory", True),
    ("administrator", "POST", "/v1/companies/acme/jobs/j1/confirm", True),
    ("administrator", "GET", "/v1/companies/acme", True),
    ("administrator", "DELETE", "/v1/companies/acme/links/sap", True),
    ("administrator", "GET", "/v1/companies/acme/users/lena/memory", True),
    ("administrator", "PUT", "/v1/companies/acme2", False),
    ("administrator", "PUT", "/v1/companies/acm", False),
    ("administrator", "PUT", "/v1/companies/acme-2/spaces/s1", False),
    ("administrator", "PATCH", "/v1/companies/acme", False),
]


@pytest.fixture(scope="module")
def templates(code_folder: Path) -> Templates:
    return synthesise(replace(WITH_USERS, account=ACCOUNT, region=REGION, companies=COMPANIES), code_folder)


def resources(templates: Templates, company_id: str, kind: str) -> list[str]:
    """ARNs that a company's policy lets call."""
    policies = templates.named("AWS::IAM::ManagedPolicy", "ManagedPolicyName")
    (statement,) = policies[templates.names.caller_policy(company_id, kind)]["PolicyDocument"]["Statement"]
    assert (statement["Effect"], statement["Action"], "Condition" in statement) == (
        "Allow",
        "execute-api:Invoke",
        False,
    )
    return listed(statement["Resource"])


def matches(pattern: str, arn: str) -> bool:
    """Whether IAM would say so: `*` is anything, a slash too."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), arn) is not None


@pytest.mark.parametrize(("kind", "method", "path", "passes"), CALLS)
def test_a_policy_lets_through_what_its_kind_of_caller_needs(
    templates: Templates,
    kind: str,
    method: str,
    path: str,
    passes: bool,  # noqa: FBT001 - what is tested
) -> None:
    (api,) = templates.resources("AWS::ApiGatewayV2::Api")
    asked = f"arn:aws:execute-api:{REGION}:{ACCOUNT}:<{api}>/$default/{method}{path}"
    assert any(matches(pattern, asked) for pattern in resources(templates, "acme", kind)) is passes


def test_the_matrix_asks_who_may_call_every_route_of_companies() -> None:
    named = {
        "company_id": "",
        "user_id": "lena",
        "turn_id": "t-1",
        "space_id": "s1",
        "job_id": "j1",
        "provider": "slack:u1",
        "fact_id": "f1",
    }
    routes = {
        route.path.format(**named).removeprefix("/v1/companies/") for route in ROUTES if route.callers is Callers.IAM
    }
    assert routes <= set(PATHS)


@pytest.mark.parametrize("company_id", COMPANIES)
def test_each_right_names_api_stage_method_and_the_whole_path_to_the_company(
    templates: Templates, company_id: str
) -> None:
    (api,) = templates.resources("AWS::ApiGatewayV2::Api")
    begins = (
        rf"arn:aws:execute-api:{REGION}:{ACCOUNT}:<{api}>/\$default/(GET|POST|PUT|DELETE)/v1/companies/{company_id}"
    )
    for kind in ("orchestrator", "reader", "administrator"):
        for pattern in resources(templates, company_id, kind):
            assert re.fullmatch(rf"{begins}(/.*)?", pattern), pattern


def test_every_company_has_three_policies_and_nobody_else_has_any(templates: Templates) -> None:
    kinds = ("orchestrator", "reader", "administrator")
    policies = templates.resources("AWS::IAM::ManagedPolicy", "service").values()
    assert {policy["ManagedPolicyName"] for policy in policies} == {
        templates.names.caller_policy(company_id, kind) for company_id in COMPANIES for kind in kinds
    }


def test_a_role_to_call_with_exists_only_where_callers_of_other_accounts_are_pinned(templates: Templates) -> None:
    names = templates.names
    roles = templates.named("AWS::IAM::Role", "RoleName")
    callers = {name for name in roles if "-caller-" in name}
    assert callers == {names.caller_role("acme2"), names.caller_role(LONG)}


def test_the_role_trusts_exactly_the_pinned_callers_of_other_accounts_and_holds_one_policy(
    templates: Templates,
) -> None:
    role = templates.named("AWS::IAM::Role", "RoleName")[templates.names.caller_role("acme2")]
    (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
    assert (trust["Action"], trust["Principal"]) == (
        "sts:AssumeRole",
        {"AWS": f"arn:aws:iam::{ELSEWHERE}:role/their-orchestrator"},
    )
    (held,) = role["ManagedPolicyArns"]
    policy = templates.resources("AWS::IAM::ManagedPolicy")[held.strip("<>")]
    assert policy["ManagedPolicyName"] == templates.names.caller_policy("acme2", "orchestrator")
    assert "Policies" not in role


def test_where_the_account_is_left_open_every_pinned_caller_may_take_the_role() -> None:
    assert COMPANIES["acme2"].callers_elsewhere(None) == (HERE, THERE)
    assert COMPANIES["acme2"].callers_elsewhere(ELSEWHERE) == (HERE,)


def test_names_of_callers_fit_what_aws_allows_and_are_no_two_companies_one() -> None:
    names = Names(environment="production"[:10], account="1" * 12, region="ap-southeast-1")
    companies = [LONG, "a" * 62, "acme", "ac", "a" * 16, "a" * 17]

    assert len({names.caller_role(company) for company in companies}) == len(companies)
    assert max(len(names.caller_role(company)) for company in companies) <= 64
    assert len(names.caller_policy(LONG, "administrator")) <= 128
    assert all(re.fullmatch(r"[\w+=,.@-]+", names.caller_role(company)) for company in companies)


def test_a_callers_role_is_none_that_the_datas_key_lets_in(templates: Templates) -> None:
    pattern = templates.names.role("*")
    assert not matches(pattern, templates.names.caller_role("acme2"))
    assert matches(pattern, templates.names.function_role("load"))
