"""What a rule is, and how a table of them reads one statement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from infra.local.offline_model.facts import Fact, Held, Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of statement: the clause it matches as a whole, the section and the words of its bullet.

    The pattern's named groups fill the template and, where a slot has a group's name, that slot. `family` and the
    group `about` tell which older bullets a newer one replaces. `unless` finds clauses that only look alike.
    """

    pattern: str
    heading: str
    template: str
    slots: tuple[Slot, ...] = ()
    family: str = ""
    unless: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """One language: rules in order of precedence, the first that matches a clause decides.

    `alone` holds per slot the bullet that says nothing else; `tidy` cleans what a group caught.
    """

    rules: tuple[Rule, ...]
    alone: Mapping[str, str]
    tidy: Callable[[str], str]

    def read(self, clause: str) -> Fact | None:
        """What the clause says, None when no rule of this language knows it."""
        for rule in self.rules:
            found = _compiled(rule.pattern).fullmatch(clause)
            if found and not (rule.unless and _compiled(rule.unless).search(clause)):
                return self._fact(rule, found)
        return None

    def _fact(self, rule: Rule, found: re.Match[str]) -> Fact | None:
        values = {name: self.tidy(value) for name, value in found.groupdict().items() if value}
        if not all(values.values()):
            return None  # nothing but padding was caught
        held = tuple(
            Held(slot, values[slot.name], self.alone[slot.name].format_map(values))
            for slot in rule.slots
            if slot.name in values
        )
        text = rule.template.format_map(values) if len(held) != 1 else held[0].alone
        return Fact(rule.heading, text, held, rule.family, values.get("about", ""))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
