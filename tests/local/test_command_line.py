"""The command line over real HTTP, against a service that knows one process and no cloud."""

from __future__ import annotations

import io
import json
import re
import threading
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import jwt
import pytest

from infra.local import cli
from infra.local.client import Client, TurnTooSlow
from infra.local.commands.shared import SPACE
from infra.local.demo import CONVERSATIONS, demonstrate
from infra.local.demo_facts import INVENTED, demonstrate_facts
from infra.local.issuer.keys import kept_key
from infra.local.offline_model.body import Body
from infra.local.offline_model.extracting import operations
from infra.local.offline_model.prompt import AskedTurn, Prompt
from infra.local.offline_model.rules.reading import read_turn
from infra.local.offline_model.server import OfflineModel
from infra.local.offline_model.update import apply
from infra.local.outputs import Caller, Outputs
from infra.local.replay.plan import Plan
from infra.local.replay.reading import read_file
from infra.local.screen import console

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from infra.local.replay.plan import PlannedTurn


class Service(ThreadingHTTPServer):
    """Remembers by the offline rules, at once; a user named `unlucky` gets turns that end badly."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Routes)
        self.bodies: dict[str, Body] = {}
        self.outcomes: dict[str, str] = {}
        self.facts: dict[str, list[str]] = {}
        self.seen: set[str] = set()
        self.lock = threading.Lock()

    def accept(self, user: str, turn: dict[str, Any]) -> None:
        said = next(message["content"] for message in reversed(turn["messages"]) if message["role"] == "user")
        with self.lock:
            before = self.bodies.get(user, Body())
            after = apply(before, read_turn(AskedTurn(evidence=said)))
            self.bodies[user] = after
            self.facts[user] = _extracted(self.facts.get(user, []), said)
            changed = "noop" if after == before else "updated"
            self.outcomes[turn["turn_id"]] = "malformed" if user.startswith("unlucky") else changed

    def recalled(self, user: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Finds by words alone; the space `off` recalls nothing."""
        off = asked["space_id"] == "off"
        found = [
            (number, text)
            for number, text in enumerate(self.facts.get(user, []))
            if _beginnings(text) & _beginnings(asked["query"])
        ]
        hit = {"tier": "contextual", "scope": "user", "score": 0.5, "why": ["words"]}
        hits = [{**hit, "id": str(number), "marker": f"[[cite:mem:{number}]]", "text": text} for number, text in found]
        return {
            "enabled": not off,
            "reason": "recall_off" if off else None,
            "block": "[MEMORY]\n" if hits else "",
            "hits": [] if off else hits[: asked.get("max_hits", 12)],
            "tokens": 9,
            "backend": "sqlite_fts",
            "cached": False,
            "notes": ["embedding_unavailable"],
        }

    def cited(self, user: str, answer: str) -> dict[str, Any]:
        facts = {f"[[cite:mem:{number}]]": text for number, text in enumerate(self.facts.get(user, []))}
        markers = re.findall(r"\[\[cite:mem:\w+\]\]", answer)
        invented = [marker for marker in markers if marker not in facts]
        for marker in invented:
            answer = answer.replace(f" {marker}", "")
        citations = [
            {"id": "1", "text": facts[marker], "scope": "user"} for marker in markers if marker not in invented
        ]
        return {"answer": answer, "citations": citations, "invented": len(invented), "withdrawn": 0, "notes": []}

    def export(self, token: str) -> dict[str, Any]:
        claims = jwt.decode(token, options={"verify_signature": False})
        assert "memory:export" in claims["scope"].split()
        facts = self.facts.get(claims["sub"], [])
        moved = [{"text": "Lives in Bern.", "replaced_at": "2026-06-17T12:00:00+00:00"}]
        return {
            "facts": [
                {"text": text, "tier": "contextual", "supersedes": moved if text == "Lives in Basel." else []}
                for text in facts
            ]
        }

    def memory(self, user: str) -> dict[str, Any]:
        body = self.bodies.get(user)
        return {
            "enabled": True,
            "reason": None,
            "memory": body.render() if body else None,
            "prompt": f"## What I know\n{body.render()}" if body and body.lines else None,
            "prompt_tokens": 20,
            "version": {"turn_count": 1, "last_updated": "2026-06-17T12:00:00+00:00", "tokens": 60} if body else None,
            "freshness": {"consolidated_through": None, "pending": 0, "failed": 0},
        }

    def own_memory(self, token: str) -> dict[str, Any]:
        claims = jwt.decode(token, options={"verify_signature": False})
        body = self.bodies.get(claims["sub"])
        section = {"heading": "Identity", "bullets": ["…"] if body else []}
        reason = None if claims["company_id"] == "acme" else "company_off"
        return {
            "enabled": reason is None,
            "reason": reason,
            "sections": [section],
            "memory": body.render() if body else None,
        }


