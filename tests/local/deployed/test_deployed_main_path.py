from __future__ import annotations

import pytest

from tests.support.deployed import Deployed, Somebody, eventually

pytestmark = pytest.mark.deployed


def test_a_posted_turn_is_what_the_next_chat_loads(learning: Deployed, lena: Somebody) -> None:
    answer = lena.post("t1", "I know Rust.")
    assert (answer.status_code, answer.json()) == (202, {"turn_id": "t1", "status": "queued"})
    turn = lena.done("t1")
    assert (turn["status"], turn["outcome"], turn["attempts"]) == ("done", "updated", 1)
    assert [call["purpose"] for call in turn["usage"]] == ["gate", "consolidation", "scrub", "extraction"]
    assert turn["step"]["entry"]["text"] == "Review your context memory"
    loaded = lena.load().json()
    assert loaded["enabled"] is True
    assert "- Knows Rust." in loaded["memory"]
    assert loaded["prompt"].startswith("## What I know about you")
    assert loaded["version"]["turn_count"] == 1
    assert loaded["freshness"] == {"consolidated_through": "2026-06-17T11:40:00+00:00", "pending": 0, "failed": 0}
    assert loaded["step"] == {
        "title": "Loading context memory",
        "status": "completed",
        "entry": {"type": "UserMemory", "text": "Context memory"},
    }
    asked = learning.model.asked("gate")[-1]
    assert asked.turns == ("t1",)
    lena.let_go()


def test_the_address_holds_nothing_that_clients_sign_in_different_ways(deployed: Deployed) -> None:
    assert not set(deployed.local.outputs.api_url.removeprefix("http://")) & set("$%= ")


def test_a_stranger_has_no_memory_and_that_is_no_error(lena: Somebody) -> None:
    loaded = lena.load().json()
    assert (loaded["enabled"], loaded["memory"], loaded["prompt"], loaded["version"]) == (True, None, None, None)


def test_an_unchanged_memory_is_not_sent_again(learning: Deployed, lena: Somebody) -> None:
    lena.post("t1", "I know Rust.")
    lena.done("t1")
    first = lena.load()
    again = learning.call("GET", f"{lena.path}/memory?space_id=s1", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["x-memory-pending"] == "0"
    lena.post("t2", "I know Go.", occurred_at="2026-06-17T11:41:00Z")
    lena.done("t2")
    changed = learning.call("GET", f"{lena.path}/memory?space_id=s1", headers={"if-none-match": first.headers["etag"]})
    assert changed.status_code == 200
    assert "Knows Go." in changed.json()["memory"]


def test_an_unchanged_memory_is_the_same_bytes(learning: Deployed, lena: Somebody) -> None:
    lena.post("t1", "I know Rust.")
    lena.done("t1")
    first = lena.load().json()["prompt"]
    lena.post("t2", "Good morning!", occurred_at="2026-06-17T11:41:00Z")
    assert lena.done("t2")["outcome"] == "noop"
    assert lena.done("t2")["step"] is None
    assert lena.load().json()["prompt"] == first
    assert learning.model.asked("consolidation")[-1].turns == ("t1",)


def test_the_same_turn_posted_three_times_is_one_change(learning: Deployed, lena: Somebody) -> None:
    answers = [lena.post("t1", "I know Rust.") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [202] * 3
    assert len({answer.text for answer in answers}) == 1
    lena.done("t1")
    lena.post("t1", "I know Rust.")
    assert lena.memory().count("Knows Rust.") == 1
    assert lena.load().json()["version"]["turn_count"] == 1
    assert len(learning.model.asked("consolidation")) == 1


def test_the_same_id_with_another_body_is_a_conflict(learning: Deployed, lena: Somebody) -> None:
    lena.post("t1", "I know Rust.")
    refused = lena.post("t1", "I know Go.")
    assert refused.status_code == 409
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["type"].endswith("turn_conflict")
    lena.done("t1")
    assert "Go" not in lena.memory()
    assert learning.model.asked("gate")[-1].turns == ("t1",)


def test_two_users_with_the_same_turn_id_are_both_stored(learning: Deployed, lena: Somebody) -> None:
    other = learning.newcomer()
    lena.post("t1", "I know Rust.")
    other.post("t1", "I know Go.")
    lena.done("t1")
    other.done("t1")
    assert ("Rust" in lena.memory(), "Go" in lena.memory()) == (True, False)
    assert ("Rust" in other.memory(), "Go" in other.memory()) == (False, True)


def test_a_blank_turn_is_skipped_and_never_stored(lena: Somebody, deployed: Deployed) -> None:
    answer = lena.post("t1", "   ")
    assert (answer.status_code, answer.json()["reason"]) == (200, "blank")
    assert deployed.call("GET", f"{lena.path}/turns/t1").status_code == 404
    assert lena.items() == []
    lena.let_go()


def test_a_turn_that_must_not_be_remembered_is_skipped(lena: Somebody) -> None:
    answer = lena.post("t1", "I know Rust.", use_memory={"write": False})
    assert answer.json() == {"turn_id": "t1", "status": "skipped", "reason": "use_memory"}
    # But that its workers have no memory either, for a day.
    assert [item["sk"]["S"] for item in lena.items()] == ["PROMPT#t1#"]
    assert lena.payloads() == []


def test_ten_loads_pasted_back_add_nothing(learning: Deployed, lena: Somebody) -> None:
    lena.post("t0", "I know Rust.")
    lena.done("t0")
    before = lena.load().json()["memory"]
    for number in range(1, 11):
        prompt = lena.load().json()["prompt"]
        lena.post(f"t{number}", f"{prompt}\n\nThanks!", occurred_at=f"2026-06-17T12:{number:02}:00Z")
        assert lena.done(f"t{number}")["outcome"] == "noop"
        evidence = learning.model.asked("gate")[-1].said_by("user")
        assert "Rust" not in evidence
    assert lena.load().json()["memory"] == before


def test_waiting_turns_show_until_they_are_consolidated(deployed: Deployed, lena: Somebody) -> None:
    from tests.support import scripted_answers as says  # noqa: PLC0415 - used here alone

    deployed.model.script("gate", lambda _: says.slow_down())
    lena.post("t1", "I know Rust.")
    waiting = eventually(lambda: lena.turn("t1"), lambda turn: turn["status"] == "retrying")
    assert waiting["step"] == {"title": "Updating your memory", "status": "running"}
    assert lena.load().json()["freshness"]["pending"] == 1
    deployed.model.script("gate", lambda _: "NOOP")
    assert lena.done("t1")["outcome"] == "noop"
    assert lena.load().json()["freshness"]["pending"] == 0
