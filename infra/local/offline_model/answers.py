"""What the offline model says to each of the seven calls, and to any other."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from infra.local.offline_model.body import read_body
from infra.local.offline_model.compacting import merges
from infra.local.offline_model.condensing import condensed
from infra.local.offline_model.extracting import operations
from infra.local.offline_model.facts import Forgetting
from infra.local.offline_model.prompt import read_prompt
from infra.local.offline_model.rules.reading import read_turn
from infra.local.offline_model.scrubbing import scrubbed
from infra.local.offline_model.update import apply

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from infra.local.offline_model.prompt import Prompt

NOOP, UPDATE, FORGET, CLEAN = "NOOP", "UPDATE", "FORGET", "CLEAN"
CHAT = (
    "I am the offline stand-in of the local environment: no language model, so I cannot answer. Whatever you tell me"
    " about yourself still reaches your memory. Set OPENAI_API_KEY or OPENAI_BASE_URL, and CONTEXT_MEMORY_MODEL, to"
    " talk to a real model."
)


def answer(purpose: str, text: str) -> str:
    """Answer the last user message `text` of a call with this purpose; an unknown purpose is a chat."""
    respond = _CALLS.get(purpose)
    return respond(read_prompt(text)) if respond else CHAT


def gate(prompt: Prompt) -> str:
    """Whether the turns hold anything worth a consolidation."""
    changes = [change for turn in prompt.turns for change in read_turn(turn)]
    if any(isinstance(change, Forgetting) for change in changes):
        return FORGET
    return UPDATE if changes else NOOP


def consolidate(prompt: Prompt) -> str:
    """The complete body after the turns, `FORGET` before it when something was to be forgotten; else NOOP."""
    base = read_body(prompt.profile)
    body, forget = base, False
    for turn in prompt.turns:
        changes = read_turn(turn)
        forget = forget or any(isinstance(change, Forgetting) for change in changes)
        body = apply(body, changes, prompt.deny_rules)
    if body == base:
        return NOOP
    return f"{FORGET}\n\n{body.render()}" if forget else body.render()


def scrub(prompt: Prompt) -> str:
    """What must not stand, line by line."""
    numbered = re.findall(r"^(\d+): ?(.*(?:\n(?!\d+: ).*)*)", prompt.lines, re.MULTILINE)
    verdicts = [(number, scrubbed(text, identity=prompt.identity)) for number, text in numbered]
    orders = [
        f"{number}: {kept}" if kept else f"{number} DROP"
        for (number, kept), (_, text) in zip(verdicts, numbered, strict=True)
        if kept != text
    ]
    return "\n".join(orders) or CLEAN


def condense(prompt: Prompt) -> str:
    """The body, shorter."""
    return condensed(read_body(prompt.body), prompt.target or 0).render()


def extract(prompt: Prompt) -> str:
    """What has to be done with single facts, as the JSON object that is asked for."""
    return json.dumps({"facts": operations(prompt)}, ensure_ascii=False)


def summarise(prompt: Prompt) -> str:
    """What old turns say that is not known yet, or known already; the stand-in replaces nothing for them."""
    entries = [one for one in operations(prompt) if one["op"] in {"add", "confirm"}]
    return json.dumps({"facts": entries}, ensure_ascii=False)


def compact(prompt: Prompt) -> str:
    """Which old facts can be said in one sentence, as the JSON object that is asked for."""
    return json.dumps({"merges": merges(prompt.facts)}, ensure_ascii=False)


_CALLS: Mapping[str, Callable[[Prompt], str]] = {
    "gate": gate,
    "consolidation": consolidate,
    "scrub": scrub,
    "condense": condense,
    "extraction": extract,
    "compact": compact,
    "summary": summarise,
}
