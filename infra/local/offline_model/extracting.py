"""Single facts out of turns: what is new, said again, replaced or withdrawn, as operations on facts that are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from infra.local.offline_model.body import COMMUNICATION, TOPICS
from infra.local.offline_model.facts import Fact, Forgetting
from infra.local.offline_model.rules.reading import quoted_changes
from infra.local.offline_model.update import denied, with_value
from infra.local.offline_model.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from infra.local.offline_model.facts import Held, Withdrawal
    from infra.local.offline_model.prompt import Prompt


class Operation(TypedDict):
    """One entry of the answer; `id` is the number under which a fact is shown."""

    op: Literal["add", "confirm", "supersede", "delete"]
    quote: str
    id: int | None
    text: str | None
    tier: str | None
    keywords: list[str]


def operations(prompt: Prompt) -> list[Operation]:
    """What the turns do to the facts, the last word on each; a fact that holds a denied phrase is left out."""
    shown = dict(enumerate(prompt.facts, start=1))
    decided: dict[object, Operation] = {}
    for turn in prompt.turns:
        for quote, change in quoted_changes(turn):
            if not isinstance(change, Fact):
                decided |= {number: _operation("delete", quote, number) for number in _meant(shown, change)}
            elif not denied(change, prompt.deny_rules):
                decided |= dict(_stated(shown, change, quote))
    return list(decided.values())


def _stated(shown: dict[int, str], fact: Fact, quote: str) -> Iterator[tuple[object, Operation]]:
    """A fact as single ones: what fills a slot stands alone. New ones are named by what they are about."""
    tier = {COMMUNICATION: "core", TOPICS: "archival"}.get(fact.heading, "contextual")
    for held in fact.held:
        number = next((number for number, text in shown.items() if held.slot.pattern.search(text)), None)
        if number is None:
            yield held.slot, _operation("add", quote, None, held.alone, tier)
        else:
            yield number, _replaced(number, shown[number], held, quote, tier)
    if not fact.held:
        known = (number for number, text in shown.items() if _folded(text) == _folded(fact.text))
        number = next(known, None)
        if number is None:
            yield _folded(fact.text), _operation("add", quote, None, fact.text, tier)
        else:
            yield number, _operation("confirm", quote, number)


def _replaced(number: int, old: str, held: Held, quote: str, tier: str) -> Operation:
    new = with_value(old, held, only=True)
    if _folded(new) == _folded(old):
        return _operation("confirm", quote, number)
    return _operation("supersede", quote, number, new, tier)


def _meant(shown: dict[int, str], change: Withdrawal | Forgetting) -> list[int]:
    """The facts that share the most words with what is to go."""
    if isinstance(change, Forgetting) and change.everything:
        return list(shown)
    shared = {number: len(change.words & content_words(text)) for number, text in shown.items()}
    most = max(shared.values(), default=0)
    return [number for number, count in shared.items() if count and count == most]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _operation(
    op: Literal["add", "confirm", "supersede", "delete"],
    quote: str,
    number: int | None,
    text: str | None = None,
    tier: str | None = None,
) -> Operation:
    return {"op": op, "quote": quote, "id": number, "text": text, "tier": tier, "keywords": []}
