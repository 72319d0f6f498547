"""`stores`: every contract test of a store runs against both makes of adapters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from moto import mock_aws

from context_memory.adapters.in_memory.world import InMemoryWorld
from tests.support.stores import MockedAws, Stores, in_memory_stores

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def mocked_aws() -> MockedAws:
    """One set of clients for all tests: building them is what takes the time."""
    return MockedAws()


@pytest.fixture
def aws_stores(mocked_aws: MockedAws) -> Iterator[Stores]:
    """AWS adapters with empty stores."""
    with mock_aws():
        mocked_aws.wire.signed.clear()
        yield mocked_aws.deploy()


@pytest.fixture(params=["in_memory", "aws"])
def stores(request: pytest.FixtureRequest) -> Stores:
    """Empty stores of either make."""
    if request.param == "aws":
        aws: Stores = request.getfixturevalue("aws_stores")
        return aws
    return in_memory_stores(InMemoryWorld())
