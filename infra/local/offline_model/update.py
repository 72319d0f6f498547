"""What changes do to a profile: in place where they replace something, at the section's end where they are new."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from infra.local.offline_model.body import COMMUNICATION, Body, Line
from infra.local.offline_model.facts import Change, Fact, Forgetting, Held, Slot, Withdrawal
from infra.local.offline_model.slots import forms
from infra.local.offline_model.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable

_JOINED = re.compile(r"[,;(\n]|\b(?:with|and|mit|und)\b", re.IGNORECASE)


def apply(body: Body, changes: Iterable[Change], deny_rules: tuple[str, ...] = ()) -> Body:
    """The body after all changes; a fact that holds a phrase the user denied is not written."""
    for change in changes:
        if isinstance(change, Fact):
            body = body if denied(change, deny_rules) else _write(body, change)
        else:
            body = body.without(_meant(body, change))
    return body


def denied(fact: Fact, phrases: tuple[str, ...]) -> bool:
    """Whether a fact holds a phrase that the user denied."""
    return any(
        re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", fact.text, re.IGNORECASE) for phrase in phrases if phrase
    )


def _write(body: Body, fact: Fact) -> Body:
    if fact.heading == COMMUNICATION:
        return _prefer(body, fact)
    if fact.held:
        return _fill(body, fact)
    return _replace(body, fact, [line for line in body.under(fact.heading) if _same_matter(line, fact)])


def _prefer(body: Body, fact: Fact) -> Body:
    """A newer wish about the same thing replaces the older; one that also says other things keeps those."""
    asked = set(forms(fact.text))
    older: list[Line] = []
    for line in body.under(COMMUNICATION):
        spoken = set(forms(line.text))
        if asked and asked < spoken and _JOINED.search(line.text):
            return body.changed(line, _reworded(line.text, fact.text, tuple(asked)))
        if asked & spoken:
            older.append(line)
    return _replace(body, fact, older)


def _reworded(old: str, new: str, about: tuple[Slot, ...]) -> str:
    for slot in about:
        now = slot.pattern.search(new)
        old = slot.pattern.sub(now["value"], old, count=1) if now else old
    return old


def _replace(body: Body, fact: Fact, old: list[Line]) -> Body:
    """The first of `old` becomes the fact, the others go."""
    if not old:
        return body.added(Line(fact.heading, fact.text))
    return body.without(old[1:]).changed(old[0], fact.text)


def _same_matter(line: Line, fact: Fact) -> bool:
    """Whether an older bullet is about the same thing: it holds all content words of it, and hardly any others."""
    about = content_words(fact.about)
    words = content_words(line.text)
    return bool(fact.family and about and about <= words) and len(words) <= len(content_words(fact.text)) + 1


def _fill(body: Body, fact: Fact) -> Body:
    """Put each value in the place of the one that fills its slot; what finds no place is written anew."""
    missing: list[Held] = []
    for held in fact.held:
        if old := _holder(body, held):
            body = body.changed(old, with_value(old.text, held, only=len(fact.held) == 1))
        else:
            missing.append(held)
    if len(missing) == len(fact.held):
        return body.added(Line(fact.heading, fact.text))
    for held in missing:
        body = body.added(Line(fact.heading, held.alone))
    return body


def _holder(body: Body, held: Held) -> Line | None:
    return next((line for line in body.under(held.slot.heading) if held.slot.pattern.search(line.text)), None)


def with_value(old: str, held: Held, *, only: bool) -> str:
    """The bullet with its value replaced, or the new bullet when the old one says nothing else."""
    found = held.slot.pattern.search(old)
    if found is None:
        return held.alone
    beside = (old[: found.start()], found.groupdict().get("rest") or "", old[found.end() :].strip(".。"))
    if only and not any(text.strip() for text in beside):
        return held.alone
    return old[: found.start("value")] + held.value + old[found.end("value") :]


def _meant(body: Body, change: Withdrawal | Forgetting) -> list[Line]:
    """The bullets that a change points at: those that share the most of its words."""
    if isinstance(change, Forgetting) and change.everything:
        return list(body.lines)
    headings = change.headings if isinstance(change, Withdrawal) else frozenset()
    shared = {
        line: len(change.words & content_words(line.text))
        for line in body.lines
        if not headings or line.heading in headings
    }
    most = max(shared.values(), default=0)
    return [line for line, count in shared.items() if count and count == most]
