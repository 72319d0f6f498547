"""Which lines are what others say in a chat that was copied: "[10:02] Anna: I moved", "Ben: when?"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.domain.evidence.chat_phrases import FIELDS, LABELS_OF_THE_USER, TALK

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

LONGEST_GAP_IN_LINES = 4
"""Lines without a speaker between two with one that the first speaker may still have said."""

_TIME = r"\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?: ?[apAP]\.?[mM]\.?)?"
_DATE = r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}[./]\d{1,2}\.?)"
_STAMP = rf"(?:{_DATE},? )?(?:at )?{_TIME}"
_IN_BRACKETS = rf"(?:\[{_STAMP}\]|\({_STAMP}\))"
_UP_TO_FOUR_WORDS = r"(?P<name>@?[^\W\d_][\w.'\u2019-]*(?: [^\W\d_][\w.'\u2019-]*){0,3})"

_STAMP_AND_SPEAKER = re.compile(
    rf"\s*(?:{_IN_BRACKETS} ?[-\u2013]?|{_DATE},? {_TIME} ?[-\u2013]) ?[<*]*{_UP_TO_FOUR_WORDS}\**\s?[:>](?P<said>.*)"
)
_SPEAKER_AND_STAMP = re.compile(rf"\s*\**{_UP_TO_FOUR_WORDS}\** *(?:{_IN_BRACKETS}|{_STAMP})\s*(?::\s*(?P<said>.*))?$")
# No URL: behind the colon stands a blank, the end, or a script that puts none there.
_SPEAKER = re.compile(rf"\s*(?:{_TIME} ?[-\u2013]? )?\**{_UP_TO_FOUR_WORDS}\**\s?:\**(?P<said>\s.*|[^\x00-\x7f].*|)$")


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A line that begins with its speaker (casefolded)."""

    at: int
    speaker: str
    said: str
    is_stamped: bool


def lines_of_others(lines: Sequence[str], users_names: Collection[str]) -> list[bool]:
    """For every line whether somebody other than the user says it in a copied chat.

    A chat is one line with a stamp and its speaker, or lines of two speakers and more, most of whom talk. `lines` are
    as an eye takes them (`invisible.as_seen`). What is said under one of `users_names` stays the user's.
    """
    names = [name.casefold() for name in users_names]
    own = LABELS_OF_THE_USER.union(names, (name.split()[0] for name in names))
    marked = [False] * len(lines)
    for chat in _neighbours(lines):
        if not _is_chat(chat, lines):
            continue
        ends = [*(spoken.at for spoken in chat[1:]), _end_of_last(lines, chat[-1])]
        for spoken, end in zip(chat, ends, strict=True):
            if spoken.speaker not in own:
                marked[spoken.at : end] = [True] * (end - spoken.at)
    return marked


def _neighbours(lines: Sequence[str]) -> list[list[_Spoken]]:
    """The lines with a speaker, those together that stand near one another."""
    groups: list[list[_Spoken]] = []
    for at, line in enumerate(lines):
        spoken = _spoken(at, line)
        if spoken is None:
            continue
        if groups and at - groups[-1][-1].at <= LONGEST_GAP_IN_LINES + 1:
            groups[-1].append(spoken)
        else:
            groups.append([spoken])
    return groups


def _spoken(at: int, line: str) -> _Spoken | None:
    if found := _STAMP_AND_SPEAKER.match(line):
        return _Spoken(at, found["name"].casefold(), found["said"], is_stamped=True)
    found = _SPEAKER_AND_STAMP.match(line) or _SPEAKER.match(line)
    if found is None or not _names_somebody(found["name"]):
        return None
    return _Spoken(at, found["name"].casefold(), found["said"] or "", is_stamped=False)


def _names_somebody(label: str) -> bool:
    """Whether a label is capitalised, as far as its script can be, and neither "Plan B" nor the name of a fact."""
    words = label.split()
    is_lettered = words[-1].isascii() and len(words[-1]) == 1
    is_numbered = any(char.isdigit() for char in label)
    names_a_fact = {words[0].casefold(), words[-1].casefold()} & FIELDS
    begins_small = any(word[0].islower() for word in words)
    return not (begins_small or label.isupper() or is_lettered or is_numbered or names_a_fact)


def _is_chat(chat: Sequence[_Spoken], lines: Sequence[str]) -> bool:
    if any(spoken.is_stamped for spoken in chat):
        return True
    speakers = {spoken.speaker for spoken in chat}
    if len(speakers) == 1:
        return False
    # A name that comes back is no label of a fact; else most have to talk: one "Lunch: salad, I hate tuna" is a list's.
    starts = {spoken.at for spoken in chat}
    talking = [spoken for spoken in chat if TALK.search(_words_of(spoken, lines, starts))]
    return len(chat) > len(speakers) or len(talking) * 2 > len(chat)


def _words_of(spoken: _Spoken, lines: Sequence[str], starts: Collection[int]) -> str:
    """What is said on the line, or where nothing is, on the line below unless a speaker begins it (one of `starts`)."""
    below = spoken.at + 1
    if spoken.said.strip() or below in starts or below == len(lines):
        return spoken.said
    return lines[below]


def _end_of_last(lines: Sequence[str], spoken: _Spoken) -> int:
    """One line; where the name stands alone above what is said, all to the end of the paragraph."""
    end = spoken.at + 1
    if not spoken.said.strip():
        while end < len(lines) and lines[end].strip():
            end += 1
    return end
