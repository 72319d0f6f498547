"""The committed description is what the operations say; run this file with `GOLDEN=write` to make it anew."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

from context_memory.contracts.openapi.generator import document
from context_memory.contracts.openapi.operation import USERS, Callers
from context_memory.contracts.openapi.operations import OPERATIONS
from context_memory.contracts.openapi.problems import STATUSES
from context_memory.contracts.openapi.published import PLACE, published

if TYPE_CHECKING:
    from collections.abc import Iterator

    from context_memory.contracts.openapi.operation import Operation

COPY = Path(__file__).parents[3] / "docs" / "openapi.json"


def references(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        yield from (found for one in value.values() for found in references(one))
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
    elif isinstance(value, list):
        yield from (found for one in value for found in references(one))


def test_the_committed_description_is_not_stale() -> None:
    made = json.dumps(document(), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("GOLDEN") == "write":
        PLACE.write_text(made)
    assert PLACE.read_text() == made


def test_readers_find_the_very_document_that_is_served() -> None:
    assert COPY.resolve() == PLACE
    assert published().text == COPY.read_text()


def test_its_etag_names_its_content() -> None:
    assert published().etag.startswith('"')
    assert published().etag.strip('"') not in published().text


def test_every_schema_is_one_and_every_reference_leads_somewhere() -> None:
    made = document()
    for schema in made["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema)
    for reference in references(made):
        root, *steps = reference.split("/")
        found = made
        for step in steps:
            found = found[step]
        assert root == "#"


def test_operations_have_names_of_their_own_and_tell_of_known_problems_alone() -> None:
    assert len({operation.name for operation in OPERATIONS}) == len(OPERATIONS)
    for operation in OPERATIONS:
        assert operation.problems <= set(STATUSES), operation.route


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.route)
def test_an_operation_names_what_its_path_names_and_tells_of_refusals_of_what_it_reads(operation: Operation) -> None:
    named = [one.name for one in operation.parameters if one.where == "path"]
    assert named == [part.strip("{}") for part in operation.path.split("/") if part.startswith("{")]
    if operation.body:
        assert {"invalid_input", "body_too_large"} <= operation.problems
    if operation.callers in USERS:
        assert "claim_refused" in operation.problems
        assert (operation.callers is Callers.CHANGERS) == (operation.method != "GET")
    if any(one.name == "if-match" and one.required for one in operation.parameters):
        assert {"precondition_required", "version_conflict"} <= operation.problems
