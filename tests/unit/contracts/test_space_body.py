from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.contracts.complaints import MAX_BODY_BYTES
from context_memory.contracts.spaces import SpaceBody, space_document, spaces_document
from context_memory.domain.errors import BodyTooLarge, InvalidInput
from context_memory.domain.spaces import Backend, Cadence, RecallSettings, SpaceSettings, StoredSpace

CANARY = "canary-4711"
SETTINGS = st.builds(
    SpaceSettings,
    context_memory=st.booleans(),
    web_search=st.booleans(),
    use_orchestrator_language_model=st.booleans(),
    language_model=st.none() | st.text(min_size=1, max_size=200),
    max_tokens=st.none() | st.integers(500, 8000),
    consolidation_gate_enabled=st.booleans(),
    recall=st.builds(
        RecallSettings,
        enabled=st.booleans(),
        write_back=st.booleans(),
        pruning=st.booleans(),
        compaction=st.booleans(),
        backend=st.sampled_from(Backend),
        cadence=st.sampled_from(Cadence),
    ),
)


def test_what_is_left_out_has_its_default_again() -> None:
    assert SpaceBody.parse(b"{}").settings() == SpaceSettings()
    assert SpaceBody.parse(b'{"max_tokens": 500}').settings() == SpaceSettings(max_tokens=500)


@given(SETTINGS)
def test_what_was_shown_can_be_sent_back(settings: SpaceSettings) -> None:
    shown = space_document(StoredSpace(space_id="s1", settings=settings, version=3))
    assert shown["space_id"] == "s1"
    assert SpaceBody.parse(json.dumps(shown["settings"]).encode()).settings() == settings


def test_a_page_of_spaces_says_where_the_next_one_begins() -> None:
    space = StoredSpace(space_id="s1", settings=SpaceSettings(), version=3)
    assert spaces_document([space], "s1") == {"spaces": [space_document(space)], "next": "s1"}
    assert spaces_document([], None) == {"spaces": [], "next": None}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{"max_tokens": 499}', "max_tokens"),
        ('{"max_tokens": 8001}', "max_tokens"),
        ('{"max_tokens": "800"}', "max_tokens"),
        ('{"language_model": ""}', "language_model"),
        (f'{{"language_model": "{CANARY * 20}"}}', "language_model"),
        ('{"language_model": 1}', "language_model"),
        ('{"context_memory": null}', "context_memory"),
        ('{"consolidation_gate_enabled": "no"}', "consolidation_gate_enabled"),
        ('{"recall": true}', "recall"),
        ('{"recall": {"enabled": 1}}', "recall.enabled"),
        ('{"recall": {"backend": "pigeons"}}', "recall.backend"),
        ('{"recall": {"cadence": null}}', "recall.cadence"),
        ('{"recall": {"recall": true}}', "recall.recall"),
        ('{"space_id": "s2"}', "space_id"),
        (f'{{"{CANARY} and more": 1}}', "(unknown field)"),
        ("[]", "body"),
        (f'"{CANARY}"', "body"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_by_its_field_without_its_value(body: str, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        SpaceBody.parse(body.encode())
    assert refused.value.field == field
    assert CANARY not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_body_that_nobody_needs_is_refused_before_it_is_read() -> None:
    with pytest.raises(BodyTooLarge):
        SpaceBody.parse(b" " * (MAX_BODY_BYTES + 1))
