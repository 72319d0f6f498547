from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from context_memory.domain.errors import MalformedReply
from context_memory.domain.profile import Bullets
from context_memory.domain.reconcile import Grounds, Reconciled, Rules, reconcile
from context_memory.domain.replies.consolidation import read_consolidation
from tests.unit.reconcile.conftest import TURN

CASES = json.loads((Path(__file__).parents[2] / "cases" / "model_answers.json").read_text(encoding="utf-8"))
STORED = Bullets(*(tuple(texts) for texts in CASES["stored"].values()))


def answer_of(case: dict[str, Any]) -> Reconciled | None:
    """The reconciled answer, None for a NOOP; the evidence holds every word that the answer brings."""
    reason = "length" if "length" in case["is"] else "stop"
    reply = read_consolidation(case["answer"], finish_reason=reason, base=STORED)
    if reply.candidate is None:
        return None
    said = " ".join(text for _, text in reply.candidate.bullets.items() if text not in dict(STORED.items()).values())
    return reconcile(STORED, reply.candidate, Grounds(said, TURN, forget=reply.forget), Rules())


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


@pytest.mark.parametrize("case", [c for c in CASES["consolidate"] if c["is"] == "profile"], ids=named)
def test_an_answer_gives_the_profile_it_must(case: dict[str, Any]) -> None:
    result = answer_of(case)
    assert result is not None
    assert result.bullets == Bullets(*(tuple(texts) for texts in case["bullets"].values()))
    assert not result.wiped


@pytest.mark.parametrize("case", [c for c in CASES["consolidate"] if c["is"] == "noop"], ids=named)
def test_an_answer_without_change_reconciles_nothing(case: dict[str, Any]) -> None:
    assert answer_of(case) is None


@pytest.mark.parametrize("case", [c for c in CASES["consolidate"] if c["is"] == "refused"], ids=named)
def test_an_answer_that_wipes_is_refused(case: dict[str, Any]) -> None:
    result = answer_of(case)
    assert result is not None
    assert result.wiped
    assert result.bullets == STORED


@pytest.mark.parametrize("case", [c for c in CASES["consolidate"] if c["is"].startswith("malformed")], ids=named)
def test_an_answer_that_cannot_be_read_reaches_no_rule(case: dict[str, Any]) -> None:
    with pytest.raises(MalformedReply):
        answer_of(case)
