"""What a language model can do wrong, from end to end: what waits, what is kept, what is final, and in which order."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from threading import Event
from typing import TYPE_CHECKING

import pytest

from tests.support import scripted_answers as says
from tests.support.deployed import eventually
from tests.support.mishaps import configured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tests.support.deployed import Deployed, Somebody
    from tests.support.scripted_model import Asked, Said

pytestmark = pytest.mark.deployed

TRY_SECONDS = "2"
HINT_SECONDS = 1.0
AFTER = "2026-06-17T11:4{}:00Z"

OF_THE_WORLD: Mapping[str, Callable[[], says.Answer]] = {
    "slow-down": lambda: says.slow_down("1"),
    "broken": says.broken,
    "closed": says.hang_up,
    "rubbish": says.rubbish,
    "silent": says.hang,
    "denied": says.denied,
    "unknown-model": says.unknown_model,
}
GATE_GOES_ON = {"broken", "rubbish"}

# Which call gets which answers before good ones, and how its turn ends.
FINAL: Mapping[str, tuple[str, list[Said], str]] = {
    "cut-twice": ("consolidation", [says.cut("# User Memory\n\n## Identity\n- Lives i")] * 2, "malformed"),
    "empty-twice": ("consolidation", [says.without_text()] * 2, "malformed"),
    "chatter-twice": ("consolidation", ["Sure, I have noted that."] * 2, "malformed"),
    "refused-twice": ("consolidation", [says.refusal()] * 2, "model_rejected"),
    "too-long-twice": ("consolidation", [says.too_long()] * 2, "model_rejected"),
    "filtered-twice": ("consolidation", [says.filtered()] * 2, "model_rejected"),
    "scrub-cut-twice": ("scrub", [says.cut("CLE")] * 2, "scrub_veto"),
    "scrub-empty-twice": ("scrub", [says.without_text()] * 2, "scrub_veto"),
}
HARMLESS: Mapping[str, tuple[str, list[Said]]] = {
    "cut-once": ("consolidation", [says.cut("# User Memory\n\n## Identity\n- Lives i")]),
    "empty-once": ("consolidation", [says.without_text()]),
    "refused-once": ("consolidation", [says.refusal()]),
    "scrub-cut-once": ("scrub", [says.cut("CLE")]),
    "gate-cut": ("gate", [says.cut("UPDATE because the us")]),
    "gate-empty": ("gate", [says.without_text()]),
    "gate-refuses": ("gate", [says.refusal()]),
    "gate-too-long": ("gate", [says.too_long()]),
}


@pytest.fixture(scope="module")
def impatient(service: Deployed) -> Iterator[None]:
    """A call is given up long before the function's time is."""
    with configured(service, "consolidate", MODEL_TRY_SECONDS=TRY_SECONDS):
        yield


def befall(deployed: Deployed, purpose: str, fault: Callable[[Asked], Said | None]) -> None:
    """Let a fault come first, wherever there is one, and what was scripted before it answer the other calls."""
    good = deployed.model.script_of(purpose)
    deployed.model.script(purpose, lambda asked: fault(asked) or good(asked))


def befall_once(deployed: Deployed, cases: Mapping[str, tuple[str, list[Said]]]) -> None:
    """Give the calls about the turn of each case its answers, one after the other, before good ones."""
    for purpose in {purpose for purpose, _ in cases.values()}:
        left = {turn_id: list(answers) for turn_id, (whose, answers) in cases.items() if whose == purpose}

        def fault(asked: Asked, left: Mapping[str, list[Said]] = left) -> Said | None:
            return next((left[turn_id].pop(0) for turn_id in asked.turns if left.get(turn_id)), None)

        befall(deployed, purpose, fault)


