"""The slots: where a newer statement replaces the older one instead of standing beside it."""

# ruff: noqa: E501 (a rule is one line: its words compare best unbroken)

from __future__ import annotations

import re

from infra.local.offline_model.body import COMMUNICATION, IDENTITY, WORK
from infra.local.offline_model.facts import Slot

_STOP = r"(?=\s*(?:[.,;(]|$))"


def _slot(name: str, heading: str, pattern: str) -> Slot:
    return Slot(name, heading, re.compile(pattern, re.IGNORECASE))


NAME = _slot("name", IDENTITY, rf"\b(?:name is|named|heisst|heißt|名叫) ?(?P<value>[^.,;(]+?){_STOP}")
CALLED = _slot(
    "called",
    IDENTITY,
    rf"\b(?:(?:wants )?to be called|goes by|(?:möchte )?genannt werden:|希望被称为) ?(?P<value>[^.,;(]+?){_STOP}",
)
ROLE = _slot(
    "role",
    IDENTITY,
    r"\b(?:works as|arbeitet als) (?P<value>(?:an? )?[^.,;(]+?)(?=\s*(?:\b(?:at|for|bei|in|für)\b|[.,;(]|$))",
)
EMPLOYER = _slot(
    "employer",
    IDENTITY,
    r"(?:\b(?:works|arbeitet)\b(?P<rest>[^.,;(]*?) (?:at|for|bei|für) |^在)(?P<value>[^.,;(。]+?)(?:工作|(?=\s*(?:[.,;(]|$)))",
)
PLACE = _slot(
    "place",
    IDENTITY,
    rf"\b(?:lives? in|living in|based in|wohnt in|lebt in|wohnhaft in|住在) ?(?P<value>[^.,;(]+?){_STOP}",
)
ORIGIN = _slot("origin", IDENTITY, rf"\b(?:comes? from|kommt aus|来自) ?(?P<value>[^.,;(]+?){_STOP}")
READING = _slot("reading", IDENTITY, rf"^(?:is reading|liest gerade|正在读) ?(?P<value>[^.;(]+?){_STOP}")
ZONE = _slot("zone", IDENTITY, rf"\btime zone is (?P<value>[^.,;(]+?){_STOP}")
GOAL = _slot("goal", WORK, rf"^(?:goal|ziel): (?P<value>[^.;]+?){_STOP}")

# Preferences for the form of answers, by what they are about: the newest about one thing stands.
FORMS = tuple(
    _slot(name, COMMUNICATION, rf"\b(?P<value>{words})\b" if words.isascii() else rf"(?P<value>{words})")
    for name, words in (
        ("length", r"short\w*|concise\w*|brief\w*|detailed|in detail|long|thorough\w*|kurz\w*|knapp\w*|ausf(?:.|ue)hrlich\w*"),
        ("language", r"english|german|french|italian|spanish|chinese|englisch\w*|deutsch\w*|franz(?:.|oe)sisch\w*|italienisch\w*"),
        ("units", r"metric|imperial|metrisch\w*|celsius|fahrenheit"),
        ("address", r"du|sie|duz\w*|siez\w*|formal|informal|first name"),
        ("emoji", r"emojis?"),
        ("lists", r"bullet(?: |-)?points?|bullets|lists?|prose|stichpunkt\w*|aufz(?:.|ae)hlung\w*|fliesstext"),
        ("tables", r"tables?|tabellen?"),
        ("examples", r"examples?|beispiel\w*"),
        ("tone", r"tone|friendly|casual|humou?r|jokes?|ton|freundlich\w*|locker\w*"),
        ("level", r"beginner'?s? level|simple\w*|plain (?:english|language)|technical|einfach\w*|laienhaft\w*"),
        ("code", r"code|snippets?|comments?|type hints"),
        ("answer", r"answers?|repl(?:y|ies)|respon\w+|explanations?|explain|step by step|summar\w+|units|style|antwort\w*|erkl(?:.|ae)r\w*|zusammenfass\w*|schritt f(?:.|ue)r schritt|format\w*"),
    )
)  # fmt: skip


def forms(text: str) -> tuple[Slot, ...]:
    """The form slots that `text` speaks of; the general one counts only where no other does."""
    spoken = tuple(slot for slot in FORMS if slot.pattern.search(text))
    return tuple(slot for slot in spoken if slot.name != "answer") or spoken
