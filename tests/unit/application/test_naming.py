"""Whoever asks whose a hash is leaves a line."""

from __future__ import annotations

import pytest

from context_memory.adapters.in_memory.telemetry import Line, RecordingTelemetry, stand_in
from context_memory.application.maintain.naming import TellPseudonym
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.ids import UserKey

LENA = UserKey("acme", "lena")


def test_the_hash_is_told_and_that_it_was_asked_for_is_logged_under_it() -> None:
    telemetry = RecordingTelemetry()
    assert TellPseudonym(pseudonym=stand_in, telemetry=telemetry)(LENA) == stand_in(LENA)
    assert telemetry.lines == [Line("info", "an operator asked which hash stands for a user", {"user": stand_in(LENA)})]


def test_without_the_key_nothing_is_told() -> None:
    def out_of_reach(_user: UserKey) -> str:
        raise StoreUnavailable("The key is out of reach.")

    telemetry = RecordingTelemetry()
    with pytest.raises(StoreUnavailable):
        TellPseudonym(pseudonym=out_of_reach, telemetry=telemetry)(LENA)
    assert telemetry.lines == []
