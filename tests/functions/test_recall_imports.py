"""A chat waits for recall as it does for load: what a start of it must not import."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from infra.local.coldstart.__main__ import local_variables
from tests.support.starting import imported_by, start

if TYPE_CHECKING:
    from pathlib import Path

NOT_ON_THE_PATH = (
    "openai",
    "httpx",
    "tiktoken",
    "jinja2",
    "markdown_it",
    "yaml",
    "pydantic",
    "boto3",
    "numpy",
    "lancedb",
    "stdnum",
    "jwt",
    "cryptography",
    "context_memory.application.consolidate",
    "context_memory.application.load",
    "context_memory.contracts.turns",
)
NEEDED = (
    "botocore",
    "sqlite3",
    "context_memory.application.recall.recalling",
    "context_memory.application.recall.citing",
    "context_memory.adapters.indexes.full_text",
)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    return imported_by("recall", tmp_path_factory.mktemp("no-outputs"))


@pytest.mark.parametrize("name", NOT_ON_THE_PATH)
def test_recall_starts_without(imported: set[str], name: str) -> None:
    assert name not in imported


@pytest.mark.parametrize("name", NEEDED)
def test_recall_has_imported_all_it_needs_before_the_first_event(imported: set[str], name: str) -> None:
    assert name in imported


def test_recall_refuses_to_start_without_its_settings_and_names_the_variable(tmp_path: Path) -> None:
    variables = local_variables("recall", tmp_path)
    del variables["RECALL_ROLE_ARN"]

    done = start("recall", variables, "None")

    assert done.returncode != 0
    assert "RECALL_ROLE_ARN" in done.stderr.splitlines()[-1]


def test_recall_asks_for_embeddings_only_where_the_environment_names_a_model(tmp_path: Path) -> None:
    variables = local_variables("recall", tmp_path)
    asked = "handler.function.recall.asking.vectors.embedder.model"

    without = start("recall", variables | {"EMBEDDING_MODEL": ""}, "handler.function.recall.asking.vectors.embedder")
    prefixed = start(
        "recall", variables | {"EMBEDDING_MODEL": "e5", "EMBEDDING_PREFIXES": '{"query": "query: "}'}, asked
    )

    assert without.stdout.strip() == "None"
    assert prefixed.stdout.startswith("e5#")


@pytest.mark.parametrize("prefixes", ["[]", "query: ", '{"query": 1}', '{"question": "query: "}'])
def test_recall_does_not_start_with_prefixes_that_mean_nothing(tmp_path: Path, prefixes: str) -> None:
    done = start("recall", local_variables("recall", tmp_path) | {"EMBEDDING_PREFIXES": prefixes}, "None")

    assert done.returncode != 0
    assert "EMBEDDING_PREFIXES" in done.stderr.splitlines()[-1]