def _beginnings(text: str) -> set[str]:
    return {word[:4] for word in re.findall(r"\w{4,}", text.lower())}


def _extracted(facts: list[str], said: str) -> list[str]:
    """The facts after a turn, as the offline rules would have them."""
    standing: list[str | None] = [*facts]
    for one in operations(Prompt(turns=(AskedTurn(evidence=said),), facts=tuple(facts))):
        if one["op"] == "add":
            standing.append(one["text"])
        elif one["op"] != "confirm" and one["id"] is not None:
            standing[one["id"] - 1] = one["text"]
    return [text for text in standing if text]


class Routes(BaseHTTPRequestHandler):
    server: Service

    def do_GET(self) -> None:
        parts = urlsplit(self.path).path.split("/")
        if parts[-3:] == ["v1", "me", "memory"]:
            self._send(200, self.server.own_memory(self.headers["authorization"].removeprefix("Bearer ")))
        elif parts[-3:] == ["v1", "me", "export"]:
            self._send(200, self.server.export(self.headers["authorization"].removeprefix("Bearer ")))
        elif parts[-1] == "memory":
            self._send(200, self.server.memory(parts[-2]))
        elif parts[-1] in self.server.outcomes:
            usage = [{"purpose": "gate", "input_tokens": 90, "output_tokens": 1}]
            outcome = self.server.outcomes[parts[-1]]
            state = {"turn_id": parts[-1], "status": "done", "outcome": outcome, "attempts": 1, "usage": usage}
            # Facts come behind: the first look finds them still to be written back.
            written = "done" if parts[-1] in self.server.seen else "queued"
            self.server.seen.add(parts[-1])
            added = len(self.server.facts.get(parts[-3], [])) if written == "done" else 0
            self._send(200, {**state, "facts": {"status": written, "added": added, "confirmed": 0}})
        else:
            self._send(404, {"title": "Not found", "detail": "there is no such turn"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        _, user, what = self.path.rsplit("/", 2)
        if not self.headers.get("authorization", "").startswith("AWS4-HMAC-SHA256"):
            self._send(403, {"message": "Forbidden"})
        elif what == "recall":
            self._send(200, self.server.recalled(user, body))
        elif what == "citations":
            self._send(200, self.server.cited(user, body["answer"]))
        else:
            self.server.accept(user, body)
            self._send(202, {"turn_id": body["turn_id"], "status": "queued"})

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class names it so)
        pass

    def _send(self, status: int, document: dict[str, Any]) -> None:
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with the `outputs.json` of a running service."""
    with Service() as service, OfflineModel() as model:
        threading.Thread(target=service.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        kept_key(tmp_path / "key.pem")
        Outputs(
            api_url=f"http://127.0.0.1:{service.server_address[1]}/$default",
            profile_bucket="p",
            work_bucket="w",
            user_table="u",
            company_table="c",
            queue_url="q",
            dead_letter_queue_url="d",
            region="eu-central-1",
            account="000000000000",
            company_id="acme",
            caller=Caller(access_key_id="AKIALOCAL", secret_access_key="not-a-secret"),
            issuer_url="http://localhost:1",
            issuer_key_file=str(tmp_path / "key.pem"),
            page_url="http://localhost:8/",
            endpoint_url="http://127.0.0.1:1",
            model_base_url=model.base_url,
            model="offline",
            root_folder="user-memory",
            functions={},
            log_file="log",
        ).write(tmp_path)
        yield tmp_path
        service.shutdown()


def run(folder: Path, *arguments: str) -> int:
    return cli.main([*arguments, "--outputs", str(folder)])


def test_a_turn_shows_its_outcome_and_what_it_changed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "turn", "I live in Bern.", "--user", "lena") == 0
    said = capsys.readouterr().out
    assert "updated · 1 model call (gate) · 90 → 1 tokens" in said
    assert "+ Lives in Bern." in said
    assert said.splitlines()[-1] == "    facts: 1 added"


def test_a_user_sees_their_own_memory_by_a_token(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(folder, "turn", "I live in Bern.", "--user", "lena")
    capsys.readouterr()
    assert run(folder, "me", "--user", "lena") == 0
    assert "Lives in Bern." in capsys.readouterr().out
    assert run(folder, "me", "--user", "max") == 0
    assert "Nothing is remembered yet." in capsys.readouterr().out
    assert run(folder, "me", "--user", "max", "--company", "acme2", "--json") == 0
    assert json.loads(capsys.readouterr().out)["reason"] == "company_off"


def test_nobodys_token_speaks_for_a_company_without_an_audience(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "me", "--company", "acm") == 2
    assert "No audience may speak for 'acm'" in capsys.readouterr().err


def test_a_turn_that_ends_badly_ends_the_command_with_1(folder: Path) -> None:
    assert run(folder, "turn", "I live in Bern.", "--user", "unlucky") == 1


def test_a_turn_can_come_from_standard_input(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("I live in Bern.\n"))
    assert run(folder, "turn", "-") == 0
    assert "+ Lives in Bern." in capsys.readouterr().out


def test_load_shows_the_memory_as_text_as_prompt_and_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "load") == 0
    assert "Nothing is remembered yet." in capsys.readouterr().out
    run(folder, "turn", "I live in Bern.")
    capsys.readouterr()
    assert run(folder, "load") == 0
    assert "• Lives in Bern." in capsys.readouterr().out
    assert run(folder, "load", "--prompt") == 0
    assert capsys.readouterr().out.startswith("## What I know\n# User Memory")
    assert run(folder, "load", "--json") == 0
    assert json.loads(capsys.readouterr().out)["turn_count"] == 1


def test_facts_lists_what_is_stored(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "facts", "--user", "lena") == 0
    assert "No fact is stored." in capsys.readouterr().out
    run(folder, "turn", "I work as a nurse and live in Bern.", "--user", "lena")
    run(folder, "turn", "I moved to Basel.", "--user", "lena")
    capsys.readouterr()
    assert run(folder, "facts", "--user", "lena") == 0
    said = capsys.readouterr().out
    assert said.splitlines() == [
        "    • Works as a nurse.  contextual",
        "    • Lives in Basel.  contextual · before: Lives in Bern.",
    ]
    assert run(folder, "facts", "--user", "lena", "--json") == 0
    assert [one["text"] for one in json.loads(capsys.readouterr().out)] == ["Works as a nurse.", "Lives in Basel."]


def test_recall_shows_what_a_question_finds_and_what_could_not_be_asked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(folder, "turn", "I work as a nurse and live in Bern.")
    capsys.readouterr()
    assert run(folder, "recall", "In which town do I live?") == 0
    said = capsys.readouterr().out
    assert "• Lives in Bern." in said
    assert "contextual · user · 0.50 · words" in said
    assert "nurse" not in said
    assert "embedding unavailable" in said
    assert run(folder, "recall", "nothing of that") == 0
    assert "Nothing is recalled beside the profile." in capsys.readouterr().out
    assert run(folder, "recall", "live", "--prompt") == 0
    assert capsys.readouterr().out == "[MEMORY]\n"
    assert run(folder, "recall", "live nurse work", "--json", "--max-hits", "1") == 0
    told = json.loads(capsys.readouterr().out)
    assert ([hit["id"] for hit in told["hits"]], told["backend"]) == (["0"], "sqlite_fts")
    assert run(folder, "recall", "live", "--space", "off") == 0
    assert "Recall is off: recall_off." in capsys.readouterr().out


def test_watch_shows_a_change_that_somebody_else_makes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elsewhere = threading.Timer(0.3, run, [folder, "turn", "I live in Bern."])
    elsewhere.start()
    assert run(folder, "watch", "--every", "0.1", "--for", "1.0") == 0
    elsewhere.join()
    assert "version 1" in capsys.readouterr().out


def test_chat_answers_from_the_model_endpoint_and_shows_each_change(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO("I live in Bern.\nHow are you?\n"))
    assert run(folder, "chat", "--name", "Lena", "--zone", "Europe/Zurich") == 0
    said = capsys.readouterr().out
    assert said.count("offline stand-in") == 2
    assert "+ Lives in Bern." in said
    assert "noop" in said


def test_replay_plays_every_format_and_adds_up(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = {name: {"history": {"2023-04-27": [{"query": f"My name is {name}.", "response": "Hi"}]}} for name in "ABC"}
    (tmp_path / "bank.json").write_text(json.dumps(bank))
    assert run(folder, "replay", str(tmp_path / "bank.json"), "--limit-users", "2", "--parallel", "2") == 0
    said = capsys.readouterr().out
    assert "MemoryBank: 2 turns of 2 users" in said
    assert "Model calls: 2 gate." in said
    lines = json.dumps({"messages": [{"role": "user", "content": "I live in Bern."}]})
    (tmp_path / "lines.jsonl").write_text(f"{lines}\n{lines}\n")
    assert run(folder, "replay", str(tmp_path / "lines.jsonl"), "--burst") == 0
    assert "1 user" in capsys.readouterr().out


def test_replay_ends_with_1_when_any_turn_ended_badly(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = json.dumps({"user": "unlucky", "messages": [{"role": "user", "content": "I live in Bern."}]})
    (tmp_path / "lines.jsonl").write_text(lines)
    assert run(folder, "replay", str(tmp_path / "lines.jsonl")) == 1
    assert "✗ unlucky" in capsys.readouterr().out


def test_replay_as_somebody_new_leaves_the_known_users_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "replay", str(CONVERSATIONS / "lena.json"), "--as", "2") == 0
    run(folder, "load", "--user", "lena.frei")
    assert "Nothing is remembered yet." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["replay", "missing.json"], "missing.json cannot be read"),
        (["replay", str(CONVERSATIONS / "lena.json"), "--user", "nobody"], "nothing to play"),
        (["replay", str(CONVERSATIONS / "lena.json"), "--parallel", "0"], "--parallel must be at least 1"),
        (["turn", "  "], "the text is empty"),
        (["turn", "Hi", "--zone", "Mars/Olympus"], "no time zone Mars/Olympus"),
    ],
)
def test_wrong_use_ends_with_2_and_a_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    assert run(folder, *arguments) == 2
    assert why in capsys.readouterr().err


def test_without_a_running_environment_it_says_how_to_start_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "load") == 2
    assert "make up" in capsys.readouterr().err


def test_a_service_that_is_gone_ends_with_1_and_a_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = json.loads((folder / "outputs.json").read_text())
    (folder / "outputs.json").write_text(json.dumps({**outputs, "api_url": "http://127.0.0.1:9"}))
    assert run(folder, "load") == 1
    assert "out of reach" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["load", "turn", "watch", "chat", "replay", "facts", "recall"])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main([command, "--help"])
    assert left.value.code == 0
    assert "--outputs" in capsys.readouterr().out


def test_the_demo_shows_each_turn_then_what_new_chats_load_then_the_sums(folder: Path) -> None:
    file = io.StringIO()
    turns: list[PlannedTurn] = []
    for path in sorted(CONVERSATIONS.glob("*.json")):
        turns += read_file(path, now=datetime.now(UTC), space=SPACE, user="u").turns
    with Client(Outputs.read(folder)) as client:
        assert demonstrate(console(file), client, Plan.of("demo", turns), seconds=10) == 0
    said = file.getvalue()
    assert sum(line.strip().startswith("→ ") for line in said.splitlines()) == len(turns)
    assert "- Lives in Zurich." in said
    assert "+ Lives in Basel." in said
    assert "What a new chat of lena.frei loads" in said
    assert "all " in said


def test_the_demo_recalls_cites_and_drops_what_is_invented(folder: Path) -> None:
    file, taken = io.StringIO(), []
    plan = read_file(CONVERSATIONS / "lena.json", now=datetime.now(UTC), space=SPACE, user="u")
    turn = replace(plan.turns[1], messages=({"role": "user", "content": "I work at Employer AG."},))
    with Client(Outputs.read(folder)) as client:
        client.post(turn.user_id, turn.body())
        demonstrate_facts(console(file), client, [turn], without_vectors=lambda: taken.append("vectors"), seconds=10)
    said = " ".join(file.getvalue().split())
    assert taken == ["vectors"]
    assert said.count("contextual · user · 0.50 · words") == 3
    assert "What “At which bank do I work?” recalls without it: by words alone" in said
    assert f"said: Works at Employer AG. [[cite:mem:0]] You have a boat, too. {INVENTED}" in said
    assert "shown: Works at Employer AG. [[cite:mem:0]] You have a boat, too. ✓" in said
    assert "✓ rests on: Works at Employer AG." in said
    assert "✗ 1 invented citation dropped" in said


def test_the_demo_does_not_wait_for_ever_for_facts(folder: Path) -> None:
    plan = read_file(CONVERSATIONS / "lena.json", now=datetime.now(UTC), space=SPACE, user="u")
    with Client(Outputs.read(folder)) as client:
        client.post("lena.frei", plan.turns[1].body())
        with pytest.raises(TurnTooSlow, match="its facts queued after 0 seconds"):
            demonstrate_facts(console(io.StringIO()), client, plan.turns[1:2], without_vectors=None, seconds=0)
