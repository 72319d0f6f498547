"""What a company's locks in the environment's file become in the functions' environments."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from context_memory.domain.claims import Trust
from context_memory.settings.load import LoadSettings
from infra.environments import DEV
from infra.environments.parts import Company, Oidc, Principal
from infra.names import Names
from infra.variables import variables_of
from tests.infra.templates import ACCOUNT, REGION

NAMES = Names(environment="dev", account=ACCOUNT, region=REGION)
ROLE = NAMES.caller_role("bank")
PINNED = Company(callers=(Principal(account=ACCOUNT, role="orchestrator"), Principal(account="1" * 12, role="batch")))


def locks(function: str, account: str | None = ACCOUNT, **companies: Company) -> Any:  # noqa: ANN401 - JSON
    issuer = Oidc(issuer="https://issuer.example", audiences={"memory": ("acme",)})
    environment = replace(DEV, oidc=issuer, account=account, companies={"acme": Company()} | companies)
    return json.loads(variables_of(function, environment=environment, names=NAMES, url_suffix="x")["COMPANY_LOCKS"])


@pytest.mark.parametrize("function", ["load", "ingest"])
def test_functions_that_orchestrators_call_know_the_companies_that_have_locks_and_no_others(function: str) -> None:
    assert locks(function, bank=PINNED, clinic=Company(require_user_token=True)) == {
        "bank": {"callers": [f"{ACCOUNT}/orchestrator", "111111111111/batch", f"{ACCOUNT}/{ROLE}"]},
        "clinic": {"require_user_token": True},
    }
    assert locks(function) == {}


def test_the_role_that_callers_of_other_accounts_take_may_call_where_there_are_such() -> None:
    here = Company(callers=(Principal(account=ACCOUNT, role="orchestrator"),))
    assert locks("load", bank=here) == {"bank": {"callers": [f"{ACCOUNT}/orchestrator"]}}
    assert f"{ACCOUNT}/{ROLE}" in locks("load", account=None, bank=here)["bank"]["callers"]


def test_functions_are_told_who_signs_users_tokens_where_somebody_does() -> None:
    issuer = Oidc(issuer="https://issuer.example", audiences={"memory": ("acme",)})
    told = variables_of("load", environment=replace(DEV, oidc=issuer), names=NAMES, url_suffix="x")
    read = LoadSettings.read(told).trust
    assert read == Trust(
        issuer=issuer.issuer,
        audiences={"memory": ("acme",)},
        scope="memory",
        change_scope="memory:change",
        export_scope="memory:export",
        user_claim="sub",
        company_claim="company_id",
    )
    assert variables_of("load", environment=DEV, names=NAMES, url_suffix="x")["OIDC"] == ""
