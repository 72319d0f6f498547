"""What no user waits for: packages and modules that a start of `load` must not import."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from infra.local.coldstart.__main__ import local_variables
from tests.support.starting import imported_by, start

if TYPE_CHECKING:
    from pathlib import Path

NOT_ON_THE_LOAD_PATH = (
    "openai",
    "tiktoken",
    "jinja2",
    "markdown_it",
    "yaml",
    "pydantic",
    "boto3",
    "numpy",
    "stdnum",
    "jwt",
    "cryptography",
    "context_memory.adapters.dynamodb.writes",
    "context_memory.adapters.signed_tokens",
    "context_memory.application.inheriting",
    "context_memory.application.consolidate",
)
TOKENS = {"require_user_token": True}
NEEDED = ("botocore", "aws_lambda_powertools", "context_memory.application.load")


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    return imported_by("load", tmp_path_factory.mktemp("no-outputs"))


@pytest.mark.parametrize("name", NOT_ON_THE_LOAD_PATH)
def test_load_starts_without(imported: set[str], name: str) -> None:
    assert name not in imported


@pytest.mark.parametrize("name", NEEDED)
def test_load_has_imported_all_it_needs_before_the_first_event(imported: set[str], name: str) -> None:
    assert name in imported


def test_load_builds_no_other_function_s_settings(imported: set[str]) -> None:
    built = {name.rpartition(".")[2] for name in imported if name.startswith("context_memory.settings.")}
    assert built & {"load", "ingest", "consolidate", "maintain", "account", "admin"} == {"load"}


OIDC = {
    "issuer": "https://issuer.example",
    "audiences": {"app": ["bank"]},
    "scope": "memory",
    "change_scope": "memory:change",
    "export_scope": "memory:export",
    "user_claim": "sub",
    "company_claim": "company_id",
}


@pytest.mark.parametrize(("lock", "reads_tokens"), [({"callers": ["123456789012/role"]}, False), (TOKENS, True)])
def test_load_imports_what_reads_tokens_only_where_a_company_asks_for_them_and_then_before_the_first_event(
    tmp_path: Path,
    lock: object,
    reads_tokens: bool,  # noqa: FBT001 - what is tested
) -> None:
    variables = local_variables("load", tmp_path) | {"COMPANY_LOCKS": json.dumps({"bank": lock})}

    done = start("load", variables | {"OIDC": json.dumps(OIDC)}, "'jwt' in sys.modules, 'cryptography' in sys.modules")

    assert (done.stdout.split(), done.stderr) == ([f"{reads_tokens}", f"{reads_tokens}"], "")


def test_load_does_not_start_where_tokens_are_required_and_nobody_signs_them(tmp_path: Path) -> None:
    variables = local_variables("load", tmp_path) | {"COMPANY_LOCKS": json.dumps({"bank": TOKENS}), "OIDC": ""}

    done = start("load", variables, "None")

    assert done.returncode != 0
    assert "OIDC" in done.stderr.splitlines()[-1]


def test_load_collects_garbage_again_once_it_has_started_but_not_what_it_started_with(tmp_path: Path) -> None:
    done = start("load", local_variables("load", tmp_path), "gc.isenabled(), gc.get_freeze_count() > 10_000")

    assert (done.stdout.split(), done.stderr) == (["True", "True"], "")


def test_load_refuses_to_start_without_its_settings_and_names_the_variable(tmp_path: Path) -> None:
    variables = local_variables("load", tmp_path)
    del variables["READ_ROLE_ARN"]

    done = start("load", variables, "None")

    assert done.returncode != 0
    assert "READ_ROLE_ARN" in done.stderr.splitlines()[-1]
