"""What may be stored at all: by the user's words, their script, their rules, the policy's last line, and ours."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from context_memory.domain.facts.fact import Fact, Tier, fact_id
from context_memory.domain.facts.proposals import Operation, Proposal
from context_memory.domain.facts.refusals import Refusal
from context_memory.domain.facts.scopes import UserScope
from context_memory.domain.facts.screening import FactRules, Screened, Screening
from context_memory.domain.ids import UserKey
from context_memory.domain.reconcile import Grounds

SCOPE = UserScope(UserKey("acme", "lena"))
AT = datetime(2026, 6, 17, 11, 40, tzinfo=UTC)


def fact(text: str) -> Fact:
    return Fact(id=fact_id(SCOPE, text), tier=Tier.CONTEXTUAL, text=text, tokens=4, created_at=AT, last_confirmed_at=AT)


def screened(
    said: str,
    *proposals: Proposal,
    facts: tuple[Fact, ...] = (),
    rules: FactRules | None = None,
    forget: bool = False,
) -> Screened:
    screening = Screening(
        grounds=Grounds(said, AT, "Europe/Zurich", forget=forget),
        shown=dict(enumerate(facts, start=1)),
        facts=facts,
        rules=rules or FactRules(deny_phrases=(), forgotten=lambda _: False),
    )
    return screening.screen(proposals)


def add(text: str, quote: str, *keywords: str) -> Proposal:
    return Proposal(operation=Operation.ADD, quote=quote, text=text, keywords=keywords)


def named(operation: Operation, quote: str, text: str = "", number: int = 1) -> Proposal:
    return Proposal(operation=operation, quote=quote, number=number, text=text)


@pytest.mark.parametrize(
    ("said", "text", "quote"),
    [
        ("I own a canoe.", "Owns a canoe.", "I own a canoe"),
        ("Ich arbeite bei der Post.", "Arbeitet bei der Post.", "Ich arbeite bei der Post"),
        ("我在UBS工作。", "在UBS工作。", "我在UBS工作"),
        ("私はカヌーを持っています。", "カヌーを持っている。", "カヌーを持って"),
        ("My exam is tomorrow.", "Has an exam on 2026-06-18.", "My exam is tomorrow"),
        ("I own a canoe, you know.", "Owns a canoe.", "own ... canoe"),
    ],
)
def test_what_the_user_said_may_stand(said: str, text: str, quote: str) -> None:
    assert [one.text for one in screened(said, add(text, quote)).kept] == [text]


@pytest.mark.parametrize(
    ("said", "text", "quote", "refusal"),
    [
        ("How do I paint a boat?", "Owns a yacht.", "your yacht", Refusal.EVIDENCE),
        ("I own a canoe.", "Plays the oboe.", "I own a canoe", Refusal.EVIDENCE),
        ("I own a canoe.", "Owns 3 canoes.", "I own a canoe", Refusal.EVIDENCE),
        ("我在UBS工作。", "Works at UBS.", "UBS", Refusal.LANGUAGE),
        ("I work at UBS.", "在UBS工作。", "I work at UBS", Refusal.LANGUAGE),
        ("My IBAN is CH9300762011623852957.", "IBAN CH9300762011623852957.", "My IBAN is", Refusal.LAST_LINE),
        ("I own a canoe.", "<a canoe>", "I own a canoe", Refusal.OURS),
        ("I own a canoe.", "\u200b", "I own a canoe", Refusal.UNREADABLE),
    ],
)
def test_what_may_not_stand_is_refused_by_its_first_reason(said: str, text: str, quote: str, refusal: Refusal) -> None:
    result = screened(said, add(text, quote))
    assert (result.kept, result.refused) == ((), {refusal: 1})


def test_deny_rules_hold_for_keywords_as_for_texts() -> None:
    rules = FactRules(deny_phrases=("salary",), forgotten=lambda _: False)
    said = "My salary is fine, I own a canoe."
    result = screened(said, add("Has a fine salary.", said), add("Owns a canoe.", said, "salary"), rules=rules)
    assert result.refused == {Refusal.DENIED: 2}


def test_what_was_forgotten_is_not_learned_again() -> None:
    rules = FactRules(deny_phrases=(), forgotten=lambda text: "canoe" in text)
    assert screened("I own a canoe.", add("Owns a canoe.", "I own a canoe"), rules=rules).refused == {
        Refusal.FORGOTTEN: 1
    }


def test_what_a_later_turn_wants_forgotten_is_not_learned_either() -> None:
    wish = Grounds("Forget that I own a canoe.", AT, forget=True)
    rules = FactRules(deny_phrases=(), forgotten=lambda _: False, wishes=(wish,))
    said = "I own a canoe and play the oboe."
    result = screened(said, add("Owns a canoe.", said), add("Plays the oboe.", said), rules=rules)
    assert [one.text for one in result.kept] == ["Plays the oboe."]


def test_a_fact_that_was_not_shown_cannot_be_named() -> None:
    quote = "I own a canoe."
    result = screened(quote, named(Operation.CONFIRM, quote, number=7), facts=(fact("Owns a canoe."),))
    assert result.refused == {Refusal.UNKNOWN: 1}


@pytest.mark.parametrize(
    ("said", "goes"),
    [
        ("I sold my canoe.", True),
        ("How much is a canoe?", False),
        ("I quit canoe racing, the canoe is sold and no longer mine.", True),
    ],
)
def test_a_fact_is_deleted_only_if_the_user_takes_it_back(said: str, *, goes: bool) -> None:
    result = screened(said, named(Operation.DELETE, said), facts=(fact("Owns a canoe."), fact("Plays the oboe.")))
    assert bool(result.kept) is goes


def test_a_wish_to_forget_deletes_what_it_names_and_nothing_beside_it() -> None:
    facts = (fact("Lives in Basel."), fact("Works at Novartis in Basel."))
    said = "Forget that I live in Basel."
    result = screened(
        said,
        named(Operation.DELETE, said, number=1),
        named(Operation.DELETE, said, number=2),
        facts=facts,
        forget=True,
    )
    assert [one.number for one in result.kept] == [1]


DIET = (fact("Is vegetarian."), fact("Avoids gluten."), fact("Owns a canoe."))


@pytest.mark.parametrize(
    ("said", "numbers", "gone"),
    [
        ("Forget my diet.", [1], [1]),
        ("Forget my diet.", [1, 2], [1, 2]),
        ("Forget my diet.", [1, 1, 2, 2], [1, 1, 2, 2]),
        ("Forget my diet.", [1, 2, 3], []),
        ("Forget my diet and the canoe.", [1, 2, 3], [3]),
        ("Forget all you know about me.", [1, 2, 3], [1, 2, 3]),
    ],
)
def test_a_wish_in_other_words_is_taken_at_the_model_s_word_for_two_facts(
    said: str, numbers: list[int], gone: list[int]
) -> None:
    proposals = [named(Operation.DELETE, said, number=number) for number in numbers]
    result = screened(said, *proposals, facts=DIET, forget=True)
    assert [one.number for one in result.kept] == gone
    assert result.refused.total() == len(numbers) - len(gone)


def test_a_replacement_may_keep_the_old_fact_s_numbers_and_bring_none_of_its_own() -> None:
    facts = (fact("Has 2 cats in Basel."),)
    said = "The cats moved to Bern with me."
    kept = screened(said, named(Operation.SUPERSEDE, said, "Has 2 cats in Bern."), facts=facts).kept
    assert [one.text for one in kept] == ["Has 2 cats in Bern."]
    assert screened(said, named(Operation.SUPERSEDE, said, "Has 3 cats in Bern."), facts=facts).kept == ()


def test_links_that_nobody_gave_and_hidden_characters_go() -> None:
    said = "I write for the Kestrel blog."
    (kept,) = screened(said, add("Writes for the [Kestrel](https://evil.example) blog\u200b.", said)).kept
    assert kept.text == "Writes for the Kestrel blog."


@pytest.mark.parametrize(
    ("keywords", "kept"),
    [
        (("boat", "watercraft"), ("boat", "watercraft")),
        (("Bob Miller", "boat"), ("boat",)),
        (("bob@example.com", "0791234567", "x" * 41, "canoe"), ()),
    ],
)
def test_nothing_hides_among_keywords(keywords: tuple[str, ...], kept: tuple[str, ...]) -> None:
    said = "I own a canoe."
    (one,) = screened(said, add("Owns a canoe.", said, *keywords)).kept
    assert one.keywords == kept
