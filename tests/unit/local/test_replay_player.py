from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from infra.local.answers import Turn
from infra.local.client import ServiceError, TurnTooSlow
from infra.local.replay.plan import PlannedTurn
from infra.local.replay.player import Played, play
from infra.local.replay.summary import calls_by_purpose, failures, rows, total

if TYPE_CHECKING:
    from collections.abc import Mapping


def planned(number: int) -> PlannedTurn:
    return PlannedTurn(
        user_id="lena",
        chat_id="c",
        number=number,
        occurred_at=datetime(2026, 6, 17, tzinfo=UTC),
        messages=({"role": "user", "content": f"text {number}"},),
        space_id="s",
    )


def state(outcome: str | None, status: str = "done") -> Turn:
    return Turn("t", status, outcome, None, 1, ("gate", "consolidation"), 100, 10)


@dataclass
class ScriptedApi:
    """Answers posts and waits from lists, in order, and keeps the order of calls."""

    posts: list[str | Exception | None]
    waits: list[Turn | Exception] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)

    def post(self, user_id: str, turn: Mapping[str, Any]) -> str | None:
        self.seen.append(f"post {user_id} {turn['turn_id'][:3]}")
        answer = self.posts.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def wait(self, user_id: str, turn_id: str, *, seconds: float) -> Turn:
        self.seen.append(f"wait {user_id} {turn_id[:3]} {seconds:.0f}")
        answer = self.waits.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_one_by_one_waits_for_each_turn_before_the_next() -> None:
    api = ScriptedApi([None, None], [state("updated"), state("noop")])
    played = list(play(api, [planned(1), planned(2)], seconds=9))
    assert api.seen == ["post lena c-1", "wait lena c-1 9", "post lena c-2", "wait lena c-2 9"]
    assert [one.ending for one in played] == ["updated", "noop"]


def test_a_burst_hands_everything_over_first() -> None:
    api = ScriptedApi([None, None], [state("updated"), state("updated")])
    list(play(api, [planned(1), planned(2)], seconds=9, burst=True))
    assert [call.split()[0] for call in api.seen] == ["post", "post", "wait", "wait"]


def test_a_failure_ends_its_turn_but_not_the_play() -> None:
    api = ScriptedApi(
        [ServiceError("422: no"), None, "user_off", None], [TurnTooSlow("still running"), state(None, "dead")]
    )
    played = list(play(api, [planned(number) for number in range(1, 5)], seconds=9))
    assert [one.ending for one in played] == ["error", "error", "skipped: user_off", "dead"]
    assert [one.well for one in played] == [False, False, True, False]
    assert [one.error for one in failures(played)] == ["422: no", "still running", None]


def test_the_summary_adds_up_by_outcome() -> None:
    played = [
        Played(planned(1), 1.0, state("updated")),
        Played(planned(2), 3.0, state("updated")),
        Played(planned(3), 0.5, skipped="blank"),
    ]
    first, second = rows(played)
    assert (first.ending, first.turns, first.calls, first.input_tokens, first.seconds) == ("updated", 2, 4, 200, 3.0)
    assert (second.ending, second.turns, second.calls) == ("skipped: blank", 1, 0)
    assert total(played).turns == 3
    assert total(played).output_tokens == 20
    assert calls_by_purpose(played) == {"gate": 2, "consolidation": 2}


def test_nothing_played_adds_up_to_nothing() -> None:
    assert rows([]) == []
    assert total([]).seconds == 0.0
