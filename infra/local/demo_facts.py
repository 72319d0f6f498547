"""The demo's part on facts: what was written back, what a question recalls with and without vectors, and citations."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from rich.rule import Rule
from rich.text import Text

from infra.local.commands.facts import show_facts
from infra.local.commands.recall import show_recalled
from infra.local.commands.shared import own_token
from infra.local.screen import indented, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console

    from infra.local.client import Client
    from infra.local.recalled import Recalled
    from infra.local.replay.plan import PlannedTurn

INVENTED = "[[cite:mem:00000000000000000000]]"
"""A marker as a model might make it up."""
QUESTION = "Who is my employer these days?"
"""Shares no word with what the conversations say, so that only vectors find it; no bullet says the answer alone."""
SAME_WORDS = "At which bank do I work?"
"""Asks for the same with a word that the fact has, so that words alone find it."""


def demonstrate_facts(
    screen: Console,
    client: Client,
    turns: Sequence[PlannedTurn],
    *,
    without_vectors: Callable[[], None] | None,
    seconds: float,
) -> None:
    """Show what was written back of one user's turns, ask a question, and cite what was given beside an invention.

    `without_vectors` takes the model of vectors away, so that the question is asked once more, and then in words that
    the fact has; None where nobody can.

    Raises:
        TurnTooSlow: facts of a turn are still to be written back after `seconds`.
        ServiceError: refused, or out of reach.
    """
    user_id, space_id = turns[-1].user_id, turns[-1].space_id
    for turn in turns:
        client.wait_for_facts(user_id, turn.turn_id, seconds=seconds)
    _head(screen, f"Facts about {printable(user_id)}, written back behind the turns")
    show_facts(screen, client.own_facts(own_token(client, user_id, None)))
    prompt_id = f"demo-{uuid.uuid4()}"
    _head(screen, f"What “{QUESTION}” recalls")
    recalled = client.recall(user_id, space_id, QUESTION, {"prompt_id": prompt_id})
    show_recalled(screen, recalled)
    if without_vectors:
        without_vectors()
        _head(screen, "The same without the model that makes vectors: no fact has a word of it")
        show_recalled(screen, client.recall(user_id, space_id, QUESTION))
        _head(screen, f"What “{SAME_WORDS}” recalls without it: by words alone")
        show_recalled(screen, client.recall(user_id, space_id, SAME_WORDS))
    _cite(screen, client, user_id, prompt_id, recalled)


def _cite(screen: Console, client: Client, user_id: str, prompt_id: str, recalled: Recalled) -> None:
    """An answer as a model would write it: with the best fact's marker, and with one that nobody gave it."""
    given = next((hit for hit in recalled.hits if hit.marker), None)
    said = f"{given.text} {given.marker} " if given else ""
    answer = f"{said}You have a boat, too. {INVENTED}"
    _head(screen, "An answer that cites, and what becomes of its markers")
    screen.print(indented(Text(f"said:   {printable(answer)}"), 4))
    cited = client.cite(user_id, answer, prompt_id)
    screen.print(indented(Text(f"shown:  {printable(cited.answer)}"), 4))
    for text in cited.citations:
        screen.print(indented(Text(f"✓ rests on: {printable(text)}", style="green"), 4))
    dropped = f"✗ {cited.invented} invented citation{'' if cited.invented == 1 else 's'} dropped"
    screen.print(indented(Text(dropped, style="yellow"), 4))


def _head(screen: Console, what: str) -> None:
    screen.print()
    screen.print(Rule(Text(what, style="bold"), align="left", style="dim"))
