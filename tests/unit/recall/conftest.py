from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.recalling import Recalls

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def recalls() -> Iterator[Recalls]:
    with Recalls() as recalls:
        yield recalls
