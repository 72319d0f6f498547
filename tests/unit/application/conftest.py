from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.house import House
from tests.support.keeper import Keeper

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def house() -> Iterator[House]:
    with House() as house:
        yield house
        assert house.model.unforeseen == ()


@pytest.fixture
def keeper(house: House) -> Keeper:
    return Keeper(house)
