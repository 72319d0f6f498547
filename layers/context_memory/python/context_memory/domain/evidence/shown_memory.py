"""Memory that a prompt was given comes back in what users send; it is nothing that they said."""

from __future__ import annotations

import re
from collections import defaultdict, deque

from context_memory.domain.memory_frame import SUFFIX_DIGITS
from context_memory.domain.prompt_section import PROFILE
from context_memory.domain.recall.block import CITABLE, RECALLED
from context_memory.domain.recall.markers import markers, rewritten

# Between two words of a frame a copy may have broken the line, and quoted it.
_GAP = r"[\s>]+"


def _copied(text: str) -> str:
    return _GAP.join(map(re.escape, text.split()))


_FRAMES = (PROFILE, CITABLE, RECALLED)  # of two that begin alike the longer one first
_TITLE = "|".join(_copied(frame.title) for frame in _FRAMES)
_FRAME = "|".join(_copied(f"{frame.title} {frame.paragraph}") for frame in _FRAMES)
_DIGITS = rf"([0-9a-f]{{{SUFFIX_DIGITS}}})"
_OPENING_TAG = re.compile(rf"^[> \t]*(?:(?:{_TITLE}){_GAP})?<memory-{_DIGITS}>", re.MULTILINE)
_CLOSING_TAG = re.compile(rf"</memory-{_DIGITS}>[ \t]*(?:\r?\n)?")
_ITEM = re.compile(r"[> \t]*[-*+\u2022][ \t]")
_LINE_END = re.compile(r"[ \t]*\r?(?:\n|\Z)")
_FRAME_WITH_TAG = re.compile(rf"^[> \t]*(?:{_FRAME})(?:{_GAP}<memory-{_DIGITS}>)?[ \t]*(?:\r?\n)?", re.MULTILINE)


def strip(text: str) -> str:
    """Take every section of memory out of a text, from its title to its closing tag, and markers of facts.

    Copies with other line ends, wrapped anew or quoted by `>` are found too, and so are the tags with what stands
    between them alone. Where the closing tag is missing only the title and our own paragraph go, and the facts that
    stand there with their markers: a list's item that ends with a marker was copied out of a section.
    """
    text = _without(text, _FRAME_WITH_TAG, unclosed_goes=True)
    text = _without_facts(_without(text, _OPENING_TAG, unclosed_goes=False))
    return rewritten(text, lambda _: False)


def _without_facts(text: str) -> str:
    """Take the lines out that are a fact with its marker, as a section shows them."""
    kept, position = [], 0
    for found in markers(text):
        ends = _LINE_END.match(text, found.end)
        start = text.rfind("\n", 0, found.start) + 1 if ends else -1
        if ends and start >= position and _ITEM.match(text, start, found.start):
            kept.append(text[position:start])
            position = ends.end()
    return "".join((*kept, text[position:]))


def _without(text: str, opening: re.Pattern[str], *, unclosed_goes: bool) -> str:
    """Take out what `opening` finds, up to the closing tag with the same digits; in one pass over all of them."""
    closings: defaultdict[str, deque[re.Match[str]]] = defaultdict(deque)
    for closing in _CLOSING_TAG.finditer(text):
        closings[closing[1]].append(closing)
    kept = []
    position = 0
    for found in opening.finditer(text):
        if found.start() < position:
            continue
        ahead = closings[found[1]]
        while ahead and ahead[0].start() < found.end():
            ahead.popleft()
        if ahead or unclosed_goes:
            kept.append(text[position : found.start()])
            position = ahead[0].end() if ahead else found.end()
    return "".join((*kept, text[position:]))