def who_know_rust(deployed: Deployed, names: Iterable[str]) -> dict[str, Somebody]:
    """A user for each case, whose turns will be called after the fault that they meet."""
    people = {name: deployed.newcomer() for name in names}
    for somebody in people.values():
        somebody.post("t0", "I know Rust.")
    for somebody in people.values():
        assert somebody.done("t0")["outcome"] == "updated"
    return people


def status(somebody: Somebody, turn_id: str) -> str:
    return str(somebody.turn(turn_id)["status"])


def skills(somebody: Somebody) -> list[str]:
    return [line.removeprefix("- Knows ") for line in somebody.memory().splitlines() if "Knows" in line]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("purpose", ["gate", "consolidation", "scrub"])
def test_a_fault_of_the_world_makes_the_turn_wait_and_costs_nothing(learning: Deployed, purpose: str) -> None:
    people, mended = who_know_rust(learning, OF_THE_WORLD), Event()

    def fault(asked: Asked) -> Said | None:
        names = [name for name in asked.turns if name in OF_THE_WORLD]
        return OF_THE_WORLD[names[0]]() if names and not mended.is_set() else None

    befall(learning, purpose, fault)
    for name, lena in people.items():
        lena.post(name, "I know Go.", occurred_at=AFTER.format(1))
        lena.post("t2", "I know Perl.", occurred_at=AFTER.format(2))
    waiting = {name: lena for name, lena in people.items() if purpose != "gate" or name not in GATE_GOES_ON}
    for name, lena in waiting.items():
        eventually(partial(status, lena, name), "retrying".__eq__)
        assert lena.turn("t2")["outcome"] is None  # order is kept
        assert skills(lena) == ["Rust."]
    asked = [one.at for one in learning.model.asked(purpose) if "slow-down" in one.turns]
    assert len(asked) > 1
    assert all(later - earlier >= HINT_SECONDS for earlier, later in pairwise(asked))
    mended.set()
    for name, lena in people.items():
        turns = lena.done(name), lena.done("t2")
        assert [(turn["outcome"], turn["attempts"], turn["reason"]) for turn in turns] == 2 * [("updated", 1, None)], (
            name
        )
        assert skills(lena) == ["Rust.", "Go.", "Perl."], name
        lena.let_go()


@pytest.mark.usefixtures("impatient")
def test_an_answer_that_cannot_be_used_ends_the_turn_and_keeps_the_profile(
    learning: Deployed,
) -> None:
    people = who_know_rust(learning, FINAL)
    befall_once(learning, {name: (purpose, answers) for name, (purpose, answers, _) in FINAL.items()})
    before = {name: (lena.load().json(), lena.versions()) for name, lena in people.items()}
    for name, lena in people.items():
        lena.post(name, "I know Go.", occurred_at=AFTER.format(1))
    for name, lena in people.items():
        turn = lena.done(name)
        assert (turn["status"], turn["outcome"]) == ("done", FINAL[name][2]), name
        assert turn["step"] == {"title": "Updating your memory", "status": "failed", "reason": FINAL[name][2]}
        loaded = lena.load().json()
        assert (loaded["version"], loaded["prompt"]) == (before[name][0]["version"], before[name][0]["prompt"])
        assert lena.versions() == before[name][1]
        lena.post("t2", "I know Perl.", occurred_at=AFTER.format(2))
    for name, lena in people.items():
        assert lena.done("t2")["outcome"] == "updated", name
        assert skills(lena) == ["Rust.", "Perl."], name


@pytest.mark.usefixtures("impatient")
def test_an_answer_that_fails_once_or_a_gate_that_says_nothing_costs_nothing(learning: Deployed) -> None:
    people = who_know_rust(learning, HARMLESS)
    befall_once(learning, HARMLESS)
    for name, lena in people.items():
        lena.post(name, "I know Go.", occurred_at=AFTER.format(1))
    for name, lena in people.items():
        turn = lena.done(name)
        assert (turn["outcome"], turn["attempts"]) == ("updated", 1), name
        assert skills(lena) == ["Rust.", "Go."], name
