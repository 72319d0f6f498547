"""Facts on the deployed stacks: written back behind the profile, replaced, and forgotten with what is forgotten."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.deployed import eventually

if TYPE_CHECKING:
    from tests.support.deployed import Deployed, Somebody

pytestmark = pytest.mark.deployed

ACME: dict[str, object] = {
    "op": "add", "id": None, "text": "Works at Acme.", "tier": "core", "keywords": [], "quote": "I work at Acme"
}  # fmt: skip
GLOBEX = ACME | {"op": "supersede", "id": 1, "text": "Works at Globex.", "quote": "work at Globex"}


@pytest.fixture
def telling(deployed: Deployed) -> Deployed:
    """A model that leaves the profile alone and reads facts as `ACME` and `GLOBEX` say."""

    def extraction(asked: Any) -> str:  # noqa: ANN401 - a recorded request
        said = asked.said_by("user")
        told = [ACME] if "I work at Acme." in said else [GLOBEX] if "I work at Globex" in said else []
        return json.dumps({"facts": told})

    deployed.model.script("gate", lambda asked: "FORGET" if "Forget" in asked.said_by("user") else "UPDATE")
    deployed.model.script("consolidation", lambda _: "NOOP")
    deployed.model.script("extraction", extraction)
    return deployed


def tell(lena: Somebody, turn_id: str, said: str) -> dict[str, Any]:
    lena.post(turn_id, said)
    found = eventually(lambda: lena.turn(turn_id), lambda turn: turn["facts"]["status"] in {"done", "dead"})
    return dict(found["facts"])


def texts(lena: Somebody) -> list[str]:
    return [item["text"]["S"] for item in lena.items("FACT#")]


@pytest.mark.usefixtures("telling")
def test_what_is_true_no_longer_gives_way_and_what_is_forgotten_goes(lena: Somebody) -> None:
    assert tell(lena, "t1", "I work at Acme.") == {
        "status": "done", "outcome": "stored", "added": 1, "confirmed": 0, "superseded": 0, "deleted": 0
    }  # fmt: skip
    assert texts(lena) == ["Works at Acme."]
    assert tell(lena, "t2", "I work at Globex now.")["superseded"] == 1
    assert texts(lena) == ["Works at Globex."]
    tell(lena, "t3", "Forget that I work at Globex.")
    assert texts(lena) == []
    lena.let_go()
    assert lena.items("EXTRACT#") == []


@pytest.mark.usefixtures("telling")
def test_the_line_tells_counts_and_no_word_of_a_fact(deployed: Deployed, lena: Somebody) -> None:
    tell(lena, "t1", "I work at Acme.")
    log = eventually(
        lambda: "\n".join(deployed.lines_of("extract")), lambda text: "memory write-back extracted 1 fact" in text
    )
    assert "Works at Acme" not in log
    assert lena.key.user_id not in log
