"""An export of the deployed service, held against every item and object that it keeps of the user."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from context_memory.adapters.dynamodb.attributes import read_all
from tests.support.end_users import Owner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.deployed import Deployed, Somebody

pytestmark = pytest.mark.deployed

BOOKKEEPING = {
    "where a thing lies": {"pk", "sk", "open_key", "version_id", "sha256", "payload_sha256", "index"},
    "how far the work on it is": {"state", "consumers", "write", "policy_version"},
    "what we asked a model for": {"purpose"},
    "when we did something": {
        *("started_at", "finished_at", "consolidated_through", "noted_at", "last_updated"),
        "closed_until",  # what was kept until then was let go
    },
    "times that the export spells otherwise": {"occurred_at", "accepted_at", "written_at", "forgotten_at"},
}
"""Names of attributes whose values tell nobody anything of the user."""


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, str]]:  # noqa: ANN401 - what an attribute can be
    """Every text in a value, with the name that it goes by."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, key)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield from leaves(one, name)
    elif isinstance(value, str):
        yield name, value


def test_whatever_is_kept_of_a_user_and_tells_something_of_them_is_in_their_export(
    learning: Deployed, lena: Somebody
) -> None:
    owner = Owner(learning, lena.key.user_id)
    lena.post("t1", "I know Rust.", chat_id="chat-1", time_zone="Europe/Zurich", display_name="Lena")
    lena.done("t1")
    lena.post("t2", "I know Lisp.", chat_id="chat-2", supersedes_turn_id="t1", occurred_at="2026-06-17T11:41:00Z")
    lena.done("t2")
    owner.edits(Identity=["Lives in Basel.", "Went through a divorce."], Skills_and_Expertise=["Knows Lisp."])
    assert owner.call("PUT", "deny-rules", {"phrases": ["divorce"], "kinds": ["health"]}).status_code == 200
    (bullet,) = owner.get("memory")["sections"][0]["bullets"]
    assert owner.call("PUT", "pins", {"pins": [bullet["id"]]}).status_code == 200

    export = owner.get("export")
    told = {text for _, text in leaves(export)}
    silent = frozenset[str]().union(*BOOKKEEPING.values())
    kept = [pair for item in lena.items() for pair in leaves(read_all(item)) if pair[0] not in silent]
    assert {"deny_phrases", "pins", "last_time_zone", "before", "after", "chat_id"} <= {name for name, _ in kept}
    assert [pair for pair in kept if pair[1] not in told] == []
    assert len(export["forgotten"]) == len(lena.items("FORGOTTEN#")) > 0
    assert "Rust" in json.dumps(export["revisions"])
