"""What an operator writes about a company's flags, and how flags are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from infra.components.flags_document import MOST_DAILY_TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SWITCHES = ("context_memory", "context_memory_with_web_search")
BUDGET = "daily_tokens"
DEFAULT = "default"
_POSITIONS = {"on": True, "off": False}
HEADINGS = ("company", *SWITCHES, BUDGET)


def change_of(words: Iterable[str]) -> dict[str, Any]:
    """Read `context_memory=on`, `context_memory_with_web_search=off`, `daily_tokens=5000000` or `daily_tokens=default`.

    Returns:
        New values by flag; None takes one out of the document.

    Raises:
        ValueError: names the word that says nothing of the kind, or a flag that is said twice.
    """
    change: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name in change:
            raise ValueError(f"{name} is said twice")
        if name in SWITCHES and value in _POSITIONS:
            change[name] = _POSITIONS[value]
        elif name == BUDGET and value == DEFAULT:
            change[name] = None
        elif name == BUDGET and value.isascii() and value.isdecimal() and 1 <= int(value) <= MOST_DAILY_TOKENS:
            change[name] = int(value)
        else:
            raise ValueError(f"{word!r} is none of {SWITCHES[0]}=on|off, {SWITCHES[1]}=on|off, {BUDGET}=N|{DEFAULT}")
    return change


def row(company: str, flags: Mapping[str, Any]) -> tuple[str, ...]:
    """A company's flags as they are shown, under `HEADINGS`."""
    return (company, *("on" if flags[name] else "off" for name in SWITCHES), str(flags.get(BUDGET, DEFAULT)))
