"""Erase, opt-out and receipts over HTTP, with the queue and the jobs behind them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from botocore.credentials import Credentials

from infra.local.cli import main as context_memory
from infra.operate.__main__ import main as operate
from tests.support.administrators import Administrator
from tests.support.deployed import Somebody, eventually
from tests.support.deployed_facts import FactsOf
from tests.support.end_users import Owner

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

LATER = "2026-06-17T11:50:00Z"
QUEUED_SECONDS = 90


@pytest.fixture
def owner(learning: Deployed, lena: Somebody) -> Owner:
    """Lena herself, of whom something is known."""
    lena.post("t1", "I know Sumerian.")
    assert lena.done("t1")["outcome"] == "updated"
    return Owner(learning, lena.key.user_id)


def finished(owner: Owner) -> dict[str, Any]:
    """The final receipt, once the queue has brought it about."""
    receipt: dict[str, Any] = eventually(
        lambda: owner.get("erasure"), lambda receipt: receipt["status"] == "final", seconds=QUEUED_SECONDS
    )
    return receipt


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"].rpartition(":")[2]


def called_by(deployed: Deployed, kind: str, company_id: str = "acme") -> Credentials:
    caller = deployed.local.caller(company_id, kind)
    return Credentials(caller.access_key_id, caller.secret_access_key)


def left_of(lena: Somebody) -> tuple[list[str], list[str], list[str]]:
    return [item["sk"]["S"] for item in lena.items()], lena.versions(), lena.payloads()


def test_an_erase_leaves_nothing_refuses_what_is_old_and_lets_a_new_life_begin(owner: Owner, lena: Somebody) -> None:
    answer = owner.call("DELETE", "memory")
    assert answer.status_code == 202, answer.text
    assert answer.headers["cache-control"] == "private, no-store"
    receipt = answer.json()
    assert receipt["status"] == "provisional"
    assert (receipt["counts"]["versions"], receipt["counts"]["items"]["turns"]) == (1, 1)
    assert left_of(lena) == (["A#SETTINGS"], [], [])
    loaded = lena.load().json()
    assert (loaded["enabled"], loaded["reason"], loaded["memory"]) == (False, "erase_running", None)
    assert problem(lena.post("t2", "I know Latin.")) == (503, "erase_running")
    assert problem(owner.edits(Identity=["Lives in Basel."])) == (503, "erase_running")
    assert owner.call("DELETE", "memory").json() == receipt
    final = finished(owner)
    assert final["receipt_id"] == receipt["receipt_id"]
    assert lena.load().json()["reason"] is None
    assert lena.memory() == ""
    assert problem(lena.post("t1", "I know Sumerian.")) == (422, "invalid_input")
    lena.post("t3", "I know Latin.", occurred_at=final["second_sweep_at"])
    assert lena.done("t3")["outcome"] == "updated"
    assert "Knows Latin." in lena.memory()
    assert "Sumerian" not in json.dumps(lena.items())
    for function in ("account", "maintain", "consolidate", "ingest", "load"):
        assert "Sumerian" not in "".join(lena.deployed.lines_of(function))


def test_opting_out_is_confirmed_erases_and_is_undone_by_the_user_alone(owner: Owner, lena: Somebody) -> None:
    unconfirmed = owner.call("PUT", "settings", {"context_memory": False})
    assert problem(unconfirmed) == (409, "confirmation_required")
    assert unconfirmed.json()["export"] == "/v1/me/export"
    assert "Knows Sumerian." in lena.memory()
    assert owner.call("PUT", "settings", {"context_memory": False, "confirm": True}).status_code == 202
    assert lena.load().json()["reason"] == "user_off"
    assert lena.post("t2", "I know Latin.").json()["reason"] == "user_off"
    assert problem(owner.call("PUT", "settings", {"context_memory": True})) == (503, "erase_running")
    finished(owner)
    assert lena.load().json()["reason"] == "user_off"
    shown = owner.call("PUT", "settings", {"context_memory": True})
    assert (shown.status_code, shown.json()["context_memory"]) == (200, True)
    assert owner.get("settings") == shown.json()
    lena.post("t3", "I know Latin.", occurred_at=shown.json()["erase"]["requested_at"][:-6] + ".999999Z")
    assert lena.done("t3")["outcome"] == "updated"


def test_a_token_that_may_read_only_erases_nothing(owner: Owner, lena: Somebody) -> None:
    reader = Owner(owner.deployed, owner.user_id, scope="memory")
    assert reader.call("DELETE", "memory").status_code == 403
    assert reader.call("PUT", "settings", {"context_memory": False, "confirm": True}).status_code == 403
    assert "Knows Sumerian." in lena.memory()
    assert problem(owner.call("GET", "erasure")) == (404, "never_erased")


@pytest.mark.parametrize("document", [{}, {"context_memory": "off"}, {"context_memory": False, "sure": True}, []])
def test_a_switch_that_cannot_be_read_switches_nothing(owner: Owner, lena: Somebody, document: object) -> None:
    assert problem(owner.call("PUT", "settings", document)) == (422, "invalid_input")
    assert "Knows Sumerian." in lena.memory()


def test_administrators_erase_their_own_companies_users_and_others_do_not(owner: Owner, lena: Somebody) -> None:
    deployed = lena.deployed
    others = (None, called_by(deployed, "reader"), called_by(deployed, "administrator", "acme2"))
    for keys in others:  # the orchestrator first
        assert deployed.call("DELETE", f"{lena.path}/memory", keys=keys).status_code == 403
    assert "Knows Sumerian." in lena.memory()
    keys = called_by(deployed, "administrator")
    erased = deployed.call("DELETE", f"{lena.path}/memory", keys=keys)
    assert erased.status_code == 202, erased.text
    assert left_of(lena) == (["A#SETTINGS"], [], [])
    assert deployed.call("GET", f"{lena.path}/erasure", keys=keys).json() == owner.get("erasure") == erased.json()


def test_anybody_with_the_public_key_checks_a_receipt(
    owner: Owner, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = str(Path(owner.deployed.local.outputs.log_file).parent)
    (tmp_path / "receipt.json").write_bytes(owner.call("DELETE", "memory").content)
    assert operate(["--env", "local", "--outputs", outputs, "receipt-key"]) == 0
    (tmp_path / "key.pem").write_text(capsys.readouterr().out)
    file = str(tmp_path / "receipt.json")
    assert context_memory(["verify-receipt", file, "--key", str(tmp_path / "key.pem")]) == 0
    assert context_memory(["verify-receipt", file, "--env", "local", "--outputs", outputs]) == 0
    assert "found 0" in capsys.readouterr().out
    (tmp_path / "receipt.json").write_text(Path(file).read_text().replace('"found":0', '"found":1'))
    assert context_memory(["verify-receipt", file, "--key", str(tmp_path / "key.pem")]) == 1


@pytest.fixture
def restored(owner: Owner, lena: Somebody) -> Iterator[str]:
    """A table as it was while Lena was known: with her, and with somebody who is never erased."""
    dynamodb, name = lena.deployed.dynamodb, f"restored-{owner.user_id}"
    jonas = Somebody(lena.deployed, replace(lena.key, user_id=f"{owner.user_id}-2"))
    jonas.post("t1", "I know Basque.")
    jonas.done("t1")
    shape = dynamodb.describe_table(TableName=lena.deployed.local.outputs.user_table)["Table"]
    dynamodb.create_table(
        TableName=name,
        KeySchema=shape["KeySchema"],
        AttributeDefinitions=shape["AttributeDefinitions"],
        BillingMode="PAY_PER_REQUEST",
    )
    for item in (*lena.items(), *jonas.items()):
        dynamodb.put_item(TableName=name, Item=item)
    yield name
    dynamodb.delete_table(TableName=name)


def test_whom_a_restored_table_brings_back_is_erased_again(
    owner: Owner, lena: Somebody, restored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    deployed, outputs = lena.deployed, lena.deployed.local.outputs
    before = lena.items()
    owner.call("PUT", "settings", {"context_memory": False, "confirm": True})
    finished(owner)
    deployed.dynamodb.delete_item(
        TableName=outputs.user_table, Key={"pk": {"S": lena.key.partition}, "sk": {"S": "A#SETTINGS"}}
    )
    for item in before:
        deployed.dynamodb.put_item(TableName=outputs.user_table, Item=item)
    folder = str(Path(outputs.log_file).parent)
    replay = ["--env", "local", "--outputs", folder, "erasures", "replay", "--table", restored]
    for _ in range(2):  # the second goes on with what the first began, whose own message comes a minute later
        assert operate(replay) == 0
        assert capsys.readouterr().out == "2 users, 1 erased again, 0 failed\n"
    assert finished(owner)["epoch"] == 2
    assert left_of(lena) == (["A#SETTINGS"], [], [])
    assert lena.load().json()["reason"] == "user_off"
    assert operate(replay) == 0
    assert capsys.readouterr().out == "2 users, 0 erased again, 0 failed\n"


def test_an_erase_takes_facts_prompts_and_links_of_its_user_and_of_no_look_alike(
    owner: Owner, lena: Somebody, deployed: Deployed
) -> None:
    user_id, company_id = lena.key.user_id, deployed.local.outputs.company_id
    alike = [f"{user_id}#b", f"{user_id}/b", f"{user_id} ", f"{user_id}%20", user_id.upper(), f"{user_id}x"]
    people = [lena, *(Somebody.named(deployed, other) for other in alike)]
    administrator = Administrator(deployed, company_id)
    for number, one in enumerate(people):
        facts = FactsOf(one)
        facts.learn(f"Parks at gate {number}.")
        assert f"Parks at gate {number}." in facts.texts("gate parks", prompt_id="p1")
        linked = administrator.call("PUT", f"/links/slack:{user_id}-{number}", {"user_id": one.key.user_id})
        assert linked.status_code == 200, linked.text

    def kept(one: Somebody) -> set[str]:
        return {item["sk"]["S"].partition("#")[0] for item in one.items()} & {"FACT", "PROMPT"}

    assert all(kept(one) == {"FACT", "PROMPT"} for one in people)
    assert owner.call("DELETE", "memory").status_code == 202
    finished(owner)
    assert kept(lena) == set()
    assert administrator.call("GET", f"/links/slack:{user_id}-0").status_code == 404
    for number, one in enumerate(people[1:], start=1):
        assert kept(one) == {"FACT", "PROMPT"}
        link = administrator.call("GET", f"/links/slack:{user_id}-{number}").json()
        assert link["user_id"] == one.key.user_id
