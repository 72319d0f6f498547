from __future__ import annotations

import pytest

from context_memory.domain.deny_rules import KINDS, LONGEST_PHRASE, MOST_RULES, checked, in_words, without_denied
from context_memory.domain.errors import InvalidInput
from context_memory.domain.profile import Bullets


def test_phrases_are_kept_on_one_line_without_what_is_hidden_and_each_once() -> None:
    phrases, kinds = checked(["  my\n divorce ", "My Divorce", "Zürich", "sa\u200blary"], ["health", "health"])
    assert phrases == ("My Divorce", "Zürich", "salary")
    assert kinds == {"health"}


@pytest.mark.parametrize(
    ("phrases", "kinds", "field"),
    [
        (["ok", "…"], [], "phrases.1"),
        ([""], [], "phrases.0"),
        (["\u200b\u202e"], [], "phrases.0"),
        (["x" * (LONGEST_PHRASE + 1)], [], "phrases.0"),
        ([f"phrase {n}" for n in range(MOST_RULES)], ["health"], "phrases"),
    ],
)
def test_what_cannot_be_a_rule_is_named_by_its_place_alone(phrases: list[str], kinds: list[str], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        checked(phrases, kinds)
    assert refused.value.field == field
    assert "x" * 9 not in str(refused.value)


def test_as_many_as_may_be_are_taken() -> None:
    phrases, kinds = checked([f"phrase {n}" for n in range(MOST_RULES - len(KINDS))], KINDS)
    assert len(phrases) + len(kinds) == MOST_RULES


def test_kinds_are_put_in_words_that_a_model_understands() -> None:
    assert in_words(["my salary"], frozenset({"religion", "health"})) == [
        "my salary",
        KINDS["health"],
        KINDS["religion"],
    ]


def test_bullets_that_hold_a_phrase_go_and_the_others_stay_as_they_are() -> None:
    body = Bullets(identity=("Is  DIVORCED.", "Lives in Basel."), topics=("2026-06-17 11:40 UTC: The divorced king.",))
    assert without_denied(body, ("divorced",)) == Bullets(identity=("Lives in Basel.",))
    assert without_denied(body, ("divorce",)) == body
    assert without_denied(body, ()) == body
