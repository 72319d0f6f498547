from __future__ import annotations

from dataclasses import replace

import pytest

from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.outcomes import Outcome, TurnStatus
from context_memory.domain.state import UserSettings
from tests.support import scripted_answers as says
from tests.support.house import LENA, TOKENIZERS, House, body

FLAGS = CompanyFlags(context_memory=True, context_memory_with_web_search=True, max_tokens=500)
SKILLS = [f"Has worked for {number} years with the tool called number {number}." for number in range(1, 61)]
SAID = "I live in Basel. " + " ".join(SKILLS)
LONG = body(identity=["Lives in Basel."], skills=SKILLS)
SHORT = body(identity=["Lives in Basel."], skills=SKILLS[:20])


@pytest.fixture
def small(house: House) -> House:
    """A company whose profiles have at most 500 tokens."""
    house.world.switches.companies["acme"] = FLAGS
    house.learns(LONG)
    house.post("t1", SAID)
    return house


def stored_tokens(house: House) -> int:
    latest = house.world.profiles.latest(LENA)
    assert latest is not None
    return TOKENIZERS[0].count(latest.body.decode())


def test_a_profile_over_the_cap_is_condensed_by_the_model(small: House) -> None:
    small.model.queue("condense", SHORT)
    small.work()
    assert small.record("t1").outcome is Outcome.UPDATED
    assert small.memory() == SHORT
    assert "Target: at most 450 tokens." in small.model.asked("condense")[0].said_by("user")
    assert stored_tokens(small) <= 500


UNUSABLE = {
    "longer": LONG,
    "invents": SHORT.replace("Lives in Basel.", "Lives in Bern."),
    "loses identity": body(skills=SKILLS[:20]),
    "no profile": "done",
    "cut": says.cut(SHORT),
}


