"""Calls and tokens of one turn, beside the figures of the closest existing package for turns of the same sizes.

The service runs in this process; a scripted model answers as an ideal one would. Tokens are those of the messages'
texts in cl100k_base, which is how the figures to beat were counted. Prints one line a turn.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.enablement import CompanyFlags
from context_memory.domain.outcomes import Outcome
from tests.benchmarks import sample_turns as sample
from tests.support.house import LENA, TOKENIZERS, House, body

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from context_memory.domain.tokens import Tokenizer

OF_THE_CAP, CL100K = TOKENIZERS
TOLERANCE = 0.03
"""How far a size may be off the one that it is compared with."""
FRONTMATTER_TOKENS = 40
"""About what a stored file has before its first heading."""
PASTE_CHARACTERS = 248_000
CONDENSED_SHARE = 0.88
"""Of the cap: what condensing aims at, less the frontmatter."""

type Sections = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Spent:
    """Model calls of a turn, and the tokens of what was asked and answered."""

    calls: int
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of turn: the stored profile's tokens, what the user says, and the figures to beat."""

    name: str
    profile_tokens: int
    said: str
    assistant: str
    to_beat: Spent
    answers: str = "update"
    outcome: Outcome = Outcome.UPDATED


PASTE = sample.pasted_prose(PASTE_CHARACTERS - len(sample.NEWS) - 1)
ROWS = (
    Row("NOOP", 231, sample.QUESTION, sample.QUESTION_ANSWER, Spent(1, 1480, 2), "noop", Outcome.NOOP),
    Row("update", 231, sample.NEWS, sample.NEWS_ANSWER, Spent(3, 5113, 209)),
    Row("update, 828 tokens", 828, sample.NEWS, sample.NEWS_ANSWER, Spent(3, 6900, 802)),
    Row("update, 1,766 tokens", 1766, sample.NEWS, sample.NEWS_ANSWER, Spent(3, 9714, 1740)),
    Row("update over the cap", 1766, sample.NEWS, sample.NEWS_ANSWER, Spent(4, 13135, 3337), "over the cap"),
    Row("paste, NOOP", 231, PASTE, "Noted.", Spent(1, 53447, 2), "noop", Outcome.NOOP),
    # One block with the news at its head, so that nothing of it may be left out as foreign text.
    Row("paste, update", 231, f"{sample.NEWS} {PASTE}", "Noted.", Spent(3, 109047, 209)),
    Row("unchanged rewrite", 231, sample.NEWS, sample.NEWS_ANSWER, Spent(3, 5113, 209), "unchanged", Outcome.UNCHANGED),
)


@pytest.fixture
def house() -> Iterator[House]:
    with House() as built:
        yield built
        assert built.model.unforeseen == ()


@pytest.fixture(scope="module", autouse=True)
def heading() -> None:
    say("", "", "calls", "input", "output", "ratio in")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_turn_costs_fewer_tokens_and_no_more_calls(house: House, row: Row) -> None:
    stored = remember(house, row.profile_tokens)
    if row.said in {sample.NEWS, sample.QUESTION}:
        assert CL100K.count(row.said) + CL100K.count(row.assistant) == pytest.approx(
            sample.EXCHANGE_TOKENS, rel=TOLERANCE
        )

    spent = run(house, row, stored)

    beaten = row.to_beat
    say(row.name, "to beat", beaten.calls, beaten.tokens_in, beaten.tokens_out)
    say("", "spent", spent.calls, spent.tokens_in, spent.tokens_out, f"{spent.tokens_in / beaten.tokens_in:.2f}")
    assert house.record("measured").outcome is row.outcome
    assert spent.calls <= beaten.calls
    assert spent.tokens_in < beaten.tokens_in


def remember(house: House, tokens: int) -> Sections:
    """Store a profile whose file has about that many tokens, through the front door."""
    sections = sample.profile_sections(tokens - FRONTMATTER_TOKENS, CL100K.count)
    house.learns(body(**sections))
    house.post("before", " ".join(bullet for bullets in sections.values() for bullet in bullets))
    house.work()
    assert house.memory() == body(**sections)
    assert stored_tokens(house) == pytest.approx(tokens, rel=TOLERANCE)
    house.world.clock.advance(3600)
    house.model.forget()
    return sections


def stored_tokens(house: House, tokenizer: Tokenizer = CL100K) -> int:
    latest = house.world.profiles.latest(LENA)
    assert latest is not None
    return tokenizer.count(latest.body.decode())


def run(house: House, row: Row, stored: Sections) -> Spent:
    """Post one turn, answer its calls as an ideal model would, and count."""
    said = answers(house, row, stored)
    for purpose, answer in said.items():
        house.model.queue(purpose, answer)
    messages = [{"role": "user", "content": row.said}, {"role": "assistant", "content": row.assistant}]
    house.post("measured", row.said, messages=messages)
    house.work()
    asked = house.model.asked()
    assert {one.purpose for one in asked} == set(said)
    return Spent(
        calls=len(asked),
        tokens_in=sum(CL100K.count(message["content"]) for one in asked for message in one.body["messages"]),
        tokens_out=sum(CL100K.count(said[one.purpose]) for one in asked),
    )


def answers(house: House, row: Row, stored: Sections) -> Mapping[str, str]:
    """What an ideal model says to each call of the turn."""
    if row.answers == "noop":
        return {"gate": "NOOP"}
    if row.answers == "unchanged":
        return {"gate": "UPDATE", "consolidation": body(**stored)}
    learned = {section: [*stored.get(section, []), bullet] for section, bullet in sample.LEARNED.items()}
    after = stored | learned
    update = {"gate": "UPDATE", "consolidation": body(**after), "scrub": "CLEAN"}
    if row.answers == "over the cap":
        cap = stored_tokens(house, OF_THE_CAP)  # so that whatever is added exceeds it
        flags = CompanyFlags(context_memory=True, context_memory_with_web_search=True, max_tokens=cap)
        house.world.switches.companies[LENA.company_id] = flags
        update["condense"] = condensed(after, int(cap * CONDENSED_SHARE))
    return update


def condensed(sections: Sections, tokens: int) -> str:
    """The profile without its oldest topics, and then without its first skills, until it fits."""
    left = {section: list(bullets) for section, bullets in sections.items()}
    while OF_THE_CAP.count(body(**left)) > tokens:
        (left["topics"] or left["skills"]).pop(0)
    return body(**left)


def say(*cells: object) -> None:
    """One line of the table."""
    name, kind, *figures = cells
    sys.stdout.write(f"\n{name!s:22}{kind!s:9}" + "".join(f"{figure!s:>9}" for figure in figures))
