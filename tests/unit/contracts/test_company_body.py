from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_memory.contracts.companies import CompanyBody, flags_document, settings_document
from context_memory.contracts.complaints import MAX_BODY_BYTES
from context_memory.contracts.http import expected_etags, version_etag
from context_memory.domain.company_settings import CompanySettings, MemoryUse, Retention, Special, StoredSettings
from context_memory.domain.enablement import OperatorFlags
from context_memory.domain.errors import BodyTooLarge, InvalidInput

CANARY = "canary-4711"


def test_what_is_left_out_has_its_default_again() -> None:
    assert CompanyBody.parse(b"{}").settings() == CompanySettings()
    assert CompanyBody.parse(b'{"legacy": true}').settings() == CompanySettings(legacy=True)
    assert CompanyBody.parse(b'{"retention": {"revisions": 5}}').settings().retention == Retention(revisions=5)
    allowed = CompanyBody.parse(b'{"allowed_special": ["union", "belief", "union"]}').settings().allowed_special
    assert allowed == {Special.BELIEF, Special.UNION}


SETTINGS = st.builds(
    CompanySettings,
    max_tokens=st.integers(500, 8000),
    legacy=st.booleans(),
    retention=st.builds(Retention, revision_days=st.integers(1, 365), revisions=st.integers(1, 1000)),
    allowed_special=st.frozensets(st.sampled_from(Special)),
    inherit_memory=st.booleans(),
    expire_after_months=st.none() | st.integers(1, 60),
    use_memory=st.builds(MemoryUse, read=st.booleans(), write=st.booleans()),
    facts_cap=st.integers(20, 2000),
)


@given(SETTINGS)
def test_what_was_shown_can_be_sent_back(settings: CompanySettings) -> None:
    shown = settings_document("acme", StoredSettings(settings=settings, version=3))["settings"]
    assert CompanyBody.parse(json.dumps(shown).encode()).settings() == settings


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{"max_tokens": 499}', "max_tokens"),
        ('{"max_tokens": 8001}', "max_tokens"),
        ('{"max_tokens": "800"}', "max_tokens"),
        ('{"max_tokens": 800.5}', "max_tokens"),
        ('{"max_tokens": true}', "max_tokens"),
        ('{"max_tokens": null}', "max_tokens"),
        ('{"retention": null}', "retention"),
        ('{"retention": {"revision_days": 0}}', "retention.revision_days"),
        ('{"retention": {"revision_days": 366}}', "retention.revision_days"),
        ('{"retention": {"revisions": 0}}', "retention.revisions"),
        ('{"retention": {"revisions": 1001}}', "retention.revisions"),
        ('{"retention": {"days": 1}}', "retention.days"),
        (f'{{"allowed_special": ["union", "{CANARY}"]}}', "allowed_special.1"),
        ('{"allowed_special": ["health"]}', "allowed_special.0"),
        ('{"allowed_special": "union"}', "allowed_special"),
        ('{"inherit_memory": null}', "inherit_memory"),
        ('{"expire_after_months": 0}', "expire_after_months"),
        ('{"expire_after_months": 61}', "expire_after_months"),
        ('{"expire_after_months": "12"}', "expire_after_months"),
        ('{"use_memory": false}', "use_memory"),
        ('{"use_memory": {"read": 1}}', "use_memory.read"),
        ('{"facts_cap": 19}', "facts_cap"),
        ('{"facts_cap": 2001}', "facts_cap"),
        ('{"closed": true}', "closed"),
        ('{"legacy": 1}', "legacy"),
        ('{"legacy": "yes"}', "legacy"),
        ('{"context_memory": true}', "context_memory"),
        (f'{{"{CANARY} and more": 1}}', "(unknown field)"),
        ("[]", "body"),
        ("", "body"),
        (f'"{CANARY}"', "body"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_by_its_field_without_its_value(body: str, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        CompanyBody.parse(body.encode())
    assert refused.value.field == field
    assert CANARY not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_body_that_nobody_needs_is_refused_before_it_is_read() -> None:
    with pytest.raises(BodyTooLarge):
        CompanyBody.parse(b" " * (MAX_BODY_BYTES + 1))


def test_flags_are_shown_as_they_are_switched() -> None:
    assert flags_document(OperatorFlags(context_memory=True)) == {
        "context_memory": True,
        "context_memory_with_web_search": False,
        "daily_tokens": None,
    }


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        (None, None),
        ("", frozenset()),
        ("*", frozenset({"*"})),
        (version_etag(3), frozenset({'"3"'})),
        ('"3", "4"', frozenset({'"3"', '"4"'})),
        ('W/"3"', frozenset()),
    ],
)
def test_an_if_match_is_read_strongly(header: str | None, tags: frozenset[str] | None) -> None:
    assert expected_etags(header) == tags


def test_a_closed_company_can_be_opened_and_no_company_can_be_closed_so() -> None:
    assert CompanyBody.parse(b'{"closed": false}').closed is False
    assert CompanyBody.parse(b"{}").closed is None
    with pytest.raises(InvalidInput, match="closed"):
        CompanyBody.parse(b'{"closed": true}')