@pytest.mark.parametrize("answer", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_two_unusable_condensations_are_made_good_by_trimming(small: House, answer: says.Answer | str) -> None:
    small.model.queue("condense", answer, answer)
    small.work()
    assert small.record("t1").outcome is Outcome.UPDATED
    assert stored_tokens(small) <= 500
    assert "- Lives in Basel." in small.memory()
    assert small.memory().endswith("<!-- truncated to fit memory budget -->\n")
    assert small.world.telemetry.total("condense_total", result="trimmed") == 1


@pytest.mark.parametrize("answer", [says.error(500), says.error(400)], ids=["5xx", "400"])
def test_a_condensation_that_fails_is_made_good_by_trimming(small: House, answer: says.Answer) -> None:
    small.model.script("condense", lambda _: answer)
    small.work()
    assert small.record("t1").outcome is Outcome.UPDATED
    assert stored_tokens(small) <= 500
    assert small.world.telemetry.total("condense_total", result="llm_failed_then_trimmed") == 1


def test_a_condensation_that_must_slow_down_makes_the_turn_wait(small: House) -> None:
    small.model.script("condense", lambda _: says.slow_down())
    small.work()
    assert small.record("t1").status is TurnStatus.RETRYING
    assert small.memory() == ""


def test_the_marker_goes_with_the_next_change_that_fits(small: House) -> None:
    small.model.script("condense", lambda _: "done")
    small.work()
    assert "<!--" in small.memory()
    kept = [line[2:] for line in small.memory().splitlines() if "tool called" in line]
    small.world.switches.companies["acme"] = replace(FLAGS, max_tokens=2000)
    small.learns(body(identity=["Lives in Bern."], skills=kept))
    small.world.clock.advance(60)
    small.post("t2", "I moved from Basel to Bern.")
    small.work()
    assert small.memory() == body(identity=["Lives in Bern."], skills=kept)


def test_follow_ups_past_their_date_go_when_something_is_stored_anyway(house: House) -> None:
    house.learns(body(follow_ups=["Call the bank by 2026-01-10.", "Renew the passport."]))
    house.post("t1", "Remind me to call the bank by 2026-01-10 and to renew the passport.")
    house.work()
    house.world.clock.advance(20 * 86400)
    assert "bank" in house.memory()
    house.learns(body(skills=["Writes Rust."], follow_ups=["Call the bank by 2026-01-10.", "Renew the passport."]))
    house.post("t2", "I write Rust.")
    house.work()
    assert house.memory() == body(skills=["Writes Rust."], follow_ups=["Renew the passport."])
    house.world.clock.advance(91 * 86400)
    house.learns(body(skills=["Writes Rust and Go."], follow_ups=["Renew the passport."]))
    house.post("t3", "I write Rust and Go.")
    house.work()
    assert "passport" not in house.memory()


def test_a_change_written_under_another_policy_is_scrubbed_whole(house: House) -> None:
    house.learns(body(identity=["Lives in Basel."]))
    house.post("t1", "I live in Basel.")
    house.work()
    items = house.world.table._users[LENA]  # noqa: SLF001 - as an older release left it
    assert items.profile is not None
    items.profile = replace(items.profile, policy_version="0")
    house.learns(body(identity=["Lives in Basel."], skills=["Writes Rust."]), scrub="1 DROP")
    house.world.clock.advance(60)
    house.post("t2", "I write Rust.")
    house.work()
    assert house.memory() == body(skills=["Writes Rust."])


def test_a_pinned_bullet_is_kept_and_the_conflict_told(house: House) -> None:
    from context_memory.domain.profile import Section, pin_of  # noqa: PLC0415 - used here alone

    house.learns(body(identity=["Lives in Basel."]))
    house.post("t1", "I live in Basel.")
    house.work()
    pin = pin_of(Section.IDENTITY, "Lives in Basel.")
    house.world.table.write_settings(LENA, UserSettings(pins=frozenset({pin})))
    house.model.queue("gate", "UPDATE")
    house.model.queue("consolidation", body(identity=["Lives in Bern."]))
    house.world.clock.advance(60)
    house.post("t2", "I moved from Basel to Bern.")
    house.work()
    assert house.record("t2").outcome is Outcome.PINNED_CONFLICT
    assert house.memory() == body(identity=["Lives in Basel."])
    assert "Lives in Basel. [pinned]" in house.model.asked("consolidation")[1].said_by("user")


def test_a_share_of_noops_is_consolidated_to_measure_what_the_gate_misses() -> None:
    with House(gate_miss_share=1.0) as house:
        house.model.script("gate", lambda _: "NOOP")
        house.model.queue("consolidation", body(identity=["Lives in Basel."]))
        house.post("t1", "I live in Basel.")
        house.work()
        assert house.record("t1").outcome is Outcome.NOOP
        assert house.world.telemetry.total("gate_miss_total") == 1
        house.model.queue("consolidation", says.slow_down())
        house.world.clock.advance(60)
        house.post("t2", "Hello!")
        house.work()
        assert house.record("t2").outcome is Outcome.NOOP
        assert house.memory() == ""


def under_another_policy(house: House, *skills: str) -> None:
    """A profile as an older release left it, and a turn that would change it."""
    house.learns(body(skills=list(skills)))
    house.post("t1", "I know " + ", ".join(skills))
    house.work()
    items = house.world.table._users[LENA]  # noqa: SLF001 - as an older release left it
    assert items.profile is not None
    items.profile = replace(items.profile, policy_version="0")
    house.world.clock.advance(60)


def test_a_scrub_that_drops_everything_leaves_the_profile_as_it_was(house: House) -> None:
    under_another_policy(house, "Knows Ada.", "Knows Basic.")
    house.learns(
        body(identity=["Lives in Basel."], skills=["Knows Ada.", "Knows Basic."]), scrub="1 DROP\n2 DROP\n3 DROP"
    )
    house.post("t2", "I live in Basel.")
    house.work()
    assert house.record("t2").outcome is Outcome.UNCHANGED
    assert house.memory() == body(skills=["Knows Ada.", "Knows Basic."])


def test_a_scrub_of_the_whole_profile_that_drops_most_of_it_is_a_veto(house: House) -> None:
    skills = [f"Knows {name}." for name in ("Ada", "Basic", "Cobol", "Delphi", "Erlang")]
    under_another_policy(house, *skills)
    drops = "\n".join(f"{line} DROP" for line in range(1, 6))
    house.learns(body(identity=["Lives in Basel."], skills=skills), scrub=drops)
    house.post("t2", "I live in Basel.")
    house.work()
    assert house.record("t2").outcome is Outcome.SCRUB_VETO
    assert house.memory() == body(skills=skills)
