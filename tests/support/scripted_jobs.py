"""What the scripted model says to jobs that an earlier test has set off, and that may come while another test runs."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from tests.support.scripted_answers import embeddings

if TYPE_CHECKING:
    from tests.support.scripted_model import ScriptedModel


def answer_jobs(model: ScriptedModel) -> None:
    """Let the model find nothing to do wherever a job asks it. The gate, which each turn asks first, has no answer."""
    model.script("scrub", lambda _: "CLEAN")
    model.script("extraction", lambda _: '{"facts": []}')
    model.script("compact", lambda _: '{"merges": []}')
    model.script("embedding", lambda asked: embeddings(*map(_letters, asked.body["input"])))


def _letters(text: str) -> list[float]:
    """A vector that texts have in common as far as their letters are."""
    return [float(text.casefold().count(letter)) for letter in ascii_lowercase]
