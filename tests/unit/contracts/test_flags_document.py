"""The document of the operator's switches: what the validator lets pass can be read, and nothing means "off"."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cfnlint.jsonschema import StandardValidator  # type: ignore[import-untyped] # it brings no types
from hypothesis import given
from hypothesis import strategies as st

from context_memory.contracts.flags import read_flags
from context_memory.domain.enablement import OperatorFlags
from infra.components.flags_document import NOBODY, SCHEMA

ON = {"context_memory": True, "context_memory_with_web_search": True}
SCALARS = st.none() | st.booleans() | st.integers(-2, 2) | st.text(max_size=3)
FLAGS = st.dictionaries(
    st.sampled_from(["context_memory", "context_memory_with_web_search", "daily_tokens", "colour"]), SCALARS
)
DOCUMENTS = st.dictionaries(
    st.sampled_from(["companies", "more"]),
    SCALARS | st.dictionaries(st.sampled_from(["acme", "b-2", "A", "", "-x"]), SCALARS | FLAGS),
)
# Mistakes make nearly all of those wrong; these are right, so that reading is tried as often as refusing.
DECIDED = st.fixed_dictionaries(
    {"context_memory": st.booleans(), "context_memory_with_web_search": st.booleans()},
    optional={"daily_tokens": st.integers(1, 10**12)},
)
RIGHT = st.fixed_dictionaries({"companies": st.dictionaries(st.sampled_from(["acme", "b-2", "c3"]), DECIDED)})


def accepted(document: object) -> bool:
    """Whether the validator lets a document pass."""
    return next(StandardValidator(SCHEMA).iter_errors(document), None) is None


def with_acme(**flags: object) -> dict[str, Any]:
    return {"companies": {"acme": flags}}


def test_flags_are_read_by_company() -> None:
    document = {"companies": {"acme": ON, "beta": ON | {"context_memory_with_web_search": False, "daily_tokens": 7}}}
    assert accepted(document)
    assert read_flags(json.dumps(document).encode()) == {
        "acme": OperatorFlags(context_memory=True, context_memory_with_web_search=True),
        "beta": OperatorFlags(context_memory=True, daily_tokens=7),
    }


def test_what_is_deployed_at_first_names_nobody() -> None:
    assert accepted(json.loads(NOBODY))
    assert read_flags(NOBODY.encode()) == {}


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        {"companies": {}, "spaces": {}},
        {"companies": {"Acme": ON}},
        {"companies": {"a": ON}},
        {"companies": {"acme/x": ON}},
        with_acme(),
        with_acme(context_memory=True),
        with_acme(**ON, context_memry=True),
        with_acme(**ON | {"context_memory": "on"}),
        with_acme(**ON | {"context_memory": 1}),
        with_acme(**ON, daily_tokens=0),
        with_acme(**ON, daily_tokens=1.5),
        with_acme(**ON, daily_tokens=None),
    ],
)
def test_the_validator_refuses_what_could_be_a_slip_of_the_hand(document: object) -> None:
    assert not accepted(document)


@given(RIGHT)
def test_whatever_the_validator_lets_pass_is_read_as_it_stands(document: dict[str, Any]) -> None:
    assert accepted(document)
    read = read_flags(json.dumps(document).encode())
    assert read == {company_id: OperatorFlags(**entry) for company_id, entry in document["companies"].items()}


@given(DOCUMENTS)
def test_what_cannot_be_read_is_nothing_that_the_validator_lets_pass(document: dict[str, Any]) -> None:
    try:
        read = read_flags(json.dumps(document).encode())
    except ValueError:
        assert not accepted(document)
    else:
        assert set(read) == set(document["companies"])


@given(st.binary(max_size=60))
def test_bytes_that_are_no_document_are_refused_in_one_way(raw: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - JSON's own words, or ours
        read_flags(raw)


def test_a_key_of_a_newer_release_does_not_switch_anything_off() -> None:
    document = with_acme(**ON, something_new={"x": 1})
    assert read_flags(json.dumps(document).encode())["acme"].context_memory
