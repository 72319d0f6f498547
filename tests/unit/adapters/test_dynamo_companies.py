"""What DynamoDB answers about a company's settings, and what becomes of it."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from context_memory.adapters.dynamodb.companies import DynamoCompanies
from context_memory.adapters.dynamodb.company_items import space_values, stored_company, stored_space
from context_memory.domain.company_settings import CompanySettings, Special, StoredSettings
from context_memory.domain.errors import StoreUnavailable, VersionConflict
from context_memory.domain.spaces import RecallSettings, SpaceSettings

MINE, THEIRS = CompanySettings(max_tokens=900), CompanySettings(max_tokens=800)


def refused(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "acme##company"}}, "UpdateItem")


class FakeDynamo:
    """Answers an update with an error, and a read with what is then stored."""

    def __init__(self, error: Exception, settings: CompanySettings, version: int) -> None:
        self.error = error
        self.item = {
            "max_tokens": {"N": str(settings.max_tokens)},
            "legacy": {"BOOL": settings.legacy},
            "version": {"N": str(version)},
        }

    def update_item(self, **_: Any) -> None:  # noqa: ANN401 - as the client takes them
        raise self.error

    def get_item(self, **_: Any) -> dict[str, Any]:  # noqa: ANN401 - likewise
        return {"Item": self.item}


def companies(error: Exception, settings: CompanySettings, version: int) -> DynamoCompanies:
    fake = cast("Any", FakeDynamo(error, settings, version))
    return DynamoCompanies(client=fake, table="companies", own_role=nullcontext)


def test_a_write_whose_first_answer_was_lost_is_found_to_be_done() -> None:
    stored = companies(refused("ConditionalCheckFailedException"), MINE, 4)
    assert stored.replace("acme", MINE, version=3) == StoredSettings(settings=MINE, version=4)


@pytest.mark.parametrize(("settings", "version"), [(THEIRS, 4), (MINE, 5), (MINE, 3)])
def test_what_somebody_else_wrote_is_not_taken_for_ones_own(settings: CompanySettings, version: int) -> None:
    with pytest.raises(VersionConflict) as conflict:
        companies(refused("ConditionalCheckFailedException"), settings, version).replace("acme", MINE, version=3)
    assert conflict.value.version == version


@pytest.mark.parametrize(
    "error", [refused("ThrottlingException"), refused("AccessDeniedException"), ReadTimeoutError(endpoint_url="x")]
)
def test_a_fault_of_the_world_is_told_as_one_and_names_no_company(error: Exception) -> None:
    with pytest.raises(StoreUnavailable) as failed:
        companies(error, THEIRS, 1).replace("acme", MINE, version=None)
    assert "acme" not in str(failed.value)


def test_an_item_of_an_earlier_release_has_the_defaults_of_what_it_does_not_know() -> None:
    stored = companies(refused("unused"), CompanySettings(max_tokens=900, legacy=True), 4).settings("acme")
    assert stored == StoredSettings(settings=CompanySettings(max_tokens=900, legacy=True), version=4)


def test_a_kind_that_only_a_later_release_knows_is_not_allowed() -> None:
    item = {"allowed_special": ["union", "something new"], "version": 3}
    assert stored_company(item).settings.allowed_special == {Special.UNION}


@pytest.mark.parametrize(
    "settings",
    [SpaceSettings(), SpaceSettings(max_tokens=500, language_model="fast", recall=RecallSettings(enabled=False))],
)
def test_a_space_whose_attributes_an_earlier_release_did_not_know_has_their_defaults(settings: SpaceSettings) -> None:
    values = space_values(settings)
    for name, default in space_values(SpaceSettings()).items():
        if values[name] == default:
            del values[name]
    assert stored_space({"sk": "s1", "version": 7, **values}).settings == settings


@pytest.mark.parametrize("enabled", [True, False])
def test_a_space_of_a_release_that_knew_of_recall_only_whether_it_is_on_is_read(enabled: bool) -> None:  # noqa: FBT001 - a parameter
    stored = stored_space({"sk": "s1", "version": 7, "recall": enabled})
    assert stored.settings.recall == RecallSettings(enabled=enabled)
