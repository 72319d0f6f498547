from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from infra.local.replay.openai_lines import finished_turns
from infra.local.replay.plan import Plan, ReplayFileError
from infra.local.replay.reading import read_file

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 6, 17, 22, 30, tzinfo=UTC)
PAIR = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]


def read(tmp_path: Path, text: str, *, days: int | None = None) -> Plan:
    path = tmp_path / "conversation"
    path.write_text(text, encoding="utf-8")
    return read_file(path, now=NOW, space="everyday", user="somebody", days=days)


def ours(**turn: object) -> str:
    chat = {"chat": "c", "user": "lena", "turns": [{"user": "Hi", "assistant": "Hello", **turn}]}
    return json.dumps({"users": {"lena": {"time_zone": "Asia/Tokyo", "display_name": "Lena"}}, "chats": [chat]})


def test_days_ago_count_in_the_users_own_zone(tmp_path: Path) -> None:
    (turn,) = read(tmp_path, ours(days_ago=1, time="09:02")).turns
    # In Tokyo it is the 18th already.
    assert turn.occurred_at.isoformat() == "2026-06-17T09:02:00+09:00"
    assert turn.body()["time_zone"] == "Asia/Tokyo"
    assert turn.body()["display_name"] == "Lena"
    assert turn.body()["space_id"] == "everyday"


def test_an_absolute_time_is_taken_as_it_stands(tmp_path: Path) -> None:
    (turn,) = read(tmp_path, ours(at="2026-01-02T03:04:05+01:00")).turns
    assert turn.body()["occurred_at"] == "2026-01-02T03:04:05+01:00"


def test_a_later_turn_carries_the_chat_before_it(tmp_path: Path) -> None:
    chat = {
        "chat": "c",
        "user": "u",
        "turns": [
            {"at": "2026-01-01T10:00:00Z", "user": "one", "assistant": "a"},
            {
                "at": "2026-01-01T11:00:00Z",
                "messages": [{"role": "user", "content": [{"type": "text", "text": "two"}]}],
            },
        ],
    }
    first, second = read(tmp_path, json.dumps({"chats": [chat]})).turns
    assert len(first.messages) == 2
    assert len(second.messages) == 3
    assert second.said == "two"


def test_turns_of_several_chats_are_played_in_the_order_of_time(tmp_path: Path) -> None:
    chats = [
        {"chat": "later", "user": "u", "turns": [{"at": "2026-01-02T10:00:00Z", "user": "b"}]},
        {"chat": "earlier", "user": "u", "turns": [{"at": "2026-01-01T10:00:00Z", "user": "a"}]},
    ]
    assert [turn.chat_id for turn in read(tmp_path, json.dumps({"chats": chats})).turns] == ["earlier", "later"]


def test_the_same_turn_has_the_same_id_and_another_text_another(tmp_path: Path) -> None:
    (one,) = read(tmp_path, ours(days_ago=1, time="09:02")).turns
    (same,) = read(tmp_path, ours(days_ago=1, time="09:02")).turns
    (other,) = read(tmp_path, ours(days_ago=1, time="09:02", user="Ho")).turns
    assert one.turn_id == same.turn_id != other.turn_id


def test_openai_lines_are_chats_with_or_without_a_user_and_a_time(tmp_path: Path) -> None:
    lines = [
        {"messages": [{"role": "system", "content": "s"}, *PAIR, *PAIR]},
        {"messages": PAIR, "user": "lena", "id": "chat-9", "created": 1767225600},
    ]
    plan = read(tmp_path, "\n".join(map(json.dumps, lines)))
    assert [(turn.user_id, turn.chat_id, turn.number) for turn in plan.turns] == [
        ("lena", "chat-9", 1),
        ("somebody", "line-1", 1),
        ("somebody", "line-1", 2),
    ]
    assert plan.turns[0].occurred_at == datetime(2026, 1, 1, tzinfo=UTC)
    assert NOW - timedelta(minutes=3) < plan.turns[1].occurred_at < plan.turns[2].occurred_at <= NOW


def test_one_chat_and_a_list_of_chats_are_openais_too(tmp_path: Path) -> None:
    assert len(read(tmp_path, json.dumps({"messages": PAIR})).turns) == 1
    assert len(read(tmp_path, json.dumps([{"messages": PAIR}, {"messages": PAIR}])).turns) == 2


def test_a_turn_ends_with_the_answer_that_calls_no_tool() -> None:
    call: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
    chat = [PAIR[0], call, {"role": "function", "content": "ten"}, PAIR[1], PAIR[0]]
    first, second = finished_turns(chat)
    assert [message["role"] for message in first] == ["user", "assistant", "tool", "assistant"]
    assert len(second) == 5


def test_memorybank_gives_a_chat_for_each_day(tmp_path: Path) -> None:
    history = {
        "2023-04-28": [{"query": "c", "response": "d"}],
        "2023-04-27": [{"query": "a", "response": "b"}, {"query": "a2", "response": "b2"}],
    }
    text = json.dumps({"Mei Lin": {"name": "Mei Lin", "history": history}})
    plan = read(tmp_path, text)
    assert [(turn.chat_id, turn.occurred_at.isoformat()) for turn in plan.turns] == [
        ("2023-04-27", "2023-04-27T09:00:00+00:00"),
        ("2023-04-27", "2023-04-27T09:05:00+00:00"),
        ("2023-04-28", "2023-04-28T09:00:00+00:00"),
    ]
    assert {turn.user_id for turn in plan.turns} == {"Mei Lin"}
    assert len(read(tmp_path, text, days=1).turns) == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is none of"),
        ("{}", "is none of"),
        ("[1]", "is none of"),
        ('{"messages": []}\nno json', "line 2 is no JSON"),
        ('{"chats": [{"chat": "c"}]}', "chat 1"),
        ('{"chats": 3}', "is none of"),
        ('{"messages": [{"content": "no role"}]}', "line 1"),
        ('{"messages": [{"role": "user", "content": "x"}], "created": "yesterday"}', "line 1 of the file has a time"),
        ('{"Mei": {"history": {"2023-04-27": [{"query": "a"}]}}}', "the day 2023-04-27"),
        ('{"Mei": {"history": {"first": []}}}', "the day first"),
    ],
)
def test_a_file_that_cannot_be_played_says_where(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(ReplayFileError, match=why):
        read(tmp_path, text)


def test_a_file_that_is_missing_or_no_text_says_so(tmp_path: Path) -> None:
    with pytest.raises(ReplayFileError, match="cannot be read"):
        read_file(tmp_path / "missing", now=NOW, space="s", user="u")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\xd8")
    with pytest.raises(ReplayFileError, match="cannot be read"):
        read_file(tmp_path / "binary", now=NOW, space="s", user="u")
